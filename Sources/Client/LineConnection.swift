// SPDX-License-Identifier: Apache-2.0

package import Glibc
package import ParallaxBase

/// The connection of a client to one of the daemon's sockets, used from one thread. No call waits, except
/// `wait` and those that say so.
///
/// What has happened is taken with `next`, until there is nothing more; then the user waits for `descriptor`
/// and `deadline`, by `wait` or in a loop of its own.
package struct LineConnection: ~Copyable {
  package enum Event: Equatable {
    /// An attempt begins.
    case connecting
    case connected
    /// A line without its line feed.
    case line(ArraySlice<UInt8>)
    /// The connection has ended or could not be made; another attempt follows.
    case lost(ParallaxError)
    /// The same, and no event follows; nil: it was closed on this side.
    case ended(ParallaxError?)
  }

  private let paths: [String]
  private var machine: ConnectionStateMachine
  private var socket: UnixStream?
  private let buffer: UnsafeMutableRawBufferPointer
  /// The tag of the last request; see `send(_ request: ControlRequest)`.
  var lastTag: Int64 = 0
  /// The path of the socket that answered.
  package private(set) var path = ""

  /// Creates a connection that the first `next` makes.
  ///
  /// - Parameters:
  ///   - paths: The sockets to try, in this order.
  ///   - policy: What follows the end of a connection, or an attempt that failed.
  package init(to paths: [String], policy: ReconnectionPolicy = .never) {
    self.paths = paths
    machine = ConnectionStateMachine(policy: policy)
    buffer = .allocate(byteCount: 16_384, alignment: 1)
  }

  /// Connects to the first of the paths on which a daemon listens.
  package init(
    toFirstOf paths: [String], policy: ReconnectionPolicy = .never
  ) throws(ParallaxError) {
    self.init(to: paths, policy: policy)
    try connect()
  }

  deinit {
    buffer.deallocate()
  }

  package var isConnected: Bool { machine.isConnected }

  /// The socket, for poll(), which ignores -1: there is none.
  package var descriptor: Int32 {
    switch socket {
    case .some(let socket): machine.isConnected ? socket.descriptor.raw : -1
    case nil: -1
    }
  }

  /// Whether bytes wait until the descriptor is writable.
  package var hasOutput: Bool { !machine.output.isEmpty }

  /// When to call `next` even if the descriptor is not ready; nil: not until it is.
  package var deadline: MotionInstant? { machine.deadline }

  /// Returns what has happened; nil if nothing has.
  package mutating func next(at now: MotionInstant = .now) -> Event? {
    // Only now, so that an event loop has removed the descriptor.
    if !machine.isConnected { socket = nil }
    while true {
      switch machine.next(at: now) {
      case .report(let event): return event
      case .wait: return nil
      case .connect: return open(at: now)
      case .lose(let error): return drop(error, at: now)
      case .read:
        flush()
        switch socket?.receive(into: buffer) {
        case .received(let count):
          machine.received(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        case .wouldBlock: return nil
        case .endOfInput, .closed, nil: return drop(.closed, at: now)
        case .failed(let error): return drop(.inputOutput(errno: error.number), at: now)
        }
      }
    }
  }

  /// Sends bytes as soon as the daemon takes them. If it does not, `next` reports why, after the lines that
  /// it sent before.
  package mutating func send(_ bytes: [UInt8]) {
    machine.send(bytes)
    flush()
  }

  /// Ends the connection because of an error on this side.
  package mutating func drop(_ error: ParallaxError, at now: MotionInstant) -> Event {
    machine.lost(error, at: now, random: .random(in: 0..<1))
  }

  /// Leaves the daemon, and connects again at an instant; nil: never.
  package mutating func leave(until instant: MotionInstant?) { machine.leave(until: instant) }

  private mutating func open(at now: MotionInstant) -> Event {
    var attempts: [ParallaxError.Attempt] = []
    for path in paths {
      do throws(SystemError) {
        socket = try UnixStream.connect(to: path)
        self.path = path
        return machine.connected(at: now)
      } catch {
        // `connect` reports ENAMETOOLONG for an empty path, which would mislead; the kernel reports
        // ECONNREFUSED.
        attempts.append(.init(path: path, errno: path.isEmpty ? ECONNREFUSED : error.number))
      }
    }
    return drop(.noDaemon(attempts: attempts), at: now)
  }

  private mutating func flush() {
    while hasOutput, case .sent(let count)? = socket?.send(machine.output.span.bytes) {
      machine.sent(count)
    }
  }
}

// MARK: - Waiting

extension LineConnection {
  /// Waits for the connection, other descriptors or an instant.
  ///
  /// - Parameter others: Further descriptors to wait for, as for poll(), which sets their `revents`.
  package borrowing func wait(with others: inout [pollfd], until instant: MotionInstant? = nil) {
    let events = hasOutput ? POLLIN | POLLOUT : POLLIN
    var entries = [pollfd(fd: descriptor, events: Int16(events), revents: 0)] + others
    // Rounded up, so that the instant has come when this returns.
    let milliseconds = MotionInstant.earlier(instant, deadline).map {
      Int32(
        clamping: max(0, ((max($0, .zero) - MotionInstant.now).nanoseconds + 999_999) / 1_000_000))
    }
    _ = poll(&entries, nfds_t(entries.count), milliseconds ?? -1)
    others = Array(entries.dropFirst())
  }

  /// Waits for the connection, another descriptor or an instant.
  package borrowing func wait(with other: inout pollfd, until instant: MotionInstant? = nil) {
    var others = [other]
    wait(with: &others, until: instant)
    other = others[0]
  }

  /// Waits for the connection or an instant.
  package borrowing func wait(until instant: MotionInstant? = nil) {
    var none: [pollfd] = []
    wait(with: &none, until: instant)
  }

  /// Makes the first connection.
  package mutating func connect() throws(ParallaxError) {
    while let event = next() {
      switch event {
      case .connected: return
      case .lost(let error), .ended(let error?): throw error
      case .connecting, .line, .ended(nil): continue
      }
    }
  }

  /// Waits for the next line and returns it without its line feed; nil when the daemon has ended the
  /// connection.
  ///
  /// - Throws: `inputOutput` with ETIMEDOUT at `instant`.
  package mutating func readLine(
    until instant: MotionInstant? = nil
  ) throws(ParallaxError) -> ArraySlice<UInt8>? {
    while true {
      switch next() {
      case .line(let line)?: return line
      case .lost(.closed)?, .ended(.closed?)?, .ended(nil)?: return nil
      case .lost(let error)?, .ended(let error?)?: throw error
      case .connecting?, .connected?: continue
      case nil:
        guard isConnected else { return nil }
        if let instant, instant <= .now { throw .inputOutput(errno: ETIMEDOUT) }
        wait(until: instant)
      }
    }
  }
}
