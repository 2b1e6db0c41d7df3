import ParallaxMotion

/// Requests as bytes, for programs that send one now and then and have no buffer of their own.
extension ControlRequest {
  /// The request's line with its line feed.
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

  /// The request that does what `self` and then `later` do.
  package func merging(_ later: WatchMessage) -> WatchMessage {
    WatchMessage(
      enable: later.enable ?? enable, rateHertz: later.rateHertz ?? rateHertz,
      layers: later.layers ?? layers, onChange: later.onChange ?? onChange,
      orientation: later.orientation ?? orientation)
  }
}

/// POLL as a subscriber sends it.
package enum PollRequest {
  /// The request's line with its line feed.
  package static let line = Array("{\"class\":\"POLL\"}\n".utf8)
}
