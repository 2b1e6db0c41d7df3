// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase

/// A descriptor that takes lines and never blocks.
///
/// Standard error may be shared with other programs, such as a shell. O_NONBLOCK belongs to the shared
/// open file and is therefore never set on it. Instead, a socket is asked per call, and a pipe or a
/// terminal is opened once more. If that is refused, because another user owns it, a line is written
/// only when poll(2) reports room; it could then block only if another program fills the pipe in
/// between.
struct LogOutput: ~Copyable {
  private enum Kind {
    /// A file or a device that takes every write at once.
    case ready
    case socket
    /// An open file of its own, non-blocking.
    case nonblocking
    /// A shared pipe or terminal.
    case shared
  }

  private let kind: Kind
  private let descriptor: Int32
  /// The open file of its own, whose number `descriptor` is.
  private let own: FileDescriptor?
  /// The rest of a line of which the descriptor has taken only a part.
  private var rest: [UInt8] = []

  /// - Parameter descriptor: Must stay open.
  init(_ descriptor: Int32) {
    var status = stat()
    let type = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
    let canFill = type == S_IFIFO || type == S_IFCHR && isatty(descriptor) == 1
    if canFill,
      let own = try? FileDescriptor.open(
        "/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY)
    {
      kind = .nonblocking
      self.descriptor = own.raw
      self.own = consume own
    } else {
      kind = type == S_IFSOCK ? .socket : canFill ? .shared : .ready
      self.descriptor = descriptor
      own = nil
    }
  }

  /// Writes one line in one call, so that the lines of two programs do not mix.
  ///
  /// - Parameters:
  ///   - line: At most PIPE_BUF bytes, which a pipe takes as a whole.
  ///   - milliseconds: How long to wait for room.
  /// - Returns: Whether the line has been taken.
  mutating func write(_ line: [UInt8], waiting milliseconds: Int32 = 0) -> Bool {
    if !rest.isEmpty {
      rest.removeFirst(take(rest, waiting: milliseconds))
      guard rest.isEmpty else { return false }
    }
    let count = take(line, waiting: milliseconds)
    guard count > 0 else { return false }
    rest = Array(line[count...])
    return true
  }

  /// Returns the number of bytes that the descriptor has taken.
  private borrowing func take(_ bytes: [UInt8], waiting milliseconds: Int32) -> Int {
    var hasWaited = false
    while true {
      let isReady = kind != .shared || waitForRoom(0)
      let count = isReady ? send(bytes) : -1
      if count >= 0 { return count }
      if isReady && errno == EINTR { continue }
      guard milliseconds > 0, !hasWaited, !isReady || errno == EAGAIN else { return 0 }
      hasWaited = true
      guard waitForRoom(milliseconds) else { return 0 }
    }
  }

  private borrowing func send(_ bytes: [UInt8]) -> Int {
    switch kind {
    case .socket: NonblockingSend.send(bytes, to: descriptor)
    case .ready, .nonblocking, .shared: Glibc.write(descriptor, bytes, bytes.count)
    }
  }

  private borrowing func waitForRoom(_ milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&request, 1, milliseconds) > 0
  }
}
