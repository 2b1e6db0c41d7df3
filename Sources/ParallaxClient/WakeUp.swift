import Glibc

/// Ends a poll() of one thread from another: a pair of sockets, one written to, one read empty.
struct WakeUp: ~Copyable, Sendable {
  private let output: OwnedDescriptor
  private let input: OwnedDescriptor
  /// 0, or why the system gave no sockets; then nothing can be woken.
  let failure: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    // Swift's Glibc has neither eventfd nor pipe2.
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    failure = socketpair(AF_UNIX, kind, 0, &ends) == 0 ? 0 : errno
    output = OwnedDescriptor(owning: ends[0])
    input = OwnedDescriptor(owning: ends[1])
  }

  /// Readable from `signal()` to `clear()`; for poll().
  var raw: Int32 { output.raw }

  /// From any thread. Where it is full already, it wakes as well.
  borrowing func signal() {
    var byte: UInt8 = 0
    _ = send(input.raw, &byte, 1, Int32(MSG_NOSIGNAL))
  }

  borrowing func clear() {
    var bytes: UInt64 = 0
    while read(output.raw, &bytes, 8) == 8 {}
  }
}
