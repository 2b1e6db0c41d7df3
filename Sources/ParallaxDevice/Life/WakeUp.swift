import CLibIIO
import Glibc

/// Makes a descriptor readable from another thread (eventfd(2)).
struct WakeUp: ~Copyable, Sendable {
  /// Readable from `signal()` to `clear()`.
  let descriptor: Int32

  init() throws(IIOError) {
    descriptor = parallax_eventfd()
    guard descriptor >= 0 else { throw .last("making an eventfd") }
  }

  deinit {
    close(descriptor)
  }

  /// From any thread.
  borrowing func signal() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, 8)
  }

  borrowing func clear() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
  }

  /// Waits for a signal, and takes it.
  ///
  /// - Parameter nanoseconds: at most so long; nil: for ever.
  borrowing func wait(atMostNanoseconds nanoseconds: Int64?) {
    parallax_wait_readable(descriptor, nanoseconds.map { max(0, $0) } ?? -1)
    clear()
  }
}
