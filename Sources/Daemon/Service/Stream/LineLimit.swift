// SPDX-License-Identifier: Apache-2.0

import ParallaxProtocol

/// The maximum length of a client's lines.
package struct LineLimit: Equatable, Sendable {
  /// Bytes of a line, without its end.
  package let bytes: Int
  /// Bytes of a line that is a PLAY or an ANIMATE, which may contain an animation.
  package let documentBytes: Int

  package init(bytes: Int, documentBytes: Int? = nil) {
    self.bytes = bytes
    self.documentBytes = documentBytes ?? bytes
  }

  package static let stream = LineLimit(bytes: 4 << 10)
  /// The control socket's, for users who may play animations.
  package static let control = LineLimit(bytes: 64 << 10, documentBytes: PlayRequest.lineLimit)
  /// The control socket's, for other users: a PLAY that is refused anyway must not use much memory.
  package static let controlWithoutPlay = LineLimit(bytes: 64 << 10)

  /// The message for a client that sent a longer line.
  var refusal: String {
    documentBytes > bytes
      ? "the line is too long: at most \(bytes) bytes, or \(documentBytes) for PLAY and ANIMATE"
      : "the line is too long: at most \(bytes) bytes"
  }
}

/// Finds a request's `class` in its text without parsing it, to decide which limits of length and depth
/// apply.
package enum RequestClass {
  /// Returns whether these bytes begin a PLAY or an ANIMATE; nil if they do not decide it yet. For text
  /// that is not JSON the result may be either, since the parser rejects that text.
  package static func mayHaveDocument(_ bytes: [UInt8]) -> Bool? {
    var depth = 0
    // In the outermost object: whether the next string is a key, and whether the last key was `class`.
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
          return text.elementsEqual("PLAY".utf8) || text.elementsEqual("ANIMATE".utf8)
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
