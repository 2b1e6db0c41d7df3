import CSystemd
import Glibc
import ParallaxSystem
import Testing

/// SOCK_CLOEXEC, which has the value of O_CLOEXEC on Linux.
let closeOnExec = O_CLOEXEC

/// A pipe whose ends close with it.
final class Pipe {
  let reading: FileDescriptor
  let writing: FileDescriptor

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends { try #require(parallax_set_nonblocking_cloexec(end) == 0) }
    reading = FileDescriptor(owning: ends[0])
    writing = FileDescriptor(owning: ends[1])
  }

  func write(_ text: String) {
    _ = Glibc.write(writing.raw, text, text.utf8.count)
  }

  @discardableResult
  func readAll() -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(reading.raw, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }

  /// Writes until the kernel takes no more.
  func fill() {
    let block = [UInt8](repeating: 0, count: 4096)
    while Glibc.write(writing.raw, block, block.count) > 0 {}
  }
}

/// Two connected descriptors, to be closed one by one.
final class Ends {
  var mine: FileDescriptor?
  var theirs: FileDescriptor?

  init() throws {
    var first: Int32 = -1
    var second: Int32 = -1
    try #require(parallax_unix_socketpair(&first, &second) == 0)
    mine = FileDescriptor(owning: first)
    theirs = FileDescriptor(owning: second)
  }

  func takeMine() throws -> FileDescriptor {
    guard let taken = mine.take() else { throw SystemError(number: EBADF, call: "takeMine") }
    return taken
  }

  func takeTheirs() throws -> FileDescriptor {
    guard let taken = theirs.take() else { throw SystemError(number: EBADF, call: "takeTheirs") }
    return taken
  }
}

/// Runs the closures side by side, each on a thread of its own, and waits for all.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  final class Job: Sendable {
    let index: Int
    let body: @Sendable (Int) -> Void
    init(_ index: Int, _ body: @escaping @Sendable (Int) -> Void) {
      self.index = index
      self.body = body
    }
  }
  let threads = (0..<count).map { index in
    var thread = pthread_t()
    let job = Unmanaged.passRetained(Job(index, body)).toOpaque()
    let result = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let job = Unmanaged<Job>.fromOpaque(argument).takeRetainedValue()
        job.body(job.index)
        return nil
      }, job)
    #expect(result == 0)
    return thread
  }
  for thread in threads { pthread_join(thread, nil) }
}

extension UnixStream {
  /// Everything that is there now, as text.
  borrowing func readText() -> String {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let result = buffer.withUnsafeMutableBytes { receive(into: $0) }
    guard case .received(let count) = result else { return "" }
    return String(decoding: buffer.prefix(count), as: UTF8.self)
  }

  /// Waits until there is something, an end included. A descriptor that a test has closed may live
  /// on for a moment in a program that another test is just starting.
  borrowing func receiveWaiting() -> ReceiveResult {
    var request = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
    _ = poll(&request, 1, 30_000)
    return receiveOnce()
  }

  borrowing func receiveOnce() -> ReceiveResult {
    var buffer = [UInt8](repeating: 0, count: 16)
    return buffer.withUnsafeMutableBytes { receive(into: $0) }
  }
}
