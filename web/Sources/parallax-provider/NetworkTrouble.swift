import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import ParallaxWebCore

/// What a network's error means to a person.
enum NetworkTrouble {
  static func text(_ error: any Error) -> String {
    switch error {
    case let error as HTTPClientError: text(error)
    case let error as NIOConnectionError: text(error)
    case let error as IOError: system(error.errnoCode)
    case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: secure("\(error)")
    case HTTPParserError.invalidEOFState: "the server hung up in the middle"
    case is HTTPParserError: "the server does not speak HTTP (\(error))"
    case is CancellationError: "it was taken back"
    default: "it cannot be fetched: \(error)"
    }
  }

  private static func text(_ error: HTTPClientError) -> String {
    switch error {
    case .remoteConnectionClosed: "the server hung up in the middle"
    case .connectTimeout, .deadlineExceeded, .readTimeout, .getConnectionFromPoolTimeout:
      "the server did not answer within \(Fetch.patienceSeconds) s"
    default: "it cannot be fetched: \(error)"
    }
  }

  private static func text(_ error: NIOConnectionError) -> String {
    if error.dnsAError != nil || error.dnsAAAAError != nil, error.connectionErrors.isEmpty {
      return "there is no host \(error.host)"
    }
    let last = error.connectionErrors.last?.error
    return (last as? IOError).map { system($0.errnoCode) }
      ?? "the server cannot be connected to"
  }

  private static func system(_ code: Int32) -> String {
    switch code {
    case ECONNRESET, EPIPE: "the server hung up in the middle"
    default: "the server cannot be reached (\(String(cString: strerror(code))))"
    }
  }

  private static func secure(_ text: String) -> String {
    if text.contains("CERTIFICATE_VERIFY_FAILED") {
      return "the server's certificate is not to be trusted"
    }
    if text.lowercased().contains("hostname") {
      return "the server's certificate is for another host"
    }
    return text.contains("uncleanShutdown")
      ? "the server hung up in the middle" : "no secure connection comes about (\(text))"
  }
}
