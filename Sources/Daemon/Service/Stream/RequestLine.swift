// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
package import ParallaxProtocol

/// A malformed request: what is wrong and what is allowed.
package struct RequestError: Error, Equatable, Sendable {
  /// The answer to the client.
  package let answer: ErrorMessage

  package init(_ answer: ErrorMessage) {
    self.answer = answer
  }

  package init(_ message: String, code: ErrorMessage.Code = .badRequest) {
    self.init(ErrorMessage(message: message, code: code))
  }
}

/// The part of a request that both sockets read alike: a JSON object with a `class`.
struct RequestLine {
  let name: String
  private let node: JSONNode
  private let classes: String

  /// - Parameter allowed: The classes of this socket, for error messages.
  init(_ line: [UInt8], limits: JSONLimits, allowed: [String]) throws(RequestError) {
    do throws(JSONSyntaxError) {
      node = JSONNode(try JSONValue.parse(line.span.bytes, limits: limits))
    } catch {
      throw RequestError("invalid JSON at column \(error.column): \(error.message)")
    }
    classes = SettingText.alternatives(allowed)
    do throws(JSONShapeError) {
      name = try node.required("class").string()
    } catch {
      throw RequestError("\(error); a request is an object with \"class\": \(classes)")
    }
  }

  /// The error for a class that this socket does not know.
  var unknown: RequestError {
    RequestError("unknown class \"\(Self.shown(name))\"; use \(classes)")
  }

  /// Reads the request's fields; errors start with the class.
  func read<Value>(
    _ body: (JSONNode) throws(JSONShapeError) -> Value
  ) throws(RequestError) -> Value {
    do throws(JSONShapeError) {
      return try body(node)
    } catch {
      throw RequestError("\(name): \(error)")
    }
  }

  /// Fields that an answer names as ignored.
  private static let maxIgnoredFields = 16

  /// Returns the names of the first fields that are not known.
  func fields(except known: [String]) -> [String] {
    guard case .object(let object) = node.value else { return [] }
    return object.members.lazy.map(\.key).filter { $0 != "class" && !known.contains($0) }
      .prefix(Self.maxIgnoredFields).map { Self.shown($0) }
  }

  /// The length of a tag: every answer repeats it.
  static let maxTagBytes = 64

  /// Returns the request's tag, for its answer.
  func tag() throws(RequestError) -> RequestTag? {
    try read { node throws(JSONShapeError) in
      guard let tag = try node.member("tag") else { return nil }
      switch tag.value {
      case .string(let text) where text.utf8.count > Self.maxTagBytes:
        throw tag.error("the text is longer than \(Self.maxTagBytes) bytes")
      case .string(let text): return .text(text)
      case .integer(let value): return .integer(value)
      case .double(let value): return .real(value)
      default: throw tag.error("expected a string or a number")
      }
    }
  }

  private static func shown(_ name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.prefix(40)))
  }
}
