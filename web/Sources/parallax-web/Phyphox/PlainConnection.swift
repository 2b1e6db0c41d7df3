// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxWebCore

/// One HTTP request on a TCP connection of its own. Waits, at most for a few seconds.
enum PlainConnection {
  /// Why there is no answer.
  struct Failure: Error, Equatable {
    let reason: String
  }

  /// The longest wait of each call, in seconds.
  private static let patienceSeconds = 5
  /// The largest answer; phyphox sends about 50 bytes per sample.
  private static let maxBytes = 16 << 20

  static func get(
    _ target: String, host: String, port: UInt16
  ) throws(Failure) -> HTTPAnswer {
    let connection = try connect(to: host, port)
    defer { close(connection) }
    var rest = HTTPAnswer.request(target, host: host.contains(":") ? "[\(host)]" : host)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw .last() }
      rest = rest.dropFirst(count)
    }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < maxBytes {
      let count = recv(connection, &block, block.count, 0)
      guard count >= 0 else { throw .last() }
      if count == 0 { break }
      bytes += block[..<count]
    }
    guard let answer = HTTPAnswer(bytes) else { throw Failure(reason: "the answer is not HTTP") }
    return answer
  }

  private static func connect(to host: String, _ port: UInt16) throws(Failure) -> Int32 {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, "\(port)", &hints, &list)
    guard code == 0 else { throw Failure(reason: String(cString: gai_strerror(code))) }
    defer { freeaddrinfo(list) }
    var failure = Failure(reason: "no address")
    var next = list
    while let entry = next?.pointee {
      next = entry.ai_next
      let descriptor = socket(
        entry.ai_family, entry.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), entry.ai_protocol)
      guard descriptor >= 0 else { throw .last() }
      // SO_SNDTIMEO limits connect(), too.
      var limit = timeval(tv_sec: patienceSeconds, tv_usec: 0)
      for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
        setsockopt(
          descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
      }
      if Glibc.connect(descriptor, entry.ai_addr, entry.ai_addrlen) == 0 { return descriptor }
      failure = .last()
      close(descriptor)
    }
    throw failure
  }
}

extension PlainConnection.Failure {
  /// The error of the last call.
  fileprivate static func last() -> Self {
    // A call with a time limit fails with this error after it.
    let code = errno == EAGAIN || errno == EINPROGRESS ? ETIMEDOUT : errno
    return Self(reason: String(cString: strerror(code)))
  }
}
