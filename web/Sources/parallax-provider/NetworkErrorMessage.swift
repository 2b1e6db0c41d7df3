// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import ParallaxWebCore

/// The text of a network error for the user.
enum NetworkErrorMessage {
  static func text(_ error: any Error) -> String {
    switch error {
    case let error as HTTPClientError: text(error)
    case let error as NIOConnectionError: text(error)
    case let error as IOError: system(error.errnoCode)
    case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: secure("\(error)")
    case HTTPParserError.invalidEOFState: "the server closed the connection too early"
    case is HTTPParserError: "the answer is not HTTP (\(error))"
    case is CancellationError: "the request was canceled"
    default: "fetching failed: \(error)"
    }
  }

  private static func text(_ error: HTTPClientError) -> String {
    switch error {
    case .remoteConnectionClosed: "the server closed the connection too early"
    case .connectTimeout, .deadlineExceeded, .readTimeout, .getConnectionFromPoolTimeout:
      "the server did not answer within \(Fetch.timeLimitSeconds) s"
    default: "fetching failed: \(error)"
    }
  }

  private static func text(_ error: NIOConnectionError) -> String {
    if error.dnsAError != nil || error.dnsAAAAError != nil, error.connectionErrors.isEmpty {
      return "unknown host \(error.host)"
    }
    let last = error.connectionErrors.last?.error
    return (last as? IOError).map { system($0.errnoCode) }
      ?? "connecting to the server failed"
  }

  private static func system(_ code: Int32) -> String {
    switch code {
    case ECONNRESET, EPIPE: "the server closed the connection too early"
    default: "cannot reach the server (\(String(cString: strerror(code))))"
    }
  }

  private static func secure(_ text: String) -> String {
    if text.contains("CERTIFICATE_VERIFY_FAILED") {
      return "the server's certificate is not trusted"
    }
    if text.lowercased().contains("hostname") {
      return "the server's certificate is for another host"
    }
    return text.contains("uncleanShutdown")
      ? "the server closed the connection too early" : "the TLS handshake failed (\(text))"
  }
}
