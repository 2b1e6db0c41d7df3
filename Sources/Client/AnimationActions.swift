// SPDX-License-Identifier: Apache-2.0

public import ParallaxAnimation
import ParallaxBase
import ParallaxDocuments
public import ParallaxProtocol

// What a hand does to an animation: ANIMATE.
extension AnimationHandle {
  /// The velocity with which an animation continues, such as a finger's.
  public struct Velocity: Equatable, Sendable {
    /// To the right, in px/s, -100,000...100,000.
    public var x: Double
    /// Down, in px/s, -100,000...100,000.
    public var y: Double
    /// Clockwise, in degrees/s, -100,000...100,000.
    public var rotation: Double
    /// Of the scale, per second, -100,000...100,000.
    public var scale: Double

    /// Creates a velocity. The default of every number is 0.
    public init(x: Double = 0, y: Double = 0, rotation: Double = 0, scale: Double = 0) {
      self.x = x
      self.y = y
      self.rotation = rotation
      self.scale = scale
    }

    fileprivate func numbers() throws(RequestFailure) -> [Double] {
      let numbers = [x, y, rotation, scale]
      for number in numbers { try RequestFailure.checkFinite(number, "velocity") }
      return numbers
    }
  }

  /// Pauses it where it is.
  @discardableResult
  public func pause() async throws(Failure) -> AnimationProgress { try await perform(.pause) }

  /// Plays on, or begins to play.
  ///
  /// - Parameter delay: How long it waits before, at most a day. Default: 0.
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

  /// Moves it to a fraction of its path in its direction. It must be paused.
  ///
  /// - Parameter fraction: 0...1.
  @discardableResult
  public func seek(toFraction fraction: Double) async throws(Failure) -> AnimationProgress {
    try RequestFailure.checkFinite(fraction, "fraction")
    return try await perform(.seek(fraction: fraction))
  }

  /// Follows a finger: like `seek`, without waiting for the daemon. While a request is under way, only
  /// the newest fraction is kept. One that the daemon refuses has no effect.
  ///
  /// - Parameter fraction: 0...1; others are clamped.
  public func scrub(toFraction fraction: Double) {
    let fraction = min(max(fraction.isNaN ? 0 : fraction, 0), 1)
    link.scrub(.animate(AnimateRequest(id, layer: layer, .seek(fraction: fraction))))
  }

  /// Plays it at a multiple of its speed.
  ///
  /// - Parameter speed: 0.01...100.
  @discardableResult
  public func setSpeed(_ speed: Double) async throws(Failure) -> AnimationProgress {
    try RequestFailure.checkFinite(speed, "speed")
    return try await perform(.speed(speed))
  }

  /// Plays on after a pause, with another timing.
  ///
  /// - Parameters:
  ///   - curve: Curve of the rest. Default nil: unchanged, or a spring without bounce if there is a velocity.
  ///   - durationFactor: Time of the rest, as a multiple of the whole duration, 0...1000. Default nil: what a
  ///     spring takes to settle, or else the time that is left.
  ///   - velocity: The velocity at first, which needs a spring. Default nil: that of the curve.
  @discardableResult
  public func `continue`(
    curve: Curve? = nil, durationFactor: Double? = nil, velocity: Velocity? = nil
  ) async throws(Failure) -> AnimationProgress {
    var request = AnimateRequest.Continuation()
    do {
      request.curve = try curve?.json()
    } catch {
      throw .refused(ErrorMessage(message: error.description, code: .badRequest))
    }
    if let durationFactor { try RequestFailure.checkFinite(durationFactor, "durationFactor") }
    request.durationFactor = durationFactor
    request.velocity = try velocity?.numbers()
    return try await perform(.continue(request))
  }

  /// Stops it where it is. After this, only `finish` is allowed.
  @discardableResult
  public func stop() async throws(Failure) -> AnimationProgress { try await perform(.stop) }

  /// Ends it at once, at a position.
  @discardableResult
  public func finish(
    at position: AnimationMessage.Position = .end
  ) async throws(Failure) -> AnimationProgress {
    try await perform(.finish(position))
  }

  /// Adds the motion of another animation for the time that is left.
  ///
  /// - Parameters:
  ///   - subject: The other animation.
  ///   - delayFactor: The fraction of that time to wait, 0...1. Default: 0.
  @discardableResult
  public func add(
    _ subject: Subject, delayFactor: Double = 0
  ) async throws(Failure) -> AnimationProgress {
    try RequestFailure.checkFinite(delayFactor, "delayFactor")
    return try await perform(.add(try subject.request(), delayFactor: delayFactor))
  }

  /// Adds a part to the end of a chain whose parts play one after the other.
  public func append(_ part: AnimationChain.Part) async throws(Failure) {
    _ = try await acknowledged(.append(try part.request()))
  }

  private func perform(
    _ action: AnimateRequest.Action
  ) async throws(Failure) -> AnimationProgress {
    let ack = try await acknowledged(action)
    return ack.progress ?? AnimationProgress(state: .ended, fraction: 1)
  }

  /// Performs an action and returns its ACK.
  func acknowledged(_ action: AnimateRequest.Action) async throws(Failure) -> AckMessage {
    try await link.acknowledge(.animate(AnimateRequest(id, layer: layer, action)))
  }
}
