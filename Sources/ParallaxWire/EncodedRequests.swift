// SPDX-License-Identifier: Apache-2.0

import ParallaxText

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
    WatchMessage(
      enable: later.enable ?? enable, rateHertz: later.rateHertz ?? rateHertz,
      layers: later.layers ?? layers, onChange: later.onChange ?? onChange,
      orientation: later.orientation ?? orientation)
  }
}

/// POLL: requests DEVICE, GATE and OFFSET once.
package enum PollRequest {
  /// The request's line with its line feed.
  package static let line = Array("{\"class\":\"POLL\"}\n".utf8)
}
