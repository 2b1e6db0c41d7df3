import ParallaxWire

/// How long a client's lines may be.
package struct LineLimit: Equatable, Sendable {
  /// Bytes of a line, without its end.
  package let bytes: Int
  /// Bytes of a line that is a PLAY: an animation may be inside it.
  package let playBytes: Int

  package init(bytes: Int, playBytes: Int? = nil) {
    self.bytes = bytes
    self.playBytes = playBytes ?? bytes
  }

  package static let stream = LineLimit(bytes: 4 << 10)
  /// The control socket's, for those who may play.
  package static let control = LineLimit(bytes: 64 << 10, playBytes: PlayRequest.lineLimit)
  /// The control socket's, for everybody else: nobody may fill the daemon's memory with what is refused
  /// anyway.
  package static let controlWithoutPlay = LineLimit(bytes: 64 << 10)

  /// For whoever sent a longer one.
  var refusal: String {
    playBytes > bytes
      ? "a line has at most \(bytes) bytes, a PLAY \(playBytes); send shorter ones"
      : "a line has at most \(bytes) bytes; send shorter ones"
  }
}

/// A request's `class`, looked up in its text before that is read: what may be long and deep is told
/// from what may not without building anything.
package enum RequestClass {
  /// Whether these bytes begin a PLAY; nil: they do not say yet. Where they are no JSON, the answer may
  /// be any; whoever reads them finds that out.
  package static func isPlay(_ bytes: [UInt8]) -> Bool? {
    var depth = 0
    /// In the outermost object: whether the next string is a key, and whether `class` was the last one.
    var isAtKey = true
    var isAtClass = false
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        guard let end = endOfString(bytes, from: index + 1) else { return nil }
        let text = bytes[(index + 1)..<end]
        if depth == 1, isAtKey {
          isAtClass = text.elementsEqual("class".utf8)
        } else if depth == 1, isAtClass {
          return text.elementsEqual("PLAY".utf8)
        }
        index = end
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ":"): if depth == 1 { isAtKey = false }
      case UInt8(ascii: ","): if depth == 1 { isAtKey = true }
      default: break
      }
      index += 1
    }
    return nil
  }

  private static func endOfString(_ bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""): return index
      case UInt8(ascii: "\\"): index += 2
      default: index += 1
      }
    }
    return nil
  }
}
