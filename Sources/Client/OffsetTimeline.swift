// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
public import ParallaxProtocol

/// The last frames of a stream, from which it computes the offset at any instant.
///
/// A display rarely draws at the instant of a frame. Between two frames, the offset is interpolated
/// linearly. After the last frame, it follows the frame's velocity for at most 50 ms, and then stays. By how
/// much the frame before missed the last one fades out over 0.75/R, so that nothing jumps when a frame
/// arrives. R is the observed rate of the stream: 1/R is the shortest interval between the kept frames.
/// A picture that is drawn some time before it is seen misses the frames that arrive meanwhile: with that
/// time as `ahead`, each velocity is followed for as much longer, and a miss begins to fade as much later.
/// docs/protocol.md has the rule as pseudocode, Tests/Conformance a table for it.
///
/// A frame without velocity, such as one of an animation or of an older daemon, is followed along the line
/// through the last two frames, for at most 1/R.
///
/// The offset is not extrapolated
/// - beyond the range, where the fraction of the range, nx or ny, would be -1 or 1;
/// - after a frame at (0, 0) that came while the gate was closed: it is exactly (0, 0);
/// - from a frame that came while the gate was closed or the device did not stream;
/// - along two frames that are more than 2/R apart.
///
/// Frames more than 2/R apart mean that the picture was at rest (`on_change`) or that frames were
/// lost. The earlier offset then holds until 1/R before the later one.
///
/// A timeline has no clock: the instant is always an argument.
public struct OffsetTimeline: Equatable, Sendable {
  fileprivate struct Frame: Equatable {
    let message: OffsetMessage
    let offset: ParallaxOffset
    /// nil if the frame has none.
    let velocity: OffsetVelocity?
    /// Whether the gate was open and the device streamed when it came.
    let isLive: Bool

    var time: MotionInstant { message.time }

    init(_ message: OffsetMessage, isLive: Bool) {
      self.message = message
      offset = ParallaxOffset(message)
      velocity = OffsetVelocity(message)
      self.isLive = isLive
    }
  }

  /// The number of frames kept: a quarter of a second at 30 Hz.
  private static let capacity = 8

  private static let maxAhead: MotionDuration = .seconds(1)

  private var frames: [Frame] = []
  private var canExtrapolate = true
  private var rangeX: ClosedRange<Double>?
  private var rangeY: ClosedRange<Double>?
  private var requested = RequestedLayers()

  /// Creates a timeline without frames.
  public init() {}

  /// Adds a message of the stream. OFFSET, GATE and DEVICE affect the offset; others are ignored,
  /// except VERSION, which starts a new stream.
  ///
  /// Frames must be added in order. A frame whose time or number is not after the last one's is the
  /// first of a new stream, for example of a restarted daemon.
  public mutating func add(_ message: StreamMessage) {
    switch message {
    case .offset(let offset): add(offset)
    case .gate(let gate): canExtrapolate = gate.open
    case .device(let device):
      canExtrapolate = device.state == .streaming
      rangeX = device.rangeX
      rangeY = device.rangeY
    case .version:
      let depths = requested.depths
      self = OffsetTimeline()
      requested.depths = depths
    case .watch: requested.isAnswered = true
    case .animation, .error: break
    }
  }

  /// Every frame then has these layers; nil: those of the daemon.
  mutating func request(_ depths: [WatchMessage.LayerDepth]?) {
    requested.depths = depths
    frames = frames.map { Frame(completed($0.message), isLive: $0.isLive) }
  }

  /// Returns a message of the stream; an OFFSET without the requested layers gets them.
  func completed(_ message: StreamMessage) -> StreamMessage {
    guard case .offset(let offset) = message else { return message }
    return .offset(completed(offset))
  }

  private func completed(_ message: OffsetMessage) -> OffsetMessage {
    requested.complete(message, rangeX: rangeX, rangeY: rangeY)
  }

  private mutating func add(_ message: OffsetMessage) {
    // CLOCK_MONOTONIC shows no other time, and sums of such times fit in an instant.
    guard message.time >= .zero, message.time.isAdmissible else { return }
    if let last = frames.last,
      message.time <= last.time || message.seq <= last.message.seq
    {
      frames.removeAll(keepingCapacity: true)
    }
    if frames.count == Self.capacity { frames.removeFirst() }
    frames.append(Frame(completed(message), isLive: canExtrapolate))
  }

  /// Returns the offset at an instant; nil before the first frame.
  ///
  /// - Parameters:
  ///   - instant: Usually the time at which the drawn picture becomes visible. Before the first kept frame,
  ///     the offset is that frame's.
  ///   - ahead: How long before that the picture is drawn, 0 to 1 s: 1/60 s where a display of 60 Hz shows it
  ///     at the next refresh. Default 0.
  public func offset(at instant: MonotonicInstant, ahead: Duration = .zero) -> ParallaxOffset? {
    guard let first = frames.first, let last = frames.last else { return nil }
    if instant <= first.time { return first.offset }
    if instant >= last.time {
      let ahead = min(max(.zero, MotionDuration(ahead)), Self.maxAhead)
      return extrapolated(from: last, to: instant, ahead: ahead)
    }
    // `first` is before the instant and `last` is not, so there is such a pair.
    guard let index = frames.firstIndex(where: { $0.time >= instant }), index > 0 else {
      return last.offset
    }
    let (from, to) = (frames[index - 1], frames[index])
    let interval = to.time - from.time
    let period = shortestInterval ?? interval
    let ramp = interval > 2 * period ? period : interval
    let fraction = 1 - (to.time - instant) / ramp
    guard fraction > 0 else { return from.offset }
    return from.offset.interpolated(to: to.offset, fractionX: fraction, fractionY: fraction)
  }

  /// Returns where the picture is within the range at an instant, with its animations; nil before the first
  /// frame. For programs that scale the motion to a size of their own.
  ///
  /// - Parameters:
  ///   - instant: As of `offset(at:ahead:)`.
  ///   - ahead: Likewise.
  /// - Returns: x and y of `offset(at:ahead:)` as fractions of the range, -1...1; at the ends also where an
  ///   animation exceeds the range.
  public func fraction(
    at instant: MonotonicInstant, ahead: Duration = .zero
  ) -> (x: Double, y: Double)? {
    offset(at: instant, ahead: ahead).map { offset in
      (
        boundsX.fraction(of: offset.x) ?? min(max(offset.nx, -1), 1),
        boundsY.fraction(of: offset.y) ?? min(max(offset.ny, -1), 1)
      )
    }
  }

  /// 1/R.
  private var shortestInterval: MotionDuration? {
    zip(frames, frames.dropFirst()).map { $1.time - $0.time }.min()
  }

  private func extrapolated(
    from last: Frame, to instant: MotionInstant, ahead: MotionDuration
  ) -> ParallaxOffset {
    guard last.velocity == nil else { return followed(from: last, to: instant, ahead: ahead) }
    guard canExtrapolate, !last.offset.isZero, frames.count >= 2, let period = shortestInterval
    else { return last.offset }
    let before = frames[frames.count - 2]
    let interval = last.time - before.time
    guard interval <= 2 * period else { return last.offset }
    let beyond = min(instant - last.time, period) / interval
    return before.offset.interpolated(
      to: last.offset,
      fractionX: 1 + Self.limited(beyond, from: before.offset.nx, to: last.offset.nx),
      fractionY: 1 + Self.limited(beyond, from: before.offset.ny, to: last.offset.ny))
  }

  /// Returns how far a step from one fraction of the range to another can continue, in steps: `steps`,
  /// or less if the range ends before.
  private static func limited(_ steps: Double, from: Double, to: Double) -> Double {
    let step = to - from
    guard step != 0 else { return steps }
    let distance = step > 0 ? 1 - to : 1 + to
    return min(steps, max(0, distance / step.magnitude))
  }

  // MARK: - Velocities

  private func followed(
    from last: Frame, to instant: MotionInstant, ahead: MotionDuration
  ) -> ParallaxOffset {
    guard last.isLive || !last.offset.isZero else { return last.offset }
    func reach(of frame: Frame) -> MotionDuration {
      frame.isLive ? DisplayLine.reach + ahead : .zero
    }
    let elapsed = instant - last.time
    var step = OffsetStep(seconds: min(elapsed, reach(of: last)).seconds)
    var before: Frame?
    if let period = shortestInterval, frames.count >= 2 {
      let earlier = frames[frames.count - 2]
      step.missedSeconds = min(last.time - earlier.time + ahead, reach(of: earlier)).seconds
      step.firstSeconds = min(ahead, reach(of: last)).seconds
      step.missedShare = min(max(0, 1 - (elapsed - ahead) / (period * 3 / 4)), 1)
      before = earlier
    }
    return last.followed(step, after: before, boundsX: boundsX, boundsY: boundsY)
  }

  private var boundsX: AxisBounds { rangeX.map(AxisBounds.init) ?? bounds(\.x, \.nx) }
  private var boundsY: AxisBounds { rangeY.map(AxisBounds.init) ?? bounds(\.y, \.ny) }

  private func bounds(
    _ offset: KeyPath<ParallaxOffset, Double>, _ fraction: KeyPath<ParallaxOffset, Double>
  ) -> AxisBounds {
    var bounds = AxisBounds()
    for frame in frames where frame.velocity != nil {
      bounds.add(frame.offset[keyPath: offset], fraction: frame.offset[keyPath: fraction])
    }
    return bounds
  }
}

extension OffsetTimeline.Frame {
  fileprivate func followed(
    _ step: OffsetStep, after before: Self?, boundsX: AxisBounds, boundsY: AxisBounds
  ) -> ParallaxOffset {
    var result = offset
    let velocity = velocity ?? .zero
    let missed = before?.velocity ?? .zero
    let x = step.position((offset.x, velocity.x), after: before.map { ($0.offset.x, missed.x) })
    let y = step.position((offset.y, velocity.y), after: before.map { ($0.offset.y, missed.y) })
    result.x = boundsX.clamp(x)
    result.y = boundsY.clamp(y)
    result.nx = boundsX.fraction(of: result.x) ?? offset.nx
    result.ny = boundsY.fraction(of: result.y) ?? offset.ny
    for index in result.layers.indices {
      let layer = offset.layers[index]
      let own = velocity.layers[layer.name] ?? .zero
      let old = missed.layers[layer.name] ?? .zero
      let place = before?.offset.layer(layer.name)
      let layerX = step.position((layer.x, own.x), after: place.map { ($0.x, old.x) })
      let layerY = step.position((layer.y, own.y), after: place.map { ($0.y, old.y) })
      // What the range takes from the motion, it takes from the layers.
      result.layers[index].x = layerX.limited(from: layer.x, as: x, by: result.x, from: offset.x)
      result.layers[index].y = layerY.limited(from: layer.y, as: y, by: result.y, from: offset.y)
    }
    return result
  }
}

extension Double {
  /// Returns the same share of the way from `start` as is left of the way of another value.
  fileprivate func limited(
    from start: Double, as other: Double, by limited: Double, from origin: Double
  ) -> Double {
    limited == other || other == origin
      ? self : start + (self - start) * (limited - origin) / (other - origin)
  }
}
