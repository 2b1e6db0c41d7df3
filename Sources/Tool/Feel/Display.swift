// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

import ParallaxMotion
import ParallaxProtocol

/// A frame as a client has it.
struct DrawnFrame: Equatable, Sendable {
  var seconds: Double
  /// px.
  var offset: SIMD2<Double>
  /// px/s; nil for a frame without velocities.
  var velocity: SIMD2<Double>?

  /// The frame as it is in the stream, with 0.01 px and 0.1 px/s.
  var rounded: DrawnFrame {
    let line = DisplayLine(
      OffsetFrame(
        seq: 0, time: .zero, motion: PixelOffset(x: offset.x, y: offset.y),
        velocity: velocity.map { PixelVelocity(x: $0.x, y: $0.y) }))
    return DrawnFrame(
      seconds: seconds, offset: SIMD2(line.x, line.y),
      velocity: line.velocity.map { SIMD2($0.x, $0.y) })
  }
}

/// How long it takes from the sample that completes a frame until the client has the frame.
///
/// As measured with a gyroscope and a busy desktop: half of the frames take at most 0.15 ms, 1 % take more than 1.2 ms.
/// The distribution between is log-logistic, since its quantiles need no table; a few take several ms.
struct Delivery {
  private static let medianSeconds = 0.000_15
  private static let shape = log(99.0) / log(0.001_2 / medianSeconds)
  private static let longestSeconds = 0.02

  /// Returns the time for a frame, seconds: the same for the same number, and evenly distributed over numbers in a row.
  static func seconds(ofFrame number: Int) -> Double {
    let turns = (Double(number) + 0.5) * 0.618_033_988_749_894_9
    let share = turns - turns.rounded(.down)
    return min(medianSeconds * pow(share / (1 - share), 1 / shape), longestSeconds)
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
  /// From drawing a picture until it is seen, seconds.
  let ahead: Double
  let lowest: SIMD2<Double>
  let highest: SIMD2<Double>

  /// - Parameter samples: The times of the samples, in order. A frame is sent at the first one at or after it.
  init(
    frames: [DrawnFrame], samples: [Double], client: ClientKind, period: Double?,
    ahead: Double = 0, range: (lowest: SIMD2<Double>, highest: SIMD2<Double>)
  ) {
    self.frames = frames
    self.client = client
    self.period = period
    self.ahead = ahead
    (lowest, highest) = range
    var next = 0
    arrivals = frames.enumerated().map { number, frame in
      while next < samples.count - 1, samples[next] < frame.seconds - 1e-9 { next += 1 }
      return samples[next] + Delivery.seconds(ofFrame: number)
    }
  }

  /// The frames that the client has per second.
  var framesPerSecond: Double {
    guard let first = frames.first, let last = frames.last, last.seconds > first.seconds else {
      return 0
    }
    return Double(frames.count - 1) / (last.seconds - first.seconds)
  }

  /// Returns the offset that a user sees at each instant. The instants must rise, and there must be a frame.
  func drawn(at instants: [Double]) -> [SIMD2<Double>] {
    var known = min(1, frames.count - 1)
    return instants.map { instant in
      while known + 1 < frames.count, arrivals[known + 1] <= instant - ahead { known += 1 }
      return drawn(at: instant, from: known)
    }
  }

  private func drawn(at instant: Double, from index: Int) -> SIMD2<Double> {
    let (last, before) = (frames[index], frames[max(0, index - 1)])
    let passed = instant - last.seconds
    switch (client, last.velocity, before.velocity) {
    case (.newest, _, _):
      return last.offset
    case (.velocity, let velocity?, let earlier?):
      let period = period ?? shortestInterval(upTo: index)
      let horizon = 0.05 + ahead
      let miss =
        before.offset + earlier * min(last.seconds - before.seconds + ahead, horizon)
        - (last.offset + velocity * ahead)
      let left = min(max(0, 1 - (passed - ahead) / (0.75 * period)), 1)
      return clamped(last.offset + velocity * min(passed, horizon) + miss * left)
    case (.velocity, _, _), (.positions, _, _):
      let period = shortestInterval(upTo: index)
      let interval = last.seconds - before.seconds
      guard interval > 0, interval <= 2 * period, last.offset != .zero else { return last.offset }
      let beyond = min(max(0, passed), period) / interval
      return clamped(last.offset + (last.offset - before.offset) * beyond)
    }
  }

  private func shortestInterval(upTo index: Int) -> Double {
    guard index > 0 else { return .infinity }
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
