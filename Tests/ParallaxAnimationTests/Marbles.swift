import ParallaxMotion

@testable import ParallaxAnimation

/// Marble notation: one character a tick of 0.1 s.
///
/// What is seen, x in px as one character (0...9, a = 10, b = 11, ...; `?` is no whole number), and
/// what is told at that tick behind it in brackets: `|` ended at its end, `<` at its start, `!` where it
/// was. What is done: a letter that the test gives a meaning, `-` nothing.
enum Marbles {
  static let tickNanoseconds: Int64 = 100_000_000

  static let letters = Array("abcdefghijklmnopqrstuvwxyz")

  static func time(_ tick: Int) -> Int64 { Int64(tick) * tickNanoseconds }

  /// x as one character.
  static func mark(_ x: Double) -> Character {
    guard x.isFinite else { return "?" }
    let whole = x.rounded()
    guard abs(whole - x) < 1e-6, whole >= 0, whole < 36 else { return "?" }
    return whole < 10 ? Character("\(Int(whole))") : letters[Int(whole) - 10]
  }

  /// What is seen and told of a pose, tick by tick, while a script is done.
  ///
  /// - Parameter first: the tick of its first letter.
  static func play(
    _ animated: AnimatedPose, does script: String, told: Told, from first: Int = 0,
    _ act: (Character, Int64) throws -> Void
  ) rethrows -> String {
    var line = ""
    for (tick, letter) in script.enumerated() {
      let now = time(first + tick)
      animated.advance(toNanoseconds: now)
      if letter != "-" { try act(letter, now) }
      line += seen(animated.pose.offset.x, told.take())
    }
    return line
  }

  static func seen(_ x: Double, _ told: String) -> String {
    told.isEmpty ? "\(mark(x))" : "\(mark(x))(\(told))"
  }
}

/// What completions have said since somebody looked.
final class Told {
  private var marks = ""
  private(set) var count = 0

  func add(_ position: AnimationPosition, of name: String = "") {
    marks += name + position.mark
    count += 1
  }

  func take() -> String {
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

/// 1 px a tick to the right.
func right(_ ticks: Int) -> Animation {
  .move(by: px(Double(ticks)), duration: Double(ticks) / 10, curve: .linear)
}

func px(_ x: Double) -> PixelOffset { PixelOffset(x: x, y: 0) }
