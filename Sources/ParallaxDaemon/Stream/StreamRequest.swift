// SPDX-License-Identifier: Apache-2.0

import ParallaxJSON
import ParallaxMotion
import ParallaxText
package import ParallaxWire

/// A request of a subscriber.
package enum StreamRequest: Equatable, Sendable {
  case watch(WatchMessage)
  case poll

  package init(parsing line: [UInt8]) throws(RequestError) {
    let request = try RequestLine(line, limits: .streamLine, allowed: ["WATCH", "POLL"])
    switch request.name {
    case "WATCH":
      self = try request.read { node throws(JSONShapeError) in .watch(try Self.watch(node)) }
    case "POLL": self = .poll
    default: throw request.unknown
    }
  }

  private static func watch(_ node: JSONNode) throws(JSONShapeError) -> WatchMessage {
    var watch = WatchMessage()
    watch.enable = try node.member("enable")?.bool()
    if let rate = try node.member("rate") {
      let hertz = try rate.number()
      guard hertz > 0 else { throw rate.error("expected a rate above 0 Hz") }
      watch.rateHertz = min(hertz, Cadence.capHertz)
    }
    if let layers = try node.member("layers") {
      var depths: [WatchMessage.LayerDepth] = []
      for (name, depth) in try layers.members() {
        depths.append(WatchMessage.LayerDepth(name: name, depth: try depth.number()))
      }
      do throws(SettingError) {
        _ = try LayerSet(depths)
      } catch {
        throw layers.error(error.message)
      }
      watch.layers = depths
    }
    if let change = try node.member("on_change") { watch.onChange = try onChange(change) }
    watch.orientation = try node.member("orientation")?.choice()
    return watch
  }

  private static func onChange(_ node: JSONNode) throws(JSONShapeError) -> WatchMessage.OnChange {
    switch node.value {
    case .bool(let any): return any ? .anyChange : .off
    case .integer, .double:
      let px = try node.number()
      guard px >= 0 else { throw node.error(expectedOnChange) }
      return .atLeastPixels(px)
    default: throw node.error(expectedOnChange)
    }
  }

  private static let expectedOnChange = "expected true, false or a number of pixels, at least 0"
}

extension LayerSet {
  init(_ depths: [WatchMessage.LayerDepth]) throws(SettingError) {
    var layers: [Layer] = []
    for layer in depths { layers.append(try Layer(name: layer.name, depth: layer.depth)) }
    try self.init(layers)
  }
}
