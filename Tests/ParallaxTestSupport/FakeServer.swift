// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Glibc

/// A listening Unix socket on which the test plays the daemon: it accepts connections, sends lines and
/// reads lines. Every wait ends after 30 s with an error.
package final class FakeServer {
  package let path: String
  private let listener: Int32

  /// Listens at `path` and replaces a socket there.
  package init(at path: String) throws(TestSupportError) {
    self.path = path
    unlink(path)
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard listener >= 0 else { throw .system("socket") }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { place in
      place.copyBytes(from: path.utf8.prefix(place.count - 1))
    }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0, listen(listener, 8) == 0 else { throw .system("listen at \(path)") }
  }

  deinit {
    close(listener)
    unlink(path)
  }

  /// Accepts the next connection.
  package func accept() throws(TestSupportError) -> Peer {
    try waitForInput(listener, "no connection")
    // Close-on-exec from the start: otherwise a program that another test starts at this moment would
    // keep the connection open after `close`.
    let descriptor = parallax_accept(listener)
    guard descriptor >= 0, fcntl(descriptor, F_SETFL, 0) == 0 else { throw .system("accept") }
    return Peer(descriptor)
  }

  /// One connection to the fake daemon.
  package final class Peer {
    private let descriptor: Int32
    private var pending: [UInt8] = []
    private var isOpen = true

    init(_ descriptor: Int32) {
      self.descriptor = descriptor
    }

    deinit { close() }

    /// Sends lines, each with a line feed.
    package func say(_ lines: String...) throws(TestSupportError) {
      try send(lines.map { $0 + "\n" }.joined())
    }

    /// Sends a text as it is.
    package func send(_ text: String) throws(TestSupportError) {
      var bytes = Array(text.utf8)[...]
      while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { throw .system("send") }
        bytes = bytes.dropFirst(count)
      }
    }

    /// Returns the next line from the other end without its line feed; nil at the end of the input.
    package func hear() throws(TestSupportError) -> String? {
      while true {
        if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
          defer { pending.removeSubrange(...end) }
          return String(decoding: pending[..<end], as: UTF8.self)
        }
        try waitForInput(descriptor, "no line")
        var block = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &block, block.count, 0)
        guard count > 0 else { return nil }
        pending += block[..<count]
      }
    }

    /// Closes the connection.
    package func close() {
      if isOpen { Glibc.close(descriptor) }
      isOpen = false
    }
  }
}

private func waitForInput(_ descriptor: Int32, _ problem: String) throws(TestSupportError) {
  var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  guard poll(&entry, 1, 30_000) > 0 else {
    throw TestSupportError("\(problem) within 30 s")
  }
}
