// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Compares values with formulas and counts.
final class Check {
  let start = MotionInstant(nanoseconds: 5_000_000_000)
  private var compared = 0
  private var wrong = 0
  private var notes: [String] = []

  func instant(_ seconds: Double) -> MotionInstant { start + .seconds(seconds) }

  /// Pairs of a value and what the formula says.
  func values(_ pairs: [(Double, Double)], _ place: String = "") {
    for (value, expected) in pairs {
      compared += 1
      guard !((value - expected).magnitude <= 1e-6) else { continue }
      wrong += 1
      print("wrong: \(place) \(value), not \(expected)")
    }
  }

  func every(
    _ interval: Double, from first: Double = 0, until end: Double, function: String = #function,
    _ pairs: (Double) -> [(Double, Double)]
  ) {
    for tick in 0...Int((end - first) / interval + 0.5) {
      let seconds = first + Double(tick) * interval
      values(pairs(seconds), "\(function), \(seconds) s:")
    }
  }

  func timeline(
    _ animation: Animation, until end: Double, function: String = #function,
    _ pairs: (Double, Pose) -> [(Double, Double)]
  ) {
    let timeline = Timeline(animation)
    every(0.0125, until: end, function: function) { seconds in
      pairs(seconds, timeline.pose(at: .seconds(seconds)))
    }
  }

  /// Plays a stream, and compares x.
  func stream(
    _ stream: AnimationStream, until end: Double, function: String = #function,
    _ x: (Double) -> Double
  ) {
    var player = StreamPlayer(stream, at: start)
    every(0.01, until: end, function: function) { seconds in
      let expected = x(seconds)
      player.advance(to: instant(seconds))
      return [(player.pose.offset.x, expected)]
    }
  }

  func note(_ text: String) { notes.append(text) }

  func noted(_ text: String) {
    compared += 1
    if notes.last != text {
      wrong += 1
      print("wrong: \(notes), not \(text)")
    }
  }

  func report() {
    print("\(compared) values, \(wrong) wrong")
    exit(wrong == 0 && compared > 1000 ? 0 : 1)
  }
}

/// CSS `cubic-bezier`: its parameter by bisection. 0 before the start and 1 after the end.
func bezier(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ share: Double) -> Double {
  if share <= 0 { return 0 }
  if share >= 1 { return 1 }
  func bernstein(_ a: Double, _ b: Double, _ s: Double) -> Double {
    3 * a * s * (1 - s) * (1 - s) + 3 * b * s * s * (1 - s) + s * s * s
  }
  return bernstein(y1, y2, inverse(share) { bernstein(x1, x2, $0) })
}

/// Where a rising function of 0...1 has a value.
func inverse(_ value: Double, _ function: (Double) -> Double) -> Double {
  var (low, high) = (0.0, 1.0)
  for _ in 0..<60 {
    let middle = (low + high) / 2
    if function(middle) < value { low = middle } else { high = middle }
  }
  return high
}

/// x'' = -k x - c x', by Runge-Kutta in steps of 0.1 ms.
func spring(
  _ k: Double, _ c: Double, distance: Double, velocity: Double, _ seconds: Double
) -> (x: Double, v: Double) {
  var (x, v) = (distance, velocity)
  let steps = max(1, Int((seconds * 1e4).rounded()))
  let h = seconds / Double(steps)
  func pull(_ x: Double, _ v: Double) -> Double { -k * x - c * v }
  for _ in 0..<steps {
    let (a1, b1) = (v, pull(x, v))
    let (a2, b2) = (v + h / 2 * b1, pull(x + h / 2 * a1, v + h / 2 * b1))
    let (a3, b3) = (v + h / 2 * b2, pull(x + h / 2 * a2, v + h / 2 * b2))
    let (a4, b4) = (v + h * b3, pull(x + h * a3, v + h * b3))
    x += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    v += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
  }
  return (x, v)
}

func springProgress(
  _ k: Double, _ c: Double, velocity: Double, _ seconds: Double
) -> Double {
  1 + spring(k, c, distance: -1, velocity: velocity, seconds).x
}

/// Of a number of turns.
@Sendable func sine(_ turns: Double) -> Double { sin(2 * .pi * turns) }
