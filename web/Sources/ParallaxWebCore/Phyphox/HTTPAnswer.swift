// SPDX-License-Identifier: Apache-2.0

/// An answer of a server that closes the connection after it.
package struct HTTPAnswer: Equatable, Sendable {
  package let status: Int
  package let body: [UInt8]

  /// The most bytes before the body.
  static let maxHeadBytes = 64 << 10

  /// - Parameter bytes: Everything that the server has sent; nil is returned if it is not an answer.
  package init?(_ bytes: [UInt8]) {
    let separator = Array("\r\n\r\n".utf8)
    let head = bytes.prefix(Self.maxHeadBytes)
    let text = head.prefix { $0 != UInt8(ascii: "\r") }
    let words = String(decoding: text, as: UTF8.self).split(separator: " ")
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]),
      let end = head.indices.first(where: { head[$0...].starts(with: separator) })
    else { return nil }
    self.status = status
    body = Array(bytes[(end + separator.count)...])
  }

  /// Returns the request for a path and query. HTTP/1.0 has no chunks and closes the connection, which the
  /// server of phyphox needs.
  package static func request(_ target: String, host: String) -> [UInt8] {
    Array("GET \(target) HTTP/1.0\r\nHost: \(host)\r\nAccept: application/json\r\n\r\n".utf8)
  }
}

/// The address of a phone: `http://HOST[:PORT]`.
package struct PhoneAddress: Equatable, Sendable {
  package let host: String
  /// The ports to try, in this order.
  package let ports: [UInt16]

  /// phyphox listens on 8080 on Android, on 80 on iOS.
  package static let standardPorts: [UInt16] = [8080, 80]

  /// nil for another text.
  package init?(_ text: String) {
    guard let address = try? WebAddress(text), address.scheme == "http" else { return nil }
    let authority = address.text.dropFirst("http://".count).prefix { $0 != "/" && $0 != "?" }
    let rest = address.text.dropFirst("http://".count + authority.count)
    guard rest.isEmpty || rest == "/" else { return nil }
    // A colon in brackets is part of an IPv6 address.
    let afterHost =
      authority.hasPrefix("[")
      ? authority.firstIndex(of: "]") ?? authority.endIndex : authority.startIndex
    let colon = authority[afterHost...].firstIndex(of: ":") ?? authority.endIndex
    host = String(authority[..<colon].filter { $0 != "[" && $0 != "]" })
    guard colon < authority.endIndex else {
      ports = Self.standardPorts
      return
    }
    guard let port = UInt16(authority[authority.index(after: colon)...]), port > 0 else {
      return nil
    }
    ports = [port]
  }
}
