// SPDX-License-Identifier: Apache-2.0

public import ParallaxProtocol

/// An animation that the daemon plays, and a hand on it: a gesture can hold it, move it along its path
/// and let it go.
///
///     let drawer = try await AnimationHandle.play(.id("drawer"), isPaused: true)
///     drawer.scrub(toFraction: 0.3)
///     try await drawer.continue(curve: #"{"spring":{"response":0.4}}"#, velocity: [900, 0])
///
/// The daemon plays animations for privileged users only. The animation is cancelled when the handle
/// is released: it eases back to where it started. The states are those of UIKit's
/// `UIViewPropertyAnimator`; an action that the state does not allow throws and changes nothing.
public final class AnimationHandle: Sendable {
  /// What to play.
  public enum Subject: Equatable, Sendable {
    /// A document in the daemon's folder or on its server.
    case id(String)
    /// A document, as JSON text: at most 1 MiB.
    case document([UInt8])
  }

  /// Why an animation does not play, or does not change.
  public typealias Failure = RequestFailure

  /// The id of the animation, as in ANIMATION lines.
  public let id: String
  /// The events of the animation, at most the newest 64 that have not been read. It ends with the
  /// animation or the connection.
  public let events: AsyncStream<AnimationMessage>

  private let link: ControlLink

  private init(id: String, link: ControlLink, events: AsyncStream<AnimationMessage>) {
    self.id = id
    self.link = link
    self.events = events
  }

  deinit { link.close() }

  /// Starts an animation, and returns when the daemon has found and read it.
  ///
  /// - Parameters:
  ///   - subject: What to play.
  ///   - layer: The layer to move. Default nil: the document's, or else all layers.
  ///   - name: The id of the animation. Default nil: that of the document.
  ///   - isPaused: Whether it waits at its start. Default: false.
  ///   - pausesAtEnd: Whether it pauses at an end instead of ending. Default: false.
  ///   - controlPath: The daemon's control socket. Default nil: PARALLAX_CONTROL if it is set, else
  ///     the first on which a daemon listens, of the user's and the system's.
  public static func play(
    _ subject: Subject, layer: String? = nil, name: String? = nil, isPaused: Bool = false,
    pausesAtEnd: Bool = false, controlPath: String? = nil
  ) async throws(Failure) -> AnimationHandle {
    let (events, continuation) = AsyncStream.makeStream(
      of: AnimationMessage.self, bufferingPolicy: .bufferingNewest(64))
    let paths = SocketPath.candidates(.control, explicit: controlPath)
    let link: ControlLink
    do {
      link = try ControlLink(toFirstOf: paths, events: continuation)
    } catch {
      throw .connection(error)
    }
    let request: PlayRequest.Subject =
      switch subject {
      case .id(let id): .id(id)
      case .document(let text): .document(.text(text), id: nil)
      }
    do {
      let ack = try await link.ask(
        .play(
          PlayRequest(
            request, layer: layer, name: name, isPaused: isPaused, pausesAtEnd: pausesAtEnd)))
      return AnimationHandle(id: ack.id ?? name ?? "", link: link, events: events)
    } catch {
      link.close()
      throw error
    }
  }

  // MARK: - Actions

  /// Holds it where it is.
  @discardableResult
  public func pause() async throws(Failure) -> AnimationProgress { try await perform(.pause) }

  /// Plays on, or begins to play.
  ///
  /// - Parameter delay: How long it waits before. Default: 0.
  @discardableResult
  public func resume(after delay: Duration = .zero) async throws(Failure) -> AnimationProgress {
    try await perform(.resume(delaySeconds: delay / .seconds(1)))
  }

  /// Turns it around.
  @discardableResult
  public func reverse() async throws(Failure) -> AnimationProgress {
    try await perform(.reverse())
  }

  /// Sets its direction.
  @discardableResult
  public func setReversed(_ isReversed: Bool) async throws(Failure) -> AnimationProgress {
    try await perform(.reverse(isReversed))
  }

  /// Moves it to a share of its path in its direction. It must be paused.
  ///
  /// - Parameter fraction: 0...1.
  @discardableResult
  public func seek(toFraction fraction: Double) async throws(Failure) -> AnimationProgress {
    try await perform(.seek(fraction: fraction))
  }

  /// Follows a finger: like `seek`, without waiting for the daemon. While a request is under way, only
  /// the newest fraction is kept. One that the daemon refuses has no effect.
  ///
  /// - Parameter fraction: 0...1; others are clamped.
  public func scrub(toFraction fraction: Double) {
    let fraction = min(max(fraction.isNaN ? 0 : fraction, 0), 1)
    link.scrub(.animate(AnimateRequest(id, .seek(fraction: fraction))))
  }

  /// Plays it at a multiple of its speed.
  ///
  /// - Parameter speed: 0.01...100.
  @discardableResult
  public func setSpeed(_ speed: Double) async throws(Failure) -> AnimationProgress {
    try await perform(.speed(speed))
  }

  /// Plays on after a pause, with another timing.
  ///
  /// - Parameters:
  ///   - curve: Curve of the rest, as JSON text in the grammar of documents. Default nil: unchanged,
  ///     or a spring if there is a velocity.
  ///   - durationFactor: Time of the rest, as a multiple of the whole duration. Default nil: what a
  ///     spring takes to settle, or else the time that is left.
  ///   - velocity: Of x and y in px/s, then of the rotation in degrees/s and of the scale per second.
  ///     Default nil: that of the curve.
  @discardableResult
  public func `continue`(
    curve: String? = nil, durationFactor: Double? = nil, velocity: [Double]? = nil
  ) async throws(Failure) -> AnimationProgress {
    try await perform(
      .continue(
        .init(
          curve: curve.map { EmbeddedJSON($0) }, durationFactor: durationFactor,
          velocity: velocity)))
  }

  /// Stops it where it is. Only `finish` follows.
  @discardableResult
  public func stop() async throws(Failure) -> AnimationProgress { try await perform(.stop) }

  /// Ends it at once, at a position.
  @discardableResult
  public func finish(
    at position: AnimationMessage.Position = .end
  ) async throws(Failure) -> AnimationProgress {
    try await perform(.finish(position))
  }

  /// Adds the motion of another document for the time that is left.
  ///
  /// - Parameter delayFactor: The share of that time to wait, 0...1. Default: 0.
  @discardableResult
  public func add(
    _ subject: Subject, delayFactor: Double = 0
  ) async throws(Failure) -> AnimationProgress {
    let document: PlayRequest.Subject =
      switch subject {
      case .id(let id): .id(id)
      case .document(let text): .document(.text(text), id: nil)
      }
    return try await perform(.add(document, delayFactor: delayFactor))
  }

  /// Cancels it: it eases back to where it started, and the connection ends.
  public func cancel() { link.close() }

  private func perform(
    _ action: AnimateRequest.Action
  ) async throws(Failure) -> AnimationProgress {
    let ack = try await acknowledged(action)
    return ack.progress ?? AnimationProgress(state: .ended, fraction: 1)
  }

  /// Performs an action and returns its ACK.
  func acknowledged(_ action: AnimateRequest.Action) async throws(Failure) -> AckMessage {
    try await link.ask(.animate(AnimateRequest(id, action)))
  }
}
