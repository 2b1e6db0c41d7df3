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
  /// - Throws: `SystemError` if the system has no thread left; `body` then does not run.
  package static func start(
    stackBytes: Int? = nil, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    if let stackBytes { pthread_attr_setstacksize(&attributes, stackBytes) }
    let box = Unmanaged.passRetained(ThreadBody(body))
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
        Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, box.toOpaque())
    guard code == 0 else {
      box.release()
      throw SystemError(number: code, call: "pthread_create")
    }
  }
}

private final class ThreadBody: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}
