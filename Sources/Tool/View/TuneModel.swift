// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion

/// A setting that `parallax tune` changes.
struct TuneRow: Equatable, Sendable {
  /// The key of SET.
  var key: String
  /// Its name on the screen.
  var label: String
  var value: String
  /// Its effect, in a line that fits a terminal of 60 columns.
  var help: String
  /// Whether SET has changed it.
  var isChanged: Bool

  /// The value without its unit, where there is little space.
  var shortValue: String { value.split(separator: " ").first.map(String.init) ?? value }
}

/// The cursor of `parallax tune` over the settings.
struct TuneModel: Sendable {
  /// A line of the list: a setting or one of its parameters.
  enum Line: String, CaseIterable, Sendable {
    case mode, strength, smoothing, first, second, rangeX, rangeY, recenter, bias, rate

    var key: String {
      switch self {
      case .strength: "scale"
      case .first, .second: "smoothing"
      case .rangeX: "range-x"
      case .rangeY: "range-y"
      case .mode, .smoothing, .recenter, .bias, .rate: rawValue
      }
    }
  }

  /// What a key before has changed, to take it back.
  struct Change: Equatable, Sendable {
    var key: String
    /// nil: it was as configured.
    var before: String?
  }

  private(set) var selected = Line.mode
  private(set) var changes: [Change] = []
  /// The question that the next key answers: whether to write this file.
  private(set) var question: String?
  /// The file that `w` writes.
  private let file: String

  init(file: String) {
    self.file = file
  }

  /// What a key asks for.
  enum Action: Equatable, Sendable {
    /// SET; `auto` is the configured value.
    case set(key: String, value: String)
    case write
  }

  /// Handles a key. Returns what it asks for; the second value is whether it has a meaning here.
  mutating func handle(_ key: Key, _ model: WatchModel) -> (action: Action?, isTaken: Bool) {
    if question != nil {
      question = nil
      return (key == .character("y") ? .write : nil, true)
    }
    switch key {
    case .up, .character("k"): move(-1, model)
    case .down, .character("j"), .tab: move(1, model)
    case .left, .character("h"): return (turn(-1, model), true)
    case .right, .character("l"), .enter: return (turn(1, model), true)
    case .backspace, .character("0"): return (reset(model), true)
    case .character("u"): return (undo(), true)
    case .character("w"):
      if model.overrides.isEmpty { return (nil, true) }
      question = "write \(file)? y: yes, any other key: no"
    default: return (nil, false)
    }
    return (nil, true)
  }

  private mutating func move(_ step: Int, _ model: WatchModel) {
    let lines = Self.lines(model)
    let index = lines.firstIndex(of: selected) ?? 0
    selected = lines[(index + step + lines.count) % lines.count]
  }

  private mutating func turn(_ direction: Int, _ model: WatchModel) -> Action? {
    guard let value = Self.turned(selected, direction, model) else { return nil }
    remember(selected.key, model)
    return .set(key: selected.key, value: value)
  }

  private mutating func reset(_ model: WatchModel) -> Action? {
    guard model.overrides.contains(selected.key) else { return nil }
    remember(selected.key, model)
    return .set(key: selected.key, value: "auto")
  }

  private mutating func undo() -> Action? {
    guard let last = changes.popLast() else { return nil }
    return .set(key: last.key, value: last.before ?? "auto")
  }

  private mutating func remember(_ key: String, _ model: WatchModel) {
    let shown = key == "smoothing" ? model.smoothing.explicitText : model.setting(key)
    changes.append(Change(key: key, before: model.overrides.contains(key) ? shown : nil))
    if changes.count > 1_000 { changes.removeFirst() }
  }

  // MARK: - Rows

  /// The lines that the present settings have: a smoothing has none to two parameters.
  static func lines(_ model: WatchModel) -> [Line] {
    let count = model.smoothing.parameters.count
    return Line.allCases.filter { line in
      switch line {
      case .first: count > 0
      case .second: count > 1
      case .recenter: model.setting("mode") == "tilt"
      default: true
      }
    }
  }

  static func row(_ line: Line, _ model: WatchModel) -> TuneRow {
    let smoothing = model.smoothing
    let value = model.setting(line.key) ?? "?"
    let tilt = model.setting("mode") == "tilt"
    let (label, shown, help): (String, String, String) =
      switch line {
      case .mode: ("mode", value, "rate: speed; tilt: angle")
      case .strength:
        ("strength", "\(value) \(tilt ? "px/rad" : "px per rad/s")", "higher: moves farther")
      case .smoothing: ("smoothing", smoothing.kind.rawValue, Self.help(smoothing.kind))
      case .first, .second: Self.parameter(line == .first ? 0 : 1, smoothing)
      case .rangeX: ("range x", "\(value) px", "wider: deeper, more margin")
      case .rangeY: ("range y", "\(value) px", "wider: deeper, more margin")
      case .recenter: ("recenter", "\(value) s", "longer: tilt lasts longer")
      case .bias: ("bias", value, "subtract gyroscope bias")
      case .rate: ("rate", "\(value) Hz", "frames per second")
      }
    return TuneRow(
      key: line.key, label: label, value: shown, help: help,
      isChanged: model.overrides.contains(line.key))
  }

  private static func help(_ kind: SmoothingKind) -> String {
    switch kind {
    case .auto: "calm at rest, low lag"
    case .calm: "no tremor, 27 ms more lag"
    case .none: "unfiltered: shows tremor"
    case .ema: "moving average"
    case .oneEuro: "less lag in fast motion"
    case .spring: "follows like a spring"
    }
  }

  private static func parameter(
    _ index: Int, _ smoothing: Smoothing
  ) -> (String, String, String) {
    let parameters = smoothing.parameters
    let value = index < parameters.count ? SettingText.text(parameters[index]) : ""
    return switch (smoothing.kind, index) {
    case (.ema, _): ("  time", "\(value) s", "longer: calmer, more lag")
    case (.oneEuro, 0): ("  cutoff", "\(value) Hz", "lower: calmer at rest")
    case (.oneEuro, _): ("  beta", value, "higher: less lag when fast")
    case (_, 0): ("  response", "\(value) s", "longer: softer, more lag")
    default: ("  damping", value, "below 1: overshoots")
    }
  }

  // MARK: - Steps

  private static let rates = [15.0, 24, 30, 45, 60, 90, 120]

  private static func turned(_ line: Line, _ direction: Int, _ model: WatchModel) -> String? {
    guard let value = model.setting(line.key) else { return nil }
    switch line {
    case .mode: return value == "tilt" ? "rate" : "tilt"
    case .strength: return model.scaled(by: direction > 0 ? 1.25 : 0.8)
    case .smoothing: return model.smoothing.neighbor(direction).explicitText
    case .first: return model.smoothing.turned(0, direction)?.text
    case .second: return model.smoothing.turned(1, direction)?.text
    case .rangeX, .rangeY: return range(value, direction)
    case .recenter: return Double(value).map { text(step($0, direction), in: 0.05...3_600) }
    case .bias: return value == "off" ? "on" : "off"
    case .rate:
      let now = Double(value) ?? 30
      let next =
        direction > 0 ? rates.first { $0 > now } : rates.last { $0 < now }
      return next.map { Figures.short($0) }
    }
  }

  /// The next of a scale with ten steps per power of ten.
  static func step(_ value: Double, _ direction: Int) -> Double {
    let steps = [1.0, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8]
    var power = 1e-3
    var all: [Double] = []
    while power < 1e5 {
      all += steps.map { $0 * power }
      power *= 10
    }
    let next =
      direction > 0 ? all.first { $0 > value * 1.001 } : all.last { $0 < value * 0.999 }
    return next ?? value
  }

  static func text(_ value: Double, in range: ClosedRange<Double>) -> String {
    Figures.short(min(range.upperBound, max(range.lowerBound, value)), 4)
  }

  /// Both ends further out or in: by 1 px up to 10, then by 5.
  private static func range(_ text: String, _ direction: Int) -> String? {
    let ends = text.split(separator: ":").compactMap { Double($0) }
    guard ends.count == 2 else { return nil }
    func moved(_ end: Double) -> Double {
      guard end != 0 else { return 0 }
      let size = end.magnitude
      let unit = direction > 0 ? (size < 10 ? 1.0 : 5) : (size <= 10 ? 1 : 5)
      let next = max(1, ((size / unit).rounded() + Double(direction)) * unit)
      return end < 0 ? -next : next
    }
    return "\(Figures.short(moved(ends[0]))):\(Figures.short(moved(ends[1])))"
  }
}
