// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Synchronization

/// Runs work on threads, one per processor at most. They end when there is no work: at rest there is none.
final class WorkerPool: Sendable {
  /// Readable after a job has ended.
  let descriptor: Int32

  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var threads = 0
  }

  private let state = Mutex(State())
  private let maxThreads = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  init() {
    descriptor = clinux_counter()
  }

  /// Starts a job of some pieces.
  ///
  /// - Parameter body: Does the piece of that number, on any thread.
  func start<Output: Sendable>(
    pieces: Int, body: @escaping @Sendable (Int) -> Output
  ) -> BackgroundJob<Output> {
    let job = BackgroundJob(pieces: pieces, body: body)
    let missing = state.withLock { state in
      for piece in 0..<pieces {
        state.waiting.append { [descriptor] in if job.run(piece) { clinux_raise(descriptor) } }
      }
      let missing = max(0, min(maxThreads, state.waiting.count) - state.threads)
      state.threads += missing
      return missing
    }
    for _ in 0..<missing where !startThread() {
      // The system has no thread left: this one does it.
      work()
    }
    if pieces == 0 { clinux_raise(descriptor) }
    return job
  }

  /// Makes the descriptor readable after the next job only.
  func clear() { clinux_lower(descriptor) }

  private func startThread() -> Bool {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    let error = pthread_create(
      &thread, nil,
      { context in
        context.map { Unmanaged<WorkerPool>.fromOpaque($0).takeRetainedValue().work() }
        return nil
      }, context.toOpaque())
    guard error == 0 else {
      context.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  private func work() {
    while let piece = next() { piece() }
    if state.withLock({ $0.threads == 0 }) { clinux_give_back_memory() }
  }

  /// Returns a piece; nil ends the thread.
  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.threads -= 1
      return nil
    }
  }
}

/// Work in several pieces, each with a result.
final class BackgroundJob<Output: Sendable>: Sendable {
  private struct State {
    var outputs: [Output?]
    var isCancelled = false
  }

  private let state: Mutex<State>
  private let body: @Sendable (Int) -> Output

  fileprivate init(pieces: Int, body: @escaping @Sendable (Int) -> Output) {
    state = Mutex(State(outputs: Array(repeating: nil, count: pieces)))
    self.body = body
  }

  /// The results of all pieces, in their order; nil before the last one has ended.
  var outputs: [Output]? {
    state.withLock { state in
      let outputs = state.outputs.compactMap(\.self)
      return outputs.count == state.outputs.count ? outputs : nil
    }
  }

  /// Drops the pieces that have not begun, and all results.
  func cancel() {
    let outputs = state.withLock { state in
      state.isCancelled = true
      defer { state.outputs = state.outputs.map { _ in nil } }
      return state.outputs
    }
    _ = consume outputs
  }

  /// Returns whether the job has ended.
  fileprivate func run(_ piece: Int) -> Bool {
    guard !state.withLock({ $0.isCancelled }) else { return false }
    let output = body(piece)
    return state.withLock { state in
      guard !state.isCancelled else { return false }
      state.outputs[piece] = output
      return state.outputs.allSatisfy { $0 != nil }
    }
  }
}
