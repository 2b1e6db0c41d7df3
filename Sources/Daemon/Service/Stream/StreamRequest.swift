// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
package import ParallaxProtocol

/// A request of a subscriber, as far as it could be read: the answer to an invalid request needs its tag,
/// too.
package struct StreamRequest {
  package enum Kind: Equatable, Sendable {
    case watch(WatchMessage)
    case poll
  }

  package let tag: RequestTag?
  /// The fields that this release does not know.
  package let ignored: [String]
  package let kind: Result<Kind, RequestError>

  private static let watchFields = [
    "tag", "version", "enable", "rate", "layers", "on_change", "orientation",
  ]

  package init(_ line: [UInt8]) {
    let read: RequestLine
    do throws(RequestError) {
      read = try RequestLine(line, limits: .streamLine, allowed: ["WATCH", "POLL"])
      tag = try read.tag()
    } catch {
      tag = nil
      ignored = []
      kind = .failure(error)
      return
    }
    ignored = read.fields(except: read.name == "WATCH" ? Self.watchFields : ["tag"])
    kind = Result { () throws(RequestError) in
      switch read.name {
      case "WATCH": .watch(try Self.watch(read))
      case "POLL": .poll
      default: throw read.unknown
      }
    }
  }

  private static func watch(_ line: RequestLine) throws(RequestError) -> WatchMessage {
    let watch = try line.read { node throws(JSONShapeError) in try Self.watch(node) }
    // Before everything else: another version may give the other fields another meaning.
    guard watch.version ?? ParallaxRelease.protocolMajor == ParallaxRelease.protocolMajor else {
      throw RequestError(
        "WATCH: $.version: this daemon speaks version \(ParallaxRelease.protocolMajor) of the protocol",
        code: .unsupportedVersion)
    }
    return watch
  }

  private static func watch(_ node: JSONNode) throws(JSONShapeError) -> WatchMessage {
    var watch = WatchMessage()
    watch.version = try node.member("version").map(version)
    if let version = watch.version, version != ParallaxRelease.protocolMajor { return watch }
    watch.enable = try node.member("enable")?.bool()
    if let rate = try node.member("rate") {
      let hertz = try rate.number()
      guard hertz > 0 else { throw rate.error("expected a rate above 0 Hz") }
      watch.rateHertz = min(hertz, Cadence.capHertz)
    }
    if let layers = try node.member("layers"), layers.value == .null {
      watch.resets.insert(.layers)
    } else if let layers = try node.member("layers") {
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
    if let orientation = try node.member("orientation") {
      if orientation.value == .string("auto") {
        watch.resets.insert(.orientation)
      } else {
        watch.orientation = try orientation.choice()
      }
    }
    return watch
  }

  private static func version(_ node: JSONNode) throws(JSONShapeError) -> Int {
    guard case .integer(let version) = node.value, version > 0 else {
      throw node.error("expected a major version of the protocol, an integer from 1")
    }
    return Int(version)
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
