// SPDX-License-Identifier: Apache-2.0

@testable import ParallaxAnimation
import ParallaxBase
import ParallaxMotion

/// Marble notation: one character per tick of 0.1 s.
///
/// Output: x in px as one character (0...9, a = 10, b = 11, ...; `?` is not a whole number),
/// followed by the endings at that tick in parentheses: `|` at its end, `<` at its start, `!` where
/// it was. Input: `-` for nothing, and letters that each test defines.
enum Marbles {
  private static let tick = MotionDuration.milliseconds(100)

  static let letters = Array("abcdefghijklmnopqrstuvwxyz")

  static func time(_ count: Int) -> MotionInstant { .zero + Int64(count) * tick }

  /// Returns x as one character.
  static func mark(_ x: Double) -> Character {
    guard x.isFinite else { return "?" }
    let whole = x.rounded()
    guard abs(whole - x) < 1e-6, whole >= 0, whole < 36 else { return "?" }
    return whole < 10 ? Character("\(Int(whole))") : letters[Int(whole) - 10]
  }

  /// Runs a script tick by tick and returns the output.
  ///
  /// - Parameter first: The tick of the first letter.
  static func play(
    _ animated: AnimatedPose, does script: String, endings: Endings, from first: Int = 0,
    _ act: (Character, MotionInstant) throws -> Void
  ) rethrows -> String {
    var line = ""
    for (tick, letter) in script.enumerated() {
      let now = time(first + tick)
      animated.advance(to: now)
      if letter != "-" { try act(letter, now) }
      line += output(animated.pose.offset.x, endings.drain())
    }
    return line
  }

  static func output(_ x: Double, _ endings: String) -> String {
    endings.isEmpty ? "\(mark(x))" : "\(mark(x))(\(endings))"
  }
}

/// The endings that completions have reported.
final class Endings {
  private var marks = ""
  private(set) var count = 0

  func add(_ position: AnimationPosition, of name: String = "") {
    marks += name + position.mark
    count += 1
  }

  /// Returns the marks since the last call.
  func drain() -> String {
    defer { marks = "" }
    return marks
  }
}

extension AnimationPosition {
  var mark: String {
    switch self {
    case .start: "<"
    case .current: "!"
    case .end: "|"
    }
  }
}

/// The instant at a number of seconds.
func instant(_ seconds: Double) -> MotionInstant { .zero + MotionDuration(seconds: seconds) }

/// 1 px per tick to the right.
func right(_ ticks: Int) -> Animation {
  .move(by: px(Double(ticks)), duration: .seconds(Double(ticks) / 10), curve: .linear)
}

func px(_ x: Double) -> PixelOffset { PixelOffset(x: x, y: 0) }
