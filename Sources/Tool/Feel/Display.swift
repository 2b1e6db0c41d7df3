// SPDX-License-Identifier: Apache-2.0

/// A frame as a client has it.
struct DrawnFrame: Equatable, Sendable {
  var seconds: Double
  /// px.
  var offset: SIMD2<Double>
  /// px/s; nil for a frame without velocities.
  var velocity: SIMD2<Double>?

  /// The frame with the decimals that it has in the stream: 0.01 px and 0.1 px/s.
  var rounded: DrawnFrame {
    DrawnFrame(
      seconds: seconds, offset: (offset * 100).rounded(.toNearestOrEven) / 100,
      velocity: velocity.map { ($0 * 10).rounded(.toNearestOrEven) / 10 })
  }
}

/// What a client makes of the frames that it has.
enum ClientKind: String, CaseIterable, Equatable, Sendable {
  /// Continues with each frame's velocity; without one, along the last two frames.
  case velocity
  /// Continues along the last two frames for at most one period.
  case positions
  /// Draws the newest frame as it is.
  case newest
}

/// A display that asks a client at each picture for the offset to draw.
struct Display {
  /// The time from the sample that completes a frame until the client has the frame, seconds.
  static let deliverySeconds = 0.001
  /// Displays run slightly below their nominal rate, at 59.94 or 119.88 Hz. So every phase between pictures
  /// and frames occurs.
  static let rateShare = 0.999
  /// The number of intervals of which the shortest is the period, if the frame rate is not known.
  private static let periodIntervals = 7

  let frames: [DrawnFrame]
  /// When the client has each frame, seconds.
  let arrivals: [Double]
  let client: ClientKind
  /// The interval between two frames, seconds; nil if only the frames tell.
  let period: Double?
  let lowest: SIMD2<Double>
  let highest: SIMD2<Double>

  /// - Parameter samples: The times of the samples, in order. A frame is sent at the first one at or after it.
  init(
    frames: [DrawnFrame], samples: [Double], client: ClientKind, period: Double?,
    range: (lowest: SIMD2<Double>, highest: SIMD2<Double>)
  ) {
    self.frames = frames
    self.client = client
    self.period = period
    (lowest, highest) = range
    var next = 0
    arrivals = frames.map { frame in
      while next < samples.count - 1, samples[next] < frame.seconds - 1e-9 { next += 1 }
      return samples[next] + Self.deliverySeconds
    }
  }

  /// Returns what is drawn at instants, which must rise. There must be two frames.
  func drawn(at instants: [Double]) -> [SIMD2<Double>] {
    var known = 1
    return instants.map { instant in
      while known + 1 < frames.count, arrivals[known + 1] <= instant { known += 1 }
      return drawn(at: instant, from: known)
    }
  }

  private func drawn(at instant: Double, from index: Int) -> SIMD2<Double> {
    let (last, before) = (frames[index], frames[index - 1])
    let passed = instant - last.seconds
    switch (client, last.velocity, before.velocity) {
    case (.newest, _, _):
      return last.offset
    case (.velocity, let velocity?, let earlier?):
      let period = period ?? shortestInterval(upTo: index)
      let horizon = min(1.5 * period, 0.05)
      let miss =
        before.offset + earlier * min(last.seconds - before.seconds, horizon) - last.offset
      let left = min(max(0, 1 - passed / (0.75 * period)), 1)
      return clamped(last.offset + velocity * min(passed, horizon) + miss * left)
    case (.velocity, _, _), (.positions, _, _):
      let period = shortestInterval(upTo: index)
      let interval = last.seconds - before.seconds
      guard interval <= 2 * period, last.offset != .zero else { return last.offset }
      let beyond = min(max(0, passed), period) / interval
      return clamped(last.offset + (last.offset - before.offset) * beyond)
    }
  }

  private func shortestInterval(upTo index: Int) -> Double {
    let first = max(1, index - Self.periodIntervals + 1)
    var shortest = frames[first].seconds - frames[first - 1].seconds
    for later in first...index {
      shortest = min(shortest, frames[later].seconds - frames[later - 1].seconds)
    }
    return shortest
  }

  private func clamped(_ offset: SIMD2<Double>) -> SIMD2<Double> {
    offset.clamped(lowerBound: lowest, upperBound: highest)
  }
}
