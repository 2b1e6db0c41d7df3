import CSystemd
import Glibc

/// A listening Unix socket that the test itself plays the daemon on: it accepts, says lines and
/// reads lines, one after another. Every wait ends after 30 s with an error.
package final class FakeServer {
  package let path: String
  private let listener: Int32

  /// Listens at `path`; a socket that was there is replaced.
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

  /// The next connection.
  package func accept() throws(TestSupportError) -> Peer {
    try waitForInput(listener, "no connection")
    // Closed on exec, from the first moment: a program that another test starts meanwhile would hold
    // the connection open behind `close`.
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

    /// Says lines; each gets its line feed.
    package func say(_ lines: String...) throws(TestSupportError) {
      try send(lines.map { $0 + "\n" }.joined())
    }

    /// Says a text as it is.
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

    /// The next line that the other end said, without its line feed; nil at the end of its input.
    package func hear() throws(TestSupportError) -> String? {
      while true {
        if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
          defer { pending.removeSubrange(...end) }
          return String(decoding: pending[..<end], as: UTF8.self)
        }
        try waitForInput(descriptor, "nothing was said")
        var block = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &block, block.count, 0)
        guard count > 0 else { return nil }
        pending += block[..<count]
      }
    }

    /// Ends the connection.
    package func close() {
      if isOpen { Glibc.close(descriptor) }
      isOpen = false
    }
  }
}

private func waitForInput(_ descriptor: Int32, _ complaint: String) throws(TestSupportError) {
  var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  guard poll(&entry, 1, 30_000) > 0 else {
    throw TestSupportError("\(complaint) within 30 s")
  }
}
