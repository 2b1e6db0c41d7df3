// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

extension Smoother {
  /// Takes a step for each frame of a run: from the input in the columns to the output, which replaces it.
  ///
  /// - Parameter last: The time of the frame before the run.
  mutating func step(
    _ run: SampleRun, _ plan: RunPlan, after last: MotionInstant, _ frames: inout FrameColumns
  ) {
    switch self {
    case .none: break
    case .ema(var filter):
      frames.shares.use(filter)
      run.step(plan, after: last, frames.times, &frames.x, &frames.y, &frames.shares) {
        input, interval, shares in
        filter.step(toward: input, share: shares.share(of: interval, filter))
      }
      self = .ema(filter)
    case .oneEuro(var filter):
      run.step(plan, after: last, frames.times, &frames.x, &frames.y, &frames.shares) {
        input, interval, _ in
        filter.step(toward: input, dtSeconds: interval.seconds)
      }
      self = .oneEuro(filter)
    case .spring(var follower):
      run.step(plan, after: last, frames.times, &frames.x, &frames.y, &frames.shares) {
        input, interval, _ in
        follower.step(toward: input, dtSeconds: interval.seconds)
      }
      self = .spring(follower)
    }
  }
}

extension SampleRun {
  /// Replaces each frame's offset by the filter's output, within the ranges.
  @inline(__always)
  fileprivate func step(
    _ plan: RunPlan, after last: MotionInstant, _ times: [MotionInstant], _ xs: inout [Double],
    _ ys: inout [Double], _ shares: inout ShareTable,
    _ filter: (PixelOffset, MotionDuration, inout ShareTable) -> PixelOffset
  ) {
    let times = times.span
    var x = xs.mutableSpan
    var y = ys.mutableSpan
    var last = last
    for index in frame..<frame + count {
      let time = times[index]
      let output = filter(PixelOffset(x: x[index], y: y[index]), time - last, &shares)
      last = time
      x[index] = plan.rangeX.clamp(output.x)
      y[index] = plan.rangeY.clamp(output.y)
    }
  }
}

/// The shares of an exponential average by interval. A recorder's clock ticks, so few intervals differ, and
/// `expm1` takes longer than all else that a frame needs.
struct ShareTable: Sendable {
  private static let size = 256

  private var timeConstantSeconds = 0.0
  private var intervals = [Int64](repeating: 0, count: size)
  private var shares = [Double](repeating: 0, count: size)

  /// Empties the table if it is another filter's.
  mutating func use(_ filter: ExponentialAverage) {
    guard filter.timeConstantSeconds != timeConstantSeconds else { return }
    self = ShareTable()
    timeConstantSeconds = filter.timeConstantSeconds
  }

  /// Returns alpha for an interval above 0.
  @inline(__always)
  mutating func share(of interval: MotionDuration, _ filter: ExponentialAverage) -> Double {
    // Fibonacci hashing: the upper bits of a product with 2^64 / phi.
    let nanoseconds = interval.nanoseconds
    let hash = UInt64(bitPattern: nanoseconds) &* 0x9E37_79B9_7F4A_7C15
    let slot = Int(truncatingIfNeeded: hash >> 56)
    if intervals[slot] != nanoseconds {
      intervals[slot] = nanoseconds
      shares[slot] = filter.share(dtSeconds: interval.seconds)
    }
    return shares[slot]
  }
}
