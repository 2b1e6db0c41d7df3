// SPDX-License-Identifier: Apache-2.0

import ParallaxTime
public import ParallaxWire

/// The last frames of a stream, from which it computes the offset at any instant.
///
/// A display rarely draws at the instant of a frame. Between two frames, the offset is interpolated
/// linearly. After the last frame, it is extrapolated along the line through the last two, for at most
/// 1/R, and then stays. R is the observed rate of the stream: 1/R is the shortest interval between the
/// kept frames.
///
/// The offset is not extrapolated
/// - beyond the range: an axis stops when its fraction, nx or ny, reaches -1 or 1;
/// - after a frame at (0, 0), where motion has ended, for example because a gate closed;
/// - if the last two frames are more than 2/R apart, or only one is known;
/// - while the gate is closed or the device does not stream.
///
/// Frames more than 2/R apart mean that the picture was at rest (`on_change`) or that frames were
/// lost. The earlier offset then holds until 1/R before the later one.
///
/// A timeline has no clock: the instant is always an argument.
public struct OffsetTimeline: Equatable, Sendable {
  private struct Frame: Equatable {
    let time: MotionInstant
    let seq: UInt64
    let offset: ParallaxOffset
  }

  /// The number of frames kept: a quarter of a second at 30 Hz.
  private static let capacity = 8

  private var frames: [Frame] = []
  private var canExtrapolate = true

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
    case .device(let device): canExtrapolate = device.state == .streaming
    case .version: self = OffsetTimeline()
    case .animation, .watch, .error: break
    }
  }

  private mutating func add(_ message: OffsetMessage) {
    // CLOCK_MONOTONIC shows no other time, and sums of such times fit in an instant.
    guard message.time >= .zero, message.time.isAdmissible else { return }
    if let last = frames.last,
      message.time <= last.time || message.seq <= last.seq
    {
      frames.removeAll(keepingCapacity: true)
    }
    if frames.count == Self.capacity { frames.removeFirst() }
    frames.append(
      Frame(
        time: message.time, seq: message.seq, offset: ParallaxOffset(message)))
  }

  /// Returns the offset at an instant; nil before the first frame.
  ///
  /// - Parameter instant: Usually the time at which the drawn picture becomes visible. Before the first
  ///   kept frame, the offset is that frame's.
  public func offset(at instant: MonotonicInstant) -> ParallaxOffset? {
    guard let first = frames.first, let last = frames.last else { return nil }
    if instant <= first.time { return first.offset }
    if instant > last.time { return extrapolated(from: last, to: instant) }
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

  /// 1/R.
  private var shortestInterval: MotionDuration? {
    zip(frames, frames.dropFirst()).map { $1.time - $0.time }.min()
  }

  private func extrapolated(from last: Frame, to instant: MotionInstant) -> ParallaxOffset {
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
}
