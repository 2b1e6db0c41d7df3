// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import ParallaxTestSupport

@testable import ParallaxAnimation

/// Random animations, times and poses from a seed.
struct RandomAnimations {
  private var generator = SeededGenerator.forTest()

  /// The kinds of animations to generate.
  struct Kinds: OptionSet {
    let rawValue: Int
    /// Animations to a target, besides `by`.
    static let targets = Kinds(rawValue: 1)
    /// `reversed`.
    static let reversed = Kinds(rawValue: 2)
    /// `repeated(.forever)`.
    static let endless = Kinds(rawValue: 4)
    /// Tracks.
    static let tracks = Kinds(rawValue: 8)
    /// Tracks that start with a jump. Reversing them twice does not restore them.
    static let jumps = Kinds(rawValue: 16)
    static let smooth: Kinds = [.targets, .reversed, .endless, .tracks]
    static let all: Kinds = [.smooth, .jumps]
  }

  var note: String { generator.note }

  mutating func number(_ range: ClosedRange<Double>) -> Double {
    .random(in: range, using: &generator)
  }

  mutating func count(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }

  /// Returns a number with a uniformly distributed logarithm.
  mutating func scaled(_ low: Double, _ high: Double) -> Double {
    var (low, high) = (low, high)
    // Bisects at the geometric mean, without a logarithm.
    for _ in 0..<20 {
      let middle = (low * high).squareRoot()
      if Bool.random(using: &generator) { low = middle } else { high = middle }
    }
    return number(low...high)
  }

  mutating func pose() -> Pose {
    Pose(
      offset: PixelOffset(x: number(-50...50), y: number(-50...50)),
      rotationDegrees: number(-360...360), scale: number(0.2...3),
      scaleY: Bool.random(using: &generator) ? number(0.2...3) : nil, opacity: number(0...1))
  }

  mutating func curve() -> Curve {
    switch count(0...6) {
    case 0: .linear
    case 1: .easeInOut
    case 2:
      .bezier(
        CubicBezier(
          x1: number(0...1), y1: number(-1...2), x2: number(0...1), y2: number(-1...2)))
    case 3:
      .steps(
        StepCurve(
          count(2...6), StepCurve.Position.allCases.randomElement(using: &generator) ?? .jumpEnd))
    case 4:
      .points(
        PointCurve(
          // One input is given, never the last: a curve extends arbitrarily far after it.
          stops: (0...count(2...5)).map { index in
            PointCurve.Stop(
              output: index == 0 ? 0 : number(0...1.2), input: index == 1 ? number(0...0.9) : nil)
          }))
    default: .spring(response: .seconds(number(0.1...1)), damping: number(0.3...2))
    }
  }

  mutating func duration() -> Duration { .seconds(number(0...2)) }

  mutating func step(_ kinds: Kinds) -> Animation {
    let duration: Duration? = count(0...9) == 0 ? nil : .seconds(number(0.05...1.5))
    let curve = curve()
    switch count(0...(kinds.contains(.targets) ? 8 : 3)) {
    case 0: return .move(by: pose().offset, duration: duration, curve: curve)
    case 1: return .rotate(by: number(-180...180), duration: duration, curve: curve)
    case 2: return .scale(by: number(0.8...1.25), duration: duration, curve: curve)
    case 3:
      return .scale(
        byX: number(0.8...1.25), y: number(0.8...1.25), duration: duration, curve: curve)
    case 7:
      return .scale(toX: number(0.2...3), y: number(0.2...3), duration: duration, curve: curve)
    case 4: return .move(to: pose().offset, duration: duration, curve: curve)
    case 5: return .rotate(to: number(-180...180), duration: duration, curve: curve)
    case 6: return .scale(to: number(0.2...3), duration: duration, curve: curve)
    default: return .fade(to: number(0...1), duration: duration, curve: curve)
    }
  }

  private mutating func keyframes() -> Animation {
    var shares = (0..<count(1...5)).map { _ in number(0...1) }.sorted()
    if Bool.random(using: &generator) { shares[0] = 0 }
    if Bool.random(using: &generator) { shares[shares.count - 1] = 1 }
    let frames = shares.map { share in
      Keyframes.Frame(
        share: share, pose: pose(), channels: PoseChannels(rawValue: UInt8(count(1...31))),
        curve: curve())
    }
    return .keyframes(Keyframes(frames, durationSeconds: number(0.1...2)))
  }

  /// - Parameter depth: Maximum levels of nested compositions.
  mutating func animation(_ kinds: Kinds, depth: Int = 4) -> Animation {
    if depth == 0 { return step(kinds) }
    switch count(0...11) {
    case 0: return .delay(.seconds(number(0...0.5)))
    case 1: return kinds.contains(.targets) ? keyframes() : step(kinds)
    case 2 where kinds.contains(.tracks) && count(0...2) == 0:
      return .track(
        PoseTrackReference(
          Bend(
            from: pose() * (kinds.contains(.jumps) ? 0.1 : 0), by: pose() * 0.3, bend: pose() * 0.2,
            number(0...2))))
    case 2, 3, 4: return .sequence(several(kinds, depth))
    case 5, 6: return .parallel(several(kinds, depth))
    case 7:
      let isEndless = kinds.contains(.endless) && count(0...3) == 0
      return .repeated(
        animation(kinds, depth: depth - 1), count: isEndless ? .forever : .times(count(0...4)))
    case 8:
      let child = animation(kinds, depth: depth - 1)
      return kinds.contains(.reversed) ? child.reversed() : child
    case 9: return animation(kinds, depth: depth - 1).autoreversed()
    case 10: return animation(kinds, depth: depth - 1).speed(number(0.3...3))
    default: return step(kinds)
    }
  }

  private mutating func several(_ kinds: Kinds, _ depth: Int) -> [Animation] {
    (0..<count(0...4)).map { _ in animation(kinds, depth: depth - 1) }
  }

  /// Returns a time, mostly within the animation.
  mutating func time(of animation: Animation) -> Double {
    let duration = min(animation.durationSeconds, 20)
    return number(-0.1 * duration...1.2 * duration)
  }
}

/// A track along a parabola, which may start with a jump.
private final class Bend: PoseTrack {
  let durationSeconds: Double
  let channels: PoseChannels = [.offset, .rotation, .scale, .opacity]
  private let begin, slope, bend: Pose

  init(from begin: Pose, by slope: Pose, bend: Pose, _ seconds: Double) {
    (self.begin, self.slope, self.bend, durationSeconds) = (begin, slope, bend, seconds)
  }

  func difference(at seconds: Double) -> Pose {
    begin + slope * seconds + bend * (seconds * seconds)
  }

  func velocity(at seconds: Double) -> Pose { slope + bend * (2 * seconds) }
}
