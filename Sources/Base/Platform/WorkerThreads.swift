// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// Runs jobs on several threads.
package enum WorkerThreads {
  /// Calls `body` once for each index below `jobs`, on at most that many threads; returns when all calls have
  /// returned. Jobs start in order.
  ///
  /// - Parameter threads: With the caller's. Default: as many as there are cores.
  package static func run(
    jobs: Int, threads: Int = coreCount, body: @escaping @Sendable (Int) -> Void
  ) {
    let queue = JobQueue(count: jobs, body: body)
    let threads = (1..<max(1, min(jobs, threads))).compactMap { _ in start(queue) }
    // The caller's thread works too: the jobs are done even if no thread can be created.
    queue.work()
    for thread in threads { pthread_join(thread, nil) }
  }

  package static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  private static func start(_ queue: JobQueue) -> pthread_t? {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(queue)
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<JobQueue>.fromOpaque(context).takeRetainedValue().work()
        return nil
      }, context.toOpaque())
    guard code == 0 else {
      context.release()
      return nil
    }
    return thread
  }
}

private final class JobQueue: Sendable {
  private let next = Atomic(0)
  private let count: Int
  private let body: @Sendable (Int) -> Void

  init(count: Int, body: @escaping @Sendable (Int) -> Void) {
    self.count = count
    self.body = body
  }

  func work() {
    while true {
      let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard index < count else { return }
      body(index)
    }
  }
}
