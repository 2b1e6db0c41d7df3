// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Threads that no one joins, by pthread_create(3).
package enum DetachedThread {
  /// Runs `body` on a new thread, which ends when `body` returns.
  ///
  /// The thread receives no signals: the program handles them on its own threads. It inherits that
  /// mask, because a thread that sets it could receive a signal before.
  ///
  /// - Parameter stackBytes: The size of its stack; nil means the system's default, usually 8 MiB.
  /// - Parameter niceness: How much it yields to the program's other threads, 0 to 19. On Linux
  ///   each thread has its own; see setpriority(2). Where a sandbox forbids it, the thread runs without.
  /// - Throws: `SystemError` if the system has no thread left; `body` then does not run.
  package static func start(
    stackBytes: Int? = nil, niceness: Int32 = 0, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    if let stackBytes { pthread_attr_setstacksize(&attributes, stackBytes) }
    let box = Unmanaged.passRetained(ThreadBody(niceness: niceness, body))
    var thread = pthread_t()
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    let code = pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    guard code == 0 else {
      box.release()
      throw SystemError(number: code, call: "pthread_create")
    }
  }
}

private final class ThreadBody: Sendable {
  private let niceness: Int32
  private let body: @Sendable () -> Void

  init(niceness: Int32, _ body: @escaping @Sendable () -> Void) {
    self.niceness = niceness
    self.body = body
  }

  func run() {
    // 0 is the calling thread.
    let process = __priority_which_t(PRIO_PROCESS.rawValue)
    if niceness > 0 { setpriority(process, 0, getpriority(process, 0) + niceness) }
    body()
  }
}
