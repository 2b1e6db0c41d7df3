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

  /// Set where `readLine` gave up because the reader of its output had gone.
  package private(set) var readerHasGone = false

  /// Sends all of it.
  ///
  /// - Throws: `closed` where the daemon has gone; what it said before can still be read.
  package mutating func send(_ bytes: [UInt8]) throws(ParallaxError) {
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
  ///
  /// - Parameter output: a descriptor that is written to. Where its reader goes while nothing comes,
  ///   this returns nil and `readerHasGone` is set. -1: none.
  package mutating func readLine(
    whileReading output: Int32 = -1
  ) throws(ParallaxError) -> ArraySlice<UInt8>? {
    while true {
      switch try nextLine() {
      case .line(let line): return line
      case .end: return nil
      case .none:
        wait(for: POLLIN, output: output)
        if readerHasGone { return nil }
      }
    }
  }

  /// For poll(), where `nextLine` gave none.
  package var descriptor: Int32 { socket.raw }

  /// What is known of the next line without waiting.
  package enum Arrival {
    /// Without its line feed.
    case line(ArraySlice<UInt8>)
    /// It has not come yet.
    case none
    /// The daemon has ended the connection.
    case end
  }

  /// The next line if it has come.
  package mutating func nextLine() throws(ParallaxError) -> Arrival {
    while true {
      if let line = splitter.next() { return .line(line) }
      if splitter.isOverlong { throw .malformed }
      switch socket.read(into: buffer) {
      case .moved(let count): splitter.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      case .wouldBlock: return .none
      case .closed: return .end
      case .failed(let code): throw .inputOutput(errno: code)
      }
    }
  }

  private mutating func wait(for events: Int32, output: Int32 = -1) {
    var entries = [
      pollfd(fd: socket.raw, events: Int16(events), revents: 0),
      // No events: an error on the pipe, its reader's going, is told unasked.
      pollfd(fd: output, events: 0, revents: 0),
    ]
    // An interrupted wait ends early; the callers try again anyway.
    _ = poll(&entries, 2, -1)
    readerHasGone = entries[1].revents & Int16(POLLERR) != 0
  }
}
