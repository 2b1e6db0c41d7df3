// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Glibc
package import ParallaxBase

/// A pipe. Neither end blocks; both close with it.
package final class Pipe {
  package let reading: FileDescriptor
  package let writing: FileDescriptor

  package init() throws(TestSupportError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .system("pipe") }
    reading = FileDescriptor(owning: ends[0])
    writing = FileDescriptor(owning: ends[1])
    for end in ends where parallax_set_nonblocking_cloexec(end) != 0 { throw .system("fcntl") }
  }

  package func write(_ text: String) {
    _ = Glibc.write(writing.raw, text, text.utf8.count)
  }

  /// Returns the bytes in the pipe as text, at most 4096 of them.
  @discardableResult
  package func readAll() -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(reading.raw, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }

  /// Writes until the pipe is full.
  package func fill() {
    let block = [UInt8](repeating: 0, count: 4096)
    while Glibc.write(writing.raw, block, block.count) > 0 {}
  }
}

/// Two connected stream sockets that close one by one.
package final class SocketEnds {
  package var mine: FileDescriptor?
  package var theirs: FileDescriptor?

  package init() throws(TestSupportError) {
    var first: Int32 = -1
    var second: Int32 = -1
    guard parallax_unix_socketpair(&first, &second) == 0 else { throw .system("socketpair") }
    mine = FileDescriptor(owning: first)
    theirs = FileDescriptor(owning: second)
  }

  package func takeMine() throws(TestSupportError) -> FileDescriptor {
    guard let taken = mine.take() else { throw TestSupportError("this end was taken before") }
    return taken
  }

  package func takeTheirs() throws(TestSupportError) -> FileDescriptor {
    guard let taken = theirs.take() else { throw TestSupportError("this end was taken before") }
    return taken
  }
}

extension UnixStream {
  /// Returns the bytes that have arrived, as text.
  package borrowing func readText() -> String {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let result = buffer.withUnsafeMutableBytes { receive(into: $0) }
    guard case .received(let count) = result else { return "" }
    return String(decoding: buffer.prefix(count), as: UTF8.self)
  }

  /// Waits for bytes or the end of the input. A descriptor that a test has closed may stay open for a
  /// moment in a program that another test is starting.
  package borrowing func receiveWaiting() -> ReceiveResult {
    var request = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
    _ = poll(&request, 1, 30_000)
    return receiveOnce()
  }

  package borrowing func receiveOnce() -> ReceiveResult {
    var buffer = [UInt8](repeating: 0, count: 16)
    return buffer.withUnsafeMutableBytes { receive(into: $0) }
  }

  /// Ends this side's output: the peer reads the bytes already sent, then the end of the input.
  package borrowing func endOutput() {
    _ = shutdown(descriptor.raw, Int32(SHUT_WR))
  }
}

/// A socket of the test's own that is not connected, close-on-exec.
///
/// - Parameter type: as `SOCK_STREAM`.
package func unixSocket(_ type: Int32) throws(TestSupportError) -> FileDescriptor {
  let raw = socket(AF_UNIX, type | Int32(SOCK_CLOEXEC.rawValue), 0)
  guard raw >= 0 else { throw .system("socket") }
  return FileDescriptor(owning: raw)
}

package func bindSocket(_ descriptor: Int32, to path: String) throws(TestSupportError) {
  guard parallax_unix_bind(descriptor, path) == 0 else { throw .system("bind \(path)") }
}

/// Leaves a socket file on which no program listens, as a killed daemon does.
package func leaveStaleSocket(at path: String) throws(TestSupportError) {
  let socket = try unixSocket(Int32(SOCK_STREAM.rawValue))
  try bindSocket(socket.raw, to: path)
  guard listen(socket.raw, 5) == 0 else { throw .system("listen at \(path)") }
  socket.close()
  // A program that another test is starting may hold the socket for a moment longer.
  while (try? UnixStream.connect(to: path)) != nil { sched_yield() }
}

/// A value that a handler reaches without keeping it alive.
package final class Holder<Value> {
  package var value: Value?
  package var count = 0

  package init() {}
}

/// Keeps a value that must not be used on another thread while other threads run.
// Unchecked: one thread creates the value and ends; then another releases it without using it.
package struct Kept<Value: ~Copyable>: @unchecked Sendable {
  private final class Box {
    let value: Value
    init(_ value: consuming Value) { self.value = value }
  }
  private let box: Box

  package init(_ value: consuming Value) { box = Box(value) }
}

/// Calls `body` with 0..<count, each on its own thread, and waits for all calls.
package func onThreads(
  _ count: Int, _ body: @escaping @Sendable (Int) -> Void
) throws(TestSupportError) {
  final class Job: Sendable {
    let index: Int
    let body: @Sendable (Int) -> Void
    init(_ index: Int, _ body: @escaping @Sendable (Int) -> Void) {
      self.index = index
      self.body = body
    }
  }
  var threads: [pthread_t] = []
  var code: Int32 = 0
  for index in 0..<count where code == 0 {
    var thread = pthread_t()
    let job = Unmanaged.passRetained(Job(index, body))
    code = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let job = Unmanaged<Job>.fromOpaque(argument).takeRetainedValue()
        job.body(job.index)
        return nil
      }, job.toOpaque())
    if code == 0 { threads.append(thread) } else { job.release() }
  }
  for thread in threads { pthread_join(thread, nil) }
  if code != 0 { throw .system("pthread_create", code) }
}
