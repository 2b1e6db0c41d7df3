public import ParallaxWire

/// The last frames of a stream, from which the offset at any instant follows.
///
/// A display draws when it draws and not when a frame arrives. Between two frames the offset is on
/// the straight line through them. After the last frame it goes on along the line through the last
/// two, for at most 1/R; then it stays. R is the rate of the stream as it is seen: the shortest
/// interval between two of the frames that are kept is 1/R.
///
/// It does not go on
/// - beyond the range: an axis stops where its share, nx or ny, reaches -1 or 1;
/// - behind a frame at (0, 0): there motion has ended, as when a gate closes;
/// - where the last two frames are more than 2/R apart, or only one is known;
/// - while the gate is closed or the device does not stream.
///
/// Frames more than 2/R apart are a display at rest (`on_change`) or a loss: the earlier offset then
/// holds until 1/R before the later.
///
/// A timeline is a value that knows no clock: the instant is always an argument.
public struct OffsetTimeline: Equatable, Sendable {
  private struct Frame: Equatable {
    let nanoseconds: Int64
    let seq: UInt64
    let offset: ParallaxOffset
  }

  /// Frames that are kept: at 30 Hz a quarter of a second to look back.
  private static let capacity = 8

  private var frames: [Frame] = []
  private var goesOn = true

  /// Creates a timeline without frames.
  public init() {}

  /// Takes in what a message of the stream says about motion: OFFSET, GATE and DEVICE.
  ///
  /// Frames have to come in their order. One that goes back in time, or whose number does, is the
  /// first of a new stream, as after the daemon was started again.
  public mutating func add(_ message: StreamMessage) {
    switch message {
    case .offset(let offset): add(offset)
    case .gate(let gate): goesOn = gate.open
    case .device(let device): goesOn = device.state == .streaming
    case .version: self = OffsetTimeline()
    case .animation, .watch, .error: break
    }
  }

  private mutating func add(_ message: OffsetMessage) {
    if let last = frames.last,
      message.timeNanoseconds <= last.nanoseconds || message.seq <= last.seq
    {
      frames.removeAll(keepingCapacity: true)
    }
    if frames.count == Self.capacity { frames.removeFirst() }
    frames.append(
      Frame(
        nanoseconds: message.timeNanoseconds, seq: message.seq, offset: ParallaxOffset(message)))
  }

  /// The offset at an instant; nil before the first frame has come.
  ///
  /// - Parameter instant: mostly when what is drawn now will be seen. Before the first frame that is
  ///   kept, the offset is that frame's.
  public func offset(at instant: MonotonicInstant) -> ParallaxOffset? {
    guard let first = frames.first, let last = frames.last else { return nil }
    let now = instant.nanoseconds
    if now <= first.nanoseconds { return first.offset }
    if now > last.nanoseconds { return extrapolated(behind: last, to: now) }
    // `last` is at or behind the instant and `first` before it, so there is such a pair.
    guard let index = frames.firstIndex(where: { $0.nanoseconds >= now }), index > 0 else {
      return last.offset
    }
    let (from, to) = (frames[index - 1], frames[index])
    let interval = to.nanoseconds - from.nanoseconds
    let period = shortestInterval ?? interval
    let ramp = interval > 2 * period ? period : interval
    let share = 1 - Double(to.nanoseconds - now) / Double(ramp)
    guard share > 0 else { return from.offset }
    return from.offset.interpolated(to: to.offset, shareX: share, shareY: share)
  }

  /// 1/R.
  private var shortestInterval: Int64? {
    zip(frames, frames.dropFirst()).map { $1.nanoseconds - $0.nanoseconds }.min()
  }

  private func extrapolated(behind last: Frame, to now: Int64) -> ParallaxOffset {
    guard goesOn, !last.offset.isZero, frames.count >= 2, let period = shortestInterval else {
      return last.offset
    }
    let before = frames[frames.count - 2]
    let interval = last.nanoseconds - before.nanoseconds
    guard interval <= 2 * period else { return last.offset }
    let beyond = Double(min(now - last.nanoseconds, period)) / Double(interval)
    return before.offset.interpolated(
      to: last.offset,
      shareX: 1 + Self.reach(beyond, from: before.offset.nx, to: last.offset.nx),
      shareY: 1 + Self.reach(beyond, from: before.offset.ny, to: last.offset.ny))
  }

  /// How much of `share` a step from one share of the range to another can go on before the range
  /// ends.
  private static func reach(_ share: Double, from: Double, to: Double) -> Double {
    let step = to - from
    guard step != 0 else { return share }
    let room = step > 0 ? 1 - to : 1 + to
    return min(share, max(0, room / step.magnitude))
  }
}
