import Glibc
import Synchronization

/// Runs a list of independent jobs on all cores.
enum WorkerThreads {
  /// Calls `body` once for each index, on as many threads as there are cores and jobs, and returns
  /// when all have returned. Jobs are begun in order.
  static func run(jobs: Int, body: @escaping @Sendable (Int) -> Void) {
    let queue = JobQueue(count: jobs, body: body)
    let threads = (1..<max(1, min(jobs, coreCount))).compactMap { _ in start(queue) }
    // This thread works too, so that a machine that gives no more threads still does the work.
    queue.work()
    for thread in threads { pthread_join(thread, nil) }
  }

  private static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  private static func start(_ queue: JobQueue) -> pthread_t? {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(queue).toOpaque()
    let code = pthread_create(&thread, nil, workerMain, context)
    guard code == 0 else {
      Unmanaged<JobQueue>.fromOpaque(context).release()
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

private func workerMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<JobQueue>.fromOpaque(context).takeRetainedValue().work()
  return nil
}
