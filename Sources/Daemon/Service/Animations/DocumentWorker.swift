// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
import Synchronization

/// A client that waits for a job of a `DocumentWorker`.
package protocol DocumentWaiter: AnyObject {
  /// Whether the result is no longer needed.
  var isGone: Bool { get }
  /// Called before a job, so that requests that follow it wait for its answer.
  func pause()
  /// Called after a job's reply, or instead of it.
  func resume()
}

/// Does what takes too long for the loop: finding and reading documents.
package protocol DocumentWorker: AnyObject {
  /// Does a job, after those before it.
  ///
  /// - Parameters:
  ///   - waiter: If it is gone before the job begins, the job is not done.
  ///   - job: May run on another thread.
  ///   - reply: Called on the loop's thread, before this returns or later.
  /// - Returns: false if too many jobs wait; nothing is called then.
  func run<Value: Sendable>(
    for waiter: (any DocumentWaiter)?, _ job: @escaping @Sendable () -> Value,
    reply: @escaping (Value) -> Void
  ) -> Bool
}

/// Does each job at once, for programs without a loop.
package final class ImmediateDocumentWorker: DocumentWorker {
  package init() {}

  package func run<Value: Sendable>(
    for waiter: (any DocumentWaiter)?, _ job: @escaping @Sendable () -> Value,
    reply: @escaping (Value) -> Void
  ) -> Bool {
    reply(job())
    return true
  }
}

/// Does one job at a time, each on a thread that ends with it: without jobs there is no thread.
package final class ThreadedDocumentWorker: DocumentWorker {
  /// Each client waits for its job before it sends the next one.
  package static let maxWaiting = 32

  private struct Job {
    let waiter: (any DocumentWaiter)?
    let work: @Sendable () -> Void
    let finish: () -> Void
  }

  /// The result of a job.
  private final class Outcome<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }

  /// Readable when the job is done.
  private final class Signal: Sendable {
    let wakeUp: WakeUp

    init() throws(SystemError) { wakeUp = try WakeUp() }
  }

  private let signal: Signal
  private var watch: AnyObject?
  private var waiting: [Job] = []
  private var current: Job?

  /// - Parameter follow: Calls the handler on the loop's thread whenever the descriptor is readable, as
  ///   long as the result is held.
  package init(
    follow: (Int32, @escaping () -> Void) throws(SystemError) -> AnyObject
  ) throws(SystemError) {
    signal = try Signal()
    watch = try follow(signal.wakeUp.descriptor) { [weak self] in self?.jobIsDone() }
  }

  package func run<Value: Sendable>(
    for waiter: (any DocumentWaiter)?, _ job: @escaping @Sendable () -> Value,
    reply: @escaping (Value) -> Void
  ) -> Bool {
    guard waiting.count < Self.maxWaiting else { return false }
    waiter?.pause()
    let outcome = Outcome<Value>()
    waiting.append(
      Job(
        waiter: waiter,
        work: {
          let value = job()
          outcome.value.withLock { $0 = value }
        },
        finish: {
          if let value = outcome.value.withLock({ $0 }) { reply(value) }
        }))
    startNext()
    return true
  }

  private func startNext() {
    while current == nil, !waiting.isEmpty {
      let job = waiting.removeFirst()
      if job.waiter?.isGone ?? false {
        job.waiter?.resume()
        continue
      }
      current = job
      let (work, signal) = (job.work, signal)
      do throws(SystemError) {
        try DetachedThread.start(niceness: 10) {
          work()
          signal.wakeUp.signal()
        }
      } catch {
        // The system has no thread left.
        work()
        signal.wakeUp.signal()
      }
    }
  }

  private func jobIsDone() {
    signal.wakeUp.clear()
    guard let job = current else { return }
    current = nil
    job.finish()
    job.waiter?.resume()
    startNext()
  }
}
