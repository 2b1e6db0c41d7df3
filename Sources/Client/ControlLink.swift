// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
package import ParallaxProtocol
import Synchronization

/// An answer on the control socket, and its line.
package struct ControlReply: Sendable {
  package let answer: ControlAnswer
  /// Without the line feed.
  package let line: ArraySlice<UInt8>
}

/// Requests of several tasks and threads over one connection to the control socket, and the events of an
/// animation between their answers.
final class ControlLink: Sendable {
  typealias Reply = Result<ControlReply, RequestFailure>
  typealias Completion = @Sendable (Reply) -> Void

  private struct State {
    /// Those who wait for an answer, by its tag.
    var waiters: [Int64: Completion] = [:]
    var lastTag: Int64 = 0
    /// The tag of the scrub that is under way.
    var scrubTag: Int64?
    /// The newest scrub after that.
    var nextScrub: ControlRequest?
    /// Why the daemon ends the connection.
    var refusal: ErrorMessage?
    /// Why the connection has ended; nil while it has not.
    var end: RequestFailure?
  }

  /// The path of the socket that answered.
  let path: String
  private let state = Mutex(State())
  private let events: AsyncStream<AnimationMessage>.Continuation?
  private let thread: ConnectionThread

  /// Connects to the first of the paths on which a daemon listens.
  ///
  /// - Parameter events: Receives the ANIMATION lines, and ends with an animation or the connection.
  init(
    toFirstOf paths: [String], events: AsyncStream<AnimationMessage>.Continuation? = nil
  ) throws(ParallaxError) {
    self.events = events
    let connection = try LineConnection(toFirstOf: paths)
    path = connection.path
    thread = try ConnectionThread(connection)
    // The thread keeps the link alive until it ends.
    try thread.start { self.handle($0) }
  }

  // MARK: - Requests

  /// Sends a request. Its answer, which is not an ERROR, or the reason why there is none goes to `completion`,
  /// once, on the thread of the connection or on this one.
  func send(_ request: ControlRequest, _ completion: @escaping Completion) {
    let end = state.withLock { state -> RequestFailure? in
      if let end = state.end { return end }
      state.waiters[send(request, &state)] = completion
      return nil
    }
    if let end { completion(.failure(end)) }
  }

  /// Sends a request and waits for its answer.
  func ask(_ request: ControlRequest) async throws(RequestFailure) -> ControlReply {
    let reply = await withCheckedContinuation { (waiter: CheckedContinuation<Reply, Never>) in
      send(request) { waiter.resume(returning: $0) }
    }
    return try reply.get()
  }

  /// Sends a request and waits for its ACK.
  func acknowledge(_ request: ControlRequest) async throws(RequestFailure) -> AckMessage {
    guard case .ack(let ack, _) = try await ask(request).answer else {
      throw .connection(.malformed)
    }
    return ack
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
  @discardableResult
  private func send(_ request: ControlRequest, _ state: inout State) -> Int64 {
    state.lastTag += 1
    thread.send(request.line(tag: .integer(state.lastTag)))
    return state.lastTag
  }

  // MARK: - Thread

  private func handle(_ event: LineConnection.Event) {
    switch event {
    case .line(let line):
      if let answer = ControlAnswer(line: line) {
        deliver(ControlReply(answer: answer, line: line))
      }
    case .lost(let error), .ended(let error?): finish(error)
    case .ended(nil): finish(.closed)
    case .connecting, .connected: break
    }
  }

  private func deliver(_ reply: ControlReply) {
    switch reply.answer {
    case .ack(_, .integer(let tag)?), .status(_, .integer(let tag)?):
      complete(tag, .success(reply))
    case .error(let error, .integer(let tag)?): complete(tag, .failure(.refused(error)))
    // The daemon ends the connection, and says why.
    case .error(let error, _): state.withLock { $0.refusal = error }
    case .animation(let message, _):
      events?.yield(message)
      switch message.event {
      case .completed, .cancelled, .failed: events?.finish()
      case .started, .step, .changed, .partStarted, .partCompleted: break
      }
    case .ack, .status, .sample, .device, .gate, .wanted: break
    }
  }

  private func complete(_ tag: Int64, _ reply: Reply) {
    let waiter = state.withLock { state -> Completion? in
      if state.scrubTag == tag {
        state.scrubTag = state.nextScrub.map { send($0, &state) }
        state.nextScrub = nil
      }
      return state.waiters.removeValue(forKey: tag)
    }
    waiter?(reply)
  }

  private func finish(_ error: ParallaxError) {
    let (waiters, end) = state.withLock { state in
      let end = state.end ?? state.refusal.map { .refused($0) } ?? .connection(error)
      state.end = end
      defer { state.waiters = [:] }
      return (state.waiters.values, end)
    }
    for waiter in waiters { waiter(.failure(end)) }
    events?.finish()
  }
}
