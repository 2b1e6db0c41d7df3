// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// The `tag` of a request. Its answers carry the same tag, so several requests may be pending on one
/// connection.
package enum RequestTag: Equatable, Hashable, Sendable {
  case text(String)
  case integer(Int64)
  case real(Double)

  /// The length of a text: every answer repeats it.
  static let maxBytes = 64

  /// The tag of an answer; nil if it has none.
  init?(answered node: JSONNode) {
    guard let tag = try? node.member("tag") else { return nil }
    if let whole = try? tag.integer() {
      self = .integer(whole)
    } else if let number = try? tag.number() {
      self = .real(number)
    } else if let text = try? tag.string() {
      self = .text(text)
    } else {
      return nil
    }
  }
}

extension FieldFormat<RequestTag> {
  package static let tag = FieldFormat(
    .rules([
      "oneOf": [
        ["type": "string", "maxLength": .integer(Int64(RequestTag.maxBytes))], ["type": "number"],
      ]
    ]),
    read: { (node, _) throws(JSONShapeError) in
      switch node.value {
      case .string(let text) where text.utf8.count > RequestTag.maxBytes:
        throw node.error("the text is longer than \(RequestTag.maxBytes) bytes")
      case .string(let text): return .text(text)
      case .integer(let value): return .integer(value)
      case .double, .decimal: return .real(try FieldFormat<Double>.number().read(node, true))
      default: throw node.error("expected a string or a number")
      }
    },
    write: { tag, buffer in
      switch tag {
      case .text(let text): buffer.append(jsonString: text)
      case .integer(let value): buffer.append(integer: value)
      case .real(let value): buffer.append(jsonNumber: value)
      }
    })
}

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

/// A request, as far as it could be read: the answer to an invalid one needs its tag, too.
package struct RequestLine<Request: Sendable>: Sendable {
  package private(set) var tag: RequestTag?
  /// The first fields that this release does not know.
  package private(set) var ignored: [String] = []
  package private(set) var request: Result<Request, RequestError>

  private static var maxIgnoredFields: Int { 16 }

  /// - Parameters:
  ///   - classes: Those of this socket.
  ///   - keepsDecimals: Whether times are read to the nanosecond.
  package init(
    _ line: [UInt8], limits: JSONLimits, classes: [MessageClass<Request>],
    keepsDecimals: Bool = false
  ) {
    // Overwritten, unless the class cannot be read.
    request = .failure(RequestError(""))
    do throws(RequestError) {
      request = .success(try read(line, limits, classes, keepsDecimals))
    } catch {
      request = .failure(error)
    }
  }

  private mutating func read(
    _ line: [UInt8], _ limits: JSONLimits, _ classes: [MessageClass<Request>],
    _ keepsDecimals: Bool
  ) throws(RequestError) -> Request {
    let node: JSONNode
    do throws(JSONSyntaxError) {
      node = JSONNode(
        try JSONValue.parse(line.span.bytes, limits: limits, keepsDecimals: keepsDecimals))
    } catch {
      throw RequestError("invalid JSON at column \(error.column): \(error.message)")
    }
    func names() -> String { SettingText.alternatives(classes.map(\.name)) }
    let name: String
    do throws(JSONShapeError) {
      name = try node.required("class").string()
    } catch {
      throw RequestError("\(error); a request is an object with \"class\": \(names())")
    }
    let body: Request?
    do throws(JSONShapeError) {
      body = try read(node, classes.first { $0.name == name })
    } catch {
      throw RequestError("\(name): \(error)")
    }
    guard let body else {
      throw RequestError("unknown class \"\(Self.shown(name))\"; use \(names())")
    }
    return body
  }

  /// Reads the tag, and the fields of a class that is known.
  private mutating func read(
    _ node: JSONNode, _ known: MessageClass<Request>?
  ) throws(JSONShapeError) -> Request? {
    var fields = FieldReader(node, isStrict: true)
    try fields.optional("tag", &tag, .tag, "")
    guard let known else { return nil }
    let body = try known.read(&fields, tag)
    ignored = unknown(node, except: fields.known)
    return body
  }

  private func unknown(_ node: JSONNode, except known: [String]) -> [String] {
    guard case .object(let object) = node.value else { return [] }
    return object.members.lazy.map(\.key).filter { $0 != "class" && !known.contains($0) }
      .prefix(Self.maxIgnoredFields).map { Self.shown($0) }
  }

  private static func shown(_ name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.prefix(40)))
  }
}
