// SPDX-License-Identifier: Apache-2.0

import ParallaxDaemon

/// Does no job before a test asks for it.
final class HeldDocumentWorker: DocumentWorker {
  private var jobs: [() -> Void] = []
  /// The number of jobs that were done.
  private(set) var done = 0
  /// Whether it accepts jobs.
  var isOpen = true

  func run<Value: Sendable>(
    for waiter: (any DocumentWaiter)?, _ job: @escaping @Sendable () -> Value,
    reply: @escaping (Value) -> Void
  ) -> Bool {
    guard isOpen else { return false }
    waiter?.pause()
    jobs.append { [weak self] in
      if !(waiter?.isGone ?? false) {
        self?.done += 1
        reply(job())
      }
      waiter?.resume()
    }
    return true
  }

  /// Does the jobs, and those that follow from them.
  func work() {
    while !jobs.isEmpty { jobs.removeFirst()() }
  }
}
