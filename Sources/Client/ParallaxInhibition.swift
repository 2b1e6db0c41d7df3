// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
public import ParallaxProtocol
import Synchronization

/// Keeps every offset at 0 for everyone, for example while a password is typed.
///
///     let inhibition = try await ParallaxInhibition.begin(reason: "password")
///     let password = await ask()
///     inhibition.end()
///
/// It needs the active session on the seat. It lasts until it is ended or released, and is suspended while the
/// session of another user is active. If the daemon restarts, it is requested again: what is typed must not move a
/// picture.
public final class ParallaxInhibition: Sendable {
  /// A change after the beginning.
  public enum Event: Equatable, Sendable {
    /// The connection to the daemon is lost, and the inhibition with it. It is requested again as soon as a daemon
    /// answers.
    case lost(ParallaxError)
    /// The daemon has accepted it again.
    case renewed
    /// The daemon refuses to renew it, or has ended it. No event follows.
    case refused(ErrorMessage)
  }

  private let holder: Holder

  private init(_ holder: Holder) {
    self.holder = holder
  }

  deinit { holder.end() }

  /// Begins an inhibition, and returns when every offset is 0.
  ///
  /// - Parameters:
  ///   - reason: What privileged users see in the status: 1 to 32 of `a-z`, `0-9` and `-`.
  ///   - controlPath: The daemon's control socket. Default nil: PARALLAX_CONTROL if it is set, else the
  ///     first on which a daemon listens, of the user's and the system's.
  ///   - onEvent: Receives what happens afterwards, on a thread of its own. Default nil.
  public static func begin(
    reason: String, controlPath: String? = nil, onEvent: (@Sendable (Event) -> Void)? = nil
  ) async throws(RequestFailure) -> ParallaxInhibition {
    let request = try request(reason)
    let paths = SocketPath.candidates(.control, explicit: controlPath)
    let beginning = await withCheckedContinuation {
      (waiter: CheckedContinuation<Holder.Beginning, Never>) in
      Holder.begin(request, paths, onEvent) { waiter.resume(returning: $0) }
    }
    return ParallaxInhibition(try beginning.get())
  }

  /// Begins an inhibition, and blocks this thread until every offset is 0.
  package static func beginBlocking(
    reason: String, toFirstOf paths: [String], onEvent: @escaping @Sendable (Event) -> Void
  ) throws(RequestFailure) -> ParallaxInhibition {
    let request = try request(reason)
    let beginning: BlockingAnswer<Holder.Beginning>
    do {
      beginning = try BlockingAnswer()
    } catch {
      throw .connection(error)
    }
    Holder.begin(request, paths, onEvent) { beginning.deliver($0) }
    return ParallaxInhibition(try beginning.wait().get())
  }

  /// Ends it.
  public func end() { holder.end() }

  private static func request(_ reason: String) throws(RequestFailure) -> ControlRequest {
    do {
      return .inhibit(try InhibitReason(reason))
    } catch {
      throw .refused(ErrorMessage(message: error.message, code: .badRequest))
    }
  }
}

/// The connection of an inhibition, which its thread keeps until it ends.
private final class Holder: Sendable {
  typealias Beginning = Result<Holder, RequestFailure>
  typealias Completion = @Sendable (Beginning) -> Void

  private enum State {
    /// The daemon has not answered yet.
    case beginning(Completion)
    case held
    /// The connection is lost.
    case lost
    /// It was refused, or ended on this side.
    case ended
  }

  private static let reconnection = ReconnectionPolicy.exponential(
    from: .milliseconds(50), to: .seconds(1))

  private let request: ControlRequest
  private let onEvent: (@Sendable (ParallaxInhibition.Event) -> Void)?
  private let thread: ConnectionThread
  private let state: Mutex<State>

  /// - Parameter completion: Called once.
  static func begin(
    _ request: ControlRequest, _ paths: [String],
    _ onEvent: (@Sendable (ParallaxInhibition.Event) -> Void)?, _ completion: @escaping Completion
  ) {
    do throws(ParallaxError) {
      let thread = try ConnectionThread(LineConnection(to: paths, policy: reconnection))
      let holder = Holder(request, thread, onEvent, completion)
      // The thread keeps the holder until it ends.
      try thread.start { holder.handle($0) }
    } catch {
      completion(.failure(.connection(error)))
    }
  }

  private init(
    _ request: ControlRequest, _ thread: ConnectionThread,
    _ onEvent: (@Sendable (ParallaxInhibition.Event) -> Void)?, _ completion: @escaping Completion
  ) {
    self.request = request
    self.thread = thread
    self.onEvent = onEvent
    state = Mutex(.beginning(completion))
  }

  func end() { thread.close() }

  // MARK: - Thread

  private func handle(_ event: LineConnection.Event) {
    switch event {
    case .connected: thread.send(request.line(tag: .integer(1)))
    case .line(let line):
      switch ControlAnswer(line: line) {
      case .ack?: accepted()
      case .error(let error, _)?: refused(error)
      default: break
      }
    case .lost(let error): lost(error)
    case .ended: ended()
    case .connecting: break
    }
  }

  private func accepted() {
    switch replaceState({ _ in .held }) {
    case .beginning(let completion): completion(.success(self))
    case .lost: onEvent?(.renewed)
    case .held, .ended: break
    }
  }

  private func refused(_ error: ErrorMessage) {
    switch replaceState({ _ in .ended }) {
    case .beginning(let completion): completion(.failure(.refused(error)))
    case .held, .lost: onEvent?(.refused(error))
    case .ended: break
    }
    thread.close()
  }

  private func lost(_ error: ParallaxError) {
    // What has not begun is not tried again.
    let before = replaceState { state in
      switch state {
      case .beginning, .ended: .ended
      case .held, .lost: .lost
      }
    }
    switch before {
    case .beginning(let completion):
      thread.close()
      completion(.failure(.connection(error)))
    case .held: onEvent?(.lost(error))
    case .lost, .ended: break
    }
  }

  private func ended() {
    if case .beginning(let completion) = replaceState({ _ in .ended }) {
      completion(.failure(.connection(.closed)))
    }
  }

  /// Returns the state before.
  private func replaceState(_ next: (State) -> State) -> State {
    state.withLock { state in
      defer { state = next(state) }
      return state
    }
  }
}
