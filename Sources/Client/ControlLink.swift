// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxProtocol
import Synchronization

/// Requests of several tasks over one connection to the control socket, and the events of an animation
/// between their answers.
final class ControlLink: Sendable {
  typealias Failure = RequestFailure
  fileprivate typealias Waiter = CheckedContinuation<Result<AckMessage, Failure>, Never>

  private struct State {
    /// Those who wait for an answer, by its tag.
    var waiters: [Int64: Waiter] = [:]
    var lastTag: Int64 = 0
    /// The tag of the scrub that is under way.
    var scrubTag: Int64?
    /// The newest scrub after that.
    var nextScrub: ControlRequest?
    /// Why the connection has ended; nil while it has not.
    var end: ParallaxError?
  }

  private let state = Mutex(State())
  private let events: AsyncStream<AnimationMessage>.Continuation
  private let thread: ConnectionThread

  /// Connects to the first of the paths on which a daemon listens. If there is none, the first request
  /// throws.
  init(
    toFirstOf paths: [String], events: AsyncStream<AnimationMessage>.Continuation
  ) throws(ParallaxError) {
    self.events = events
    thread = try ConnectionThread(LineConnection(to: paths))
    // The thread keeps the link alive until it ends.
    try thread.start { self.handle($0) }
  }

  /// Sends a request and waits for its ACK.
  func ask(_ request: ControlRequest) async throws(Failure) -> AckMessage {
    let result = await withCheckedContinuation { (waiter: Waiter) in
      let end = state.withLock { state -> ParallaxError? in
        if let end = state.end { return end }
        state.waiters[send(request, &state)] = waiter
        return nil
      }
      if let end { waiter.resume(returning: .failure(.connection(end))) }
    }
    return try result.get()
  }

  /// Sends a request whose answer no one waits for. While one is under way, only the newest is kept.
  func scrub(_ request: ControlRequest) {
    state.withLock { state in
      if state.scrubTag != nil {
        state.nextScrub = request
      } else {
        state.scrubTag = send(request, &state)
      }
    }
  }

  func close() { thread.close() }

  /// Returns the tag of the request.
  private func send(_ request: ControlRequest, _ state: inout State) -> Int64 {
    state.lastTag += 1
    thread.send(request.line(tag: .integer(state.lastTag)))
    return state.lastTag
  }

  // MARK: - Thread

  private func handle(_ event: LineConnection.Event) {
    switch event {
    case .line(let line): ControlAnswer(line: line).map(deliver)
    case .lost(let error), .ended(let error?): finish(error)
    case .ended(nil): finish(.closed)
    case .connecting, .connected: break
    }
  }

  private func deliver(_ answer: ControlAnswer) {
    switch answer {
    case .ack(let ack, .integer(let tag)?): resume(tag, .success(ack))
    case .error(let error, .integer(let tag)?): resume(tag, .failure(.refused(error)))
    // The daemon ends the connection, and says why.
    case .error(let error, _): resumeAll(.refused(error))
    case .animation(let message, _):
      events.yield(message)
      switch message.event {
      case .completed, .cancelled, .failed: events.finish()
      case .started, .step, .changed, .partStarted, .partCompleted: break
      }
    case .ack, .status, .sample, .device, .gate, .wanted: break
    }
  }

  private func resume(_ tag: Int64, _ result: Result<AckMessage, Failure>) {
    let waiter = state.withLock { state -> Waiter? in
      if state.scrubTag == tag {
        state.scrubTag = state.nextScrub.map { send($0, &state) }
        state.nextScrub = nil
      }
      return state.waiters.removeValue(forKey: tag)
    }
    waiter?.resume(returning: result)
  }

  private func finish(_ error: ParallaxError) {
    resumeAll(.connection(error), end: error)
    events.finish()
  }

  private func resumeAll(_ failure: Failure, end: ParallaxError? = nil) {
    let waiters = state.withLock { state in
      state.end = state.end ?? end
      defer { state.waiters = [:] }
      return state.waiters.values
    }
    for waiter in waiters { waiter.resume(returning: .failure(failure)) }
  }
}
