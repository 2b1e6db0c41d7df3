// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import NIOCore
import ParallaxWebCore

/// The answers of the page's server. All have the same fields for security.
enum PageResponse {
  /// What the page may load and do: its own files and addresses, and nothing else.
  private static let policy =
    "default-src 'self'; style-src 'self'; object-src 'none'; base-uri 'none'; "
    + "frame-ancestors 'none'; form-action 'none'"

  private static let security: [(name: String, value: String)] = [
    ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  /// Returns an answer with a body.
  ///
  /// - Parameter tag: The entity tag of a file; nil: the answer may not be stored.
  static func make(_ status: Int, type: String?, tag: String? = nil, body: [UInt8]) -> Response {
    var fields = fields(type, isStored: tag != nil)
    fields[.eTag] = tag
    var response = Response(
      status: .init(code: status), headers: fields,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    response.headers[.contentLength] = status == 304 ? nil : String(body.count)
    return response
  }

  /// Returns a file of the page, or that the browser has it.
  static func file(_ file: PageFiles.File, _ request: Request) -> Response {
    if let known = request.headers[.ifNoneMatch], EntityTag.matches(file.tag, ifNoneMatch: known) {
      return make(304, type: nil, tag: file.tag, body: [])
    }
    let response = make(200, type: file.type, tag: file.tag, body: file.bytes)
    return request.method == .head ? response.createHeadResponse() : response
  }

  /// Returns `{"error":"..."}`.
  static func error(_ status: Int, _ message: String) -> Response {
    var response = make(status, type: "application/json", body: JSONText.error(message))
    if status == 405 { response.headers[.allow] = "GET, HEAD, POST" }
    // The rest of the body is not read.
    if status == 413 { response.headers[.connection] = "close" }
    return response
  }

  /// Returns a line of text.
  static func text(_ status: Int, _ text: String) -> Response {
    make(status, type: "text/plain; charset=utf-8", body: Array("\(text)\n".utf8))
  }

  /// Returns an answer whose body is written as it comes.
  static func stream(
    _ type: String,
    _ write: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void
  ) -> Response {
    Response(
      status: .ok, headers: fields(type, isStored: false), body: ResponseBody(write))
  }

  private static func fields(_ type: String?, isStored: Bool) -> HTTPFields {
    var fields = HTTPFields()
    fields[.contentType] = type
    fields[.cacheControl] = isStored ? "no-cache" : "no-store"
    for (name, value) in security {
      if let name = HTTPFields.Element.Name(name) { fields[name] = value }
    }
    return fields
  }
}
