import Glibc
import ParallaxMotion

/// How far a recording is, on one line of a terminal that is overwritten and wiped at the end.
/// Nothing is shown in the first half second.
struct RecordingProgress {
  private let durationNanoseconds: Int64?
  private var nextShowNanoseconds: Int64?
  private var isOnScreen = false

  private static let firstShowNanoseconds: Int64 = 500_000_000
  private static let intervalNanoseconds: Int64 = 200_000_000

  /// - Parameters:
  ///   - durationNanoseconds: what was asked for; nil: as long as it takes.
  ///   - startNanoseconds: the present.
  ///   - isShown: whether there is a terminal for it.
  init(durationNanoseconds: Int64?, startNanoseconds: Int64, isShown: Bool) {
    self.durationNanoseconds = durationNanoseconds
    nextShowNanoseconds = isShown ? startNanoseconds + Self.firstShowNanoseconds : nil
  }

  /// When `show` has something to do; nil: never.
  var dueNanoseconds: Int64? { nextShowNanoseconds }

  mutating func show(_ tally: RecordingTally, atNanoseconds now: Int64) {
    guard let due = nextShowNanoseconds, now >= due else { return }
    nextShowNanoseconds = now + Self.intervalNanoseconds
    isOnScreen = true
    Console.writeError("\r\u{1B}[Krecord: \(Self.text(of: tally, durationNanoseconds))")
  }

  /// Makes room for other words on the screen.
  mutating func wipe() {
    if isOnScreen { Console.writeError("\r\u{1B}[K") }
    isOnScreen = false
  }

  /// `12.3 of 60.0 s, 1234 samples, 100.2 Hz`
  static func text(of tally: RecordingTally, _ durationNanoseconds: Int64?) -> String {
    let whole = durationNanoseconds.map { " of \(tenths(Double($0) * 1e-9))" } ?? ""
    let rate = tally.rateHertz.map { ", \(tenths($0)) Hz" } ?? ""
    return "\(tenths(Double(tally.spanNanoseconds) * 1e-9))\(whole) s, "
      + "\(tally.samples) samples\(rate)"
  }

  private static func tenths(_ value: Double) -> String {
    var buffer = OutputBuffer()
    buffer.append(value, fixedDecimals: 1)
    return buffer.text
  }
}

/// What a recording has so far.
struct RecordingTally: Equatable {
  private(set) var samples = 0
  private var firstTime: Int64 = 0
  private var lastTime: Int64 = 0

  /// From the first sample to a time.
  func span(to time: Int64) -> Int64 { samples == 0 ? 0 : time - firstTime }

  /// From the first sample to the last.
  var spanNanoseconds: Int64 { lastTime - firstTime }

  /// Samples a second; nil before there are two.
  var rateHertz: Double? {
    samples < 2 ? nil : Double(samples - 1) * 1e9 / Double(spanNanoseconds)
  }

  mutating func add(_ time: Int64) {
    if samples == 0 { firstTime = time }
    lastTime = time
    samples += 1
  }
}
