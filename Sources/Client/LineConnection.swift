// SPDX-License-Identifier: Apache-2.0

import Glibc
package import ParallaxBase

/// A connection for the tools: used from one thread, blocking.
package struct LineConnection: ~Copyable {
  private let socket: UnixStream
  private var splitter = LineSplitter()
  private let buffer: UnsafeMutableRawBufferPointer
  /// In milliseconds, for poll(); -1 forever.
  private let patience: Int32
  /// The path of the socket that answered.
  package let path: String

  /// Connects to the first of the paths on which a daemon listens.
  ///
  /// - Parameter patience: The longest wait for the daemon; then `inputOutput` with ETIMEDOUT is thrown. nil:
  ///   forever.
  package init(toFirstOf paths: [String], patience: MotionDuration? = nil) throws(ParallaxError) {
    var path = ""
    socket = try UnixStream.connect(toFirstOf: paths) { path = $0 }
    self.path = path
    self.patience = patience.map { Int32(clamping: $0.nanoseconds / 1_000_000) } ?? -1
    buffer = .allocate(byteCount: 16_384, alignment: 1)
  }

  deinit {
    buffer.deallocate()
  }

  /// Sends all of the bytes.
  ///
  /// - Throws: `closed` if the daemon has ended the connection; lines it sent before can still be read.
  package mutating func send(_ bytes: [UInt8]) throws(ParallaxError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      switch socket.send(rest.span.bytes) {
      case .sent(let count): rest = rest.dropFirst(count)
      case .wouldBlock: try wait(for: POLLOUT)
      case .closed: throw .closed
      case .failed(let error): throw .inputOutput(errno: error.number)
      }
    }
  }

  /// Waits for the next line and returns it without its line feed; nil when the daemon has ended the
  /// connection.
  package mutating func readLine() throws(ParallaxError) -> ArraySlice<UInt8>? {
    while true {
      switch try nextLine() {
      case .line(let line): return line
      case .end: return nil
      case .none:
        try wait(for: POLLIN)
      }
    }
  }

  /// The socket, for poll().
  package var descriptor: Int32 { socket.descriptor.raw }

  /// The result of reading without waiting.
  package enum ReadResult {
    /// A line without its line feed.
    case line(ArraySlice<UInt8>)
    /// No whole line has arrived yet.
    case none
    /// The daemon has ended the connection.
    case end
  }

  /// Returns the next line if it has arrived.
  package mutating func nextLine() throws(ParallaxError) -> ReadResult {
    while true {
      if let line = splitter.next() { return .line(line) }
      if splitter.isOverlong { throw .malformed }
      switch socket.receive(into: buffer) {
      case .received(let count): splitter.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      case .wouldBlock: return .none
      case .endOfInput, .closed: return .end
      case .failed(let error): throw .inputOutput(errno: error.number)
      }
    }
  }

  private func wait(for events: Int32) throws(ParallaxError) {
    var entry = pollfd(fd: socket.descriptor.raw, events: Int16(events), revents: 0)
    // A signal ends the wait early; the callers try again anyway.
    if poll(&entry, 1, patience) == 0 { throw .inputOutput(errno: ETIMEDOUT) }
  }
}
