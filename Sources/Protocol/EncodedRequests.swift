// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// Requests as bytes, for programs that send one now and then and keep no buffer.
extension ControlRequest {
  /// Returns the request's line with its line feed.
  package func line(tag: RequestTag? = nil) -> [UInt8] {
    var buffer = OutputBuffer()
    buffer.appendLine(self, tag: tag)
    return buffer.withBytes { Array($0) }
  }
}

extension WatchMessage {
  /// The request's line with its line feed.
  package var line: [UInt8] {
    var buffer = OutputBuffer()
    buffer.appendLine(self)
    return buffer.withBytes { Array($0) }
  }

  /// Returns one request with the effect of `self` followed by `later`.
  package func merging(_ later: WatchMessage) -> WatchMessage {
    var merged = WatchMessage(
      enable: later.enable ?? enable, rateHertz: later.rateHertz ?? rateHertz,
      layers: later.layers, onChange: later.onChange ?? onChange,
      orientation: later.orientation, resets: later.resets, version: later.version ?? version)
    if later.layers == nil, !later.resets.contains(.layers) {
      merged.layers = layers
      merged.resets.formUnion(resets.intersection(.layers))
    }
    if later.orientation == nil, !later.resets.contains(.orientation) {
      merged.orientation = orientation
      merged.resets.formUnion(resets.intersection(.orientation))
    }
    return merged
  }
}

/// POLL: requests DEVICE, GATE and OFFSET once.
package enum PollRequest {
  /// The request's line with its line feed.
  package static let line = line(taggedWith: nil)

  /// Returns the line of a request with a tag, with its line feed.
  package static func line(taggedWith tag: RequestTag?) -> [UInt8] {
    var buffer = OutputBuffer()
    buffer.appendPollLine(tag: tag)
    return buffer.withBytes { Array($0) }
  }
}

extension OutputBuffer {
  /// Appends `{"class":"POLL","tag":1}`: the request, and the last line of the answer to one with a tag.
  package mutating func appendPollLine(tag: RequestTag?, ignored: [String] = []) {
    append(class: "POLL")
    append(tag: tag)
    append(ignored: ignored)
    appendLineEnd()
  }

  /// Appends `,"ignored":["new"]`; nothing for none.
  mutating func append(ignored: [String]) {
    guard !ignored.isEmpty else { return }
    append(field: "ignored")
    append(jsonStrings: ignored)
  }
}
