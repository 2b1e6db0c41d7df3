import Glibc
import Synchronization

/// Waiting for something that may block for ever, as a driver may, and only so long.
enum Patience {
  /// Does `work` in a thread of its own.
  ///
  /// - Returns: nil where it was not ready in time. The thread is then left behind: it cannot be
  ///   ended, and goes with the process.
  static func wait<Value: Sendable>(
    seconds: Int, for work: @escaping @Sendable () -> Value
  ) -> Value? {
    let attempt = Attempt(work)
    // Both sides hold it: whoever is left behind must not find it gone.
    let retained = Unmanaged.passRetained(attempt)
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument {
          Unmanaged<AnyAttempt>.fromOpaque(argument).takeRetainedValue().run()
        }
        return nil
      }, retained.toOpaque())
    guard code == 0 else {
      retained.release()
      // No thread is to be had: then without patience.
      return work()
    }
    pthread_detach(thread)
    attempt.done.wait(seconds: seconds)
    return attempt.result.withLock { $0 }
  }
}

private class AnyAttempt {
  func run() {}
}

// What both threads touch is in a Mutex or is a semaphore; `work` is Sendable.
private final class Attempt<Value: Sendable>: AnyAttempt, @unchecked Sendable {
  let result = Mutex<Value?>(nil)
  let done = ReadySignal()
  private let work: @Sendable () -> Value

  init(_ work: @escaping @Sendable () -> Value) {
    self.work = work
  }

  override func run() {
    let value = work()
    result.withLock { $0 = value }
    done.signal()
  }
}

/// A pipe that holds a byte once somebody is ready.
private final class ReadySignal: Sendable {
  private let reader: Int32
  private let writer: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    // Nothing is executed while it is open.
    _ = pipe(&ends)
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    close(reader)
    close(writer)
  }

  func signal() {
    var byte: UInt8 = 1
    _ = write(writer, &byte, 1)
  }

  func wait(seconds: Int) {
    var entry = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
    _ = poll(&entry, 1, Int32(seconds * 1000))
  }
}
