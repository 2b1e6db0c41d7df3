// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxProtocol
import Synchronization

/// A connection to the control socket with a thread of its own that reads the answers: several requests
/// may be under way, and the events of an animation come between them.
final class ControlLink: Sendable {
  typealias Failure = AnimationHandle.Failure
  fileprivate typealias Waiter = CheckedContinuation<Result<AckMessage, Failure>, Never>

  fileprivate struct State {
    /// Those who wait for an answer, by its tag.
    var waiters: [Int64: Waiter] = [:]
    var lastTag: Int64 = 0
    /// The tag of the scrub that is under way.
    var scrubTag: Int64?
    /// The newest scrub after that.
    var nextScrub: ControlRequest?
    /// Bytes to send.
    var outgoing: [UInt8] = []
    /// Why the connection has ended; nil while it has not.
    var end: ParallaxError?
    var isClosed = false
  }

  private let state = Mutex(State())
  private let events: AsyncStream<AnimationMessage>.Continuation
  private let wakeUp: WakeUp

  /// Connects to the first of the paths on which a daemon listens. If there is none, the first request
  /// throws.
  init(
    toFirstOf paths: [String], events: AsyncStream<AnimationMessage>.Continuation
  ) throws(ParallaxError) {
    self.events = events
    do {
      wakeUp = try WakeUp()
    } catch {
      throw .noResources(errno: error.number)
    }
    do {
      // The thread keeps the link alive until it ends.
      try DetachedThread.start { self.run(paths) }
    } catch {
      throw .noResources(errno: error.number)
    }
  }

  /// Sends a request and waits for its ACK.
  func ask(_ request: ControlRequest) async throws(Failure) -> AckMessage {
    let result = await withCheckedContinuation { (waiter: Waiter) in
      let end = state.withLock { state -> ParallaxError? in
        if let end = state.end { return end }
        let tag = state.nextTag()
        state.waiters[tag] = waiter
        state.outgoing += request.line(tag: .integer(tag))
        return nil
      }
      if let end { waiter.resume(returning: .failure(.connection(end))) }
      wakeUp.signal()
    }
    return try result.get()
  }

  /// Sends a request whose answer no one waits for. While one is under way, only the newest is kept.
  func scrub(_ request: ControlRequest) {
    state.withLock { state in
      if state.scrubTag != nil { state.nextScrub = request } else { state.scrub(request) }
    }
    wakeUp.signal()
  }

  func close() {
    state.withLock { $0.isClosed = true }
    wakeUp.signal()
  }

  // MARK: - Thread

  private func run(_ paths: [String]) {
    let decoder = AnswerDecoder()
    do throws(ParallaxError) {
      var connection = try LineConnection(toFirstOf: paths)
      while let bytes = takeOutgoing() {
        if !bytes.isEmpty { try connection.send(bytes) }
        switch try connection.nextLine() {
        case .line(let line): decoder.answer(line).map(deliver)
        case .end: throw .closed
        case .none: wait(connection.descriptor)
        }
      }
      finish(.closed)
    } catch {
      finish(error)
    }
  }

  /// Returns the bytes to send; nil if the link was closed.
  private func takeOutgoing() -> [UInt8]? {
    state.withLock { state in
      if state.isClosed { return nil }
      defer { state.outgoing = [] }
      return state.outgoing
    }
  }

  private func wait(_ descriptor: Int32) {
    var entries = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    _ = poll(&entries, 2, -1)
    if entries[1].revents != 0 { wakeUp.clear() }
  }

  private func deliver(_ answer: ControlAnswer) {
    switch answer {
    case .ack(let ack, .integer(let tag)?): resume(tag, .success(ack))
    case .error(let error, .integer(let tag)?): resume(tag, .failure(.refused(error)))
    case .error(let error, _):
      // The daemon ends the connection, and says why.
      let waiters = state.withLock { state in
        defer { state.waiters = [:] }
        return state.waiters.values
      }
      for waiter in waiters { waiter.resume(returning: .failure(.refused(error))) }
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
        state.scrubTag = nil
        if let next = state.nextScrub { state.scrub(next) }
      }
      return state.waiters.removeValue(forKey: tag)
    }
    waiter?.resume(returning: result)
  }

  private func finish(_ error: ParallaxError) {
    let waiters = state.withLock { state in
      state.end = error
      defer { state.waiters = [:] }
      return state.waiters.values
    }
    for waiter in waiters { waiter.resume(returning: .failure(.connection(error))) }
    events.finish()
  }
}

extension ControlLink.State {
  fileprivate mutating func nextTag() -> Int64 {
    lastTag += 1
    return lastTag
  }

  fileprivate mutating func scrub(_ request: ControlRequest) {
    let tag = nextTag()
    scrubTag = tag
    nextScrub = nil
    outgoing += request.line(tag: .integer(tag))
  }
}
