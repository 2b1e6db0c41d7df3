import Glibc

/// A connection that is used from one thread and waits where it has to: what the tools use.
package struct LineConnection: ~Copyable {
  private let socket: ConnectedSocket
  private var splitter = LineSplitter()
  private let buffer: UnsafeMutableRawBufferPointer

  /// Connects to the first of the paths that answers.
  package init(toFirstOf paths: [String]) throws(ParallaxError) {
    socket = try ConnectedSocket.connect(toFirstOf: paths)
    buffer = .allocate(byteCount: 16_384, alignment: 1)
  }

  deinit {
    buffer.deallocate()
  }

  /// For poll() beside other descriptors.
  package var descriptor: Int32 { socket.raw }

  /// Sends all of it.
  ///
  /// - Throws: `closed` where the daemon has gone; what it said before can still be read.
  package func send(_ bytes: [UInt8]) throws(ParallaxError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      switch socket.write(rest) {
      case .moved(let count): rest = rest.dropFirst(count)
      case .wouldBlock: wait(for: POLLOUT)
      case .closed: throw .closed
      case .failed(let code): throw .inputOutput(errno: code)
      }
    }
  }

  /// The next line without its line feed; nil where the daemon has ended the connection.
  package mutating func readLine() throws(ParallaxError) -> ArraySlice<UInt8>? {
    while true {
      if let line = splitter.next() { return line }
      if splitter.isOverlong { throw .malformed }
      switch socket.read(into: buffer) {
      case .moved(let count): splitter.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      case .wouldBlock: wait(for: POLLIN)
      case .closed: return nil
      case .failed(let code): throw .inputOutput(errno: code)
      }
    }
  }

  private func wait(for events: Int32) {
    var entry = pollfd(fd: socket.raw, events: Int16(events), revents: 0)
    // An interrupted wait ends early; the callers try again anyway.
    _ = poll(&entry, 1, -1)
  }
}
