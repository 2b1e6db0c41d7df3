// SPDX-License-Identifier: Apache-2.0

import ParallaxGates
import ParallaxMotion
import ParallaxProtocol

/// What a key asks for.
enum WatchAction: Equatable, Sendable {
  case quit
  case toggleHelp
  case recenter
  /// A change of a setting, in the words of `parallax set`.
  case set(key: String, value: String)
}

extension WatchModel {
  /// Returns what a key asks for; nil if it has no meaning.
  func action(for key: Key) -> WatchAction? {
    switch key {
    case .character("q"), .control("c"): .quit
    case .escape: isHelpShown ? .toggleHelp : nil
    case .character("?"), .character("h"): .toggleHelp
    case .character("c"), .character("r"): .recenter
    case .character(" "):
      .set(
        key: "paused",
        value: gate?.reasons.contains(GateReason.paused.rawValue) ?? false ? "off" : "on")
    case .character("+"), .character("="): .set(key: "scale", value: scaled(by: 1.25))
    case .character("-"), .character("_"): .set(key: "scale", value: scaled(by: 0.8))
    case .character("s"): .set(key: "smoothing", value: nextSmoothing)
    case .character("o"): .set(key: "orientation", value: nextOrientation)
    case .character("m"):
      .set(key: "mode", value: setting("mode") == "tilt" ? "rate" : "tilt")
    default: nil
    }
  }

  func scaled(by factor: Double) -> String {
    let automatic = setting("mode") == "tilt" ? "14.3" : "5"
    let text = setting("scale").flatMap { $0 == "auto" ? nil : $0 } ?? automatic
    return text.split(separator: ",").map { part in
      // Two significant digits, so that + and - meet again.
      let value = (Double(part) ?? 5) * factor
      let decimals = value.magnitude < 1 ? 2 : value.magnitude < 10 ? 1 : 0
      return Figures.short(value == 0 ? 1 : value, decimals)
    }.joined(separator: ",")
  }

  private var nextSmoothing: String {
    smoothing.neighbor(1).explicitText
  }

  /// The daemon's smoothing; the default while it is unknown.
  var smoothing: Smoothing {
    setting("smoothing").flatMap { try? Smoothing(parsing: $0) } ?? .auto(.normal)
  }

  private var nextOrientation: String {
    let turns = ["auto", "normal", "left-up", "bottom-up", "right-up"]
    let current =
      status.map { $0.orientationSource == .set ? $0.orientation.rawValue : "auto" } ?? "auto"
    return turns[((turns.firstIndex(of: current) ?? 0) + 1) % turns.count]
  }
}

extension Smoothing {
  /// Returns the kind that is `step` further in the list, with parameters to begin with.
  func neighbor(_ step: Int) -> Smoothing {
    let all = Self.examples
    let index = all.firstIndex { $0.kind == kind } ?? 0
    return all[(index + step + all.count) % all.count]
  }

  /// Returns the filter with one parameter a step further; nil if there is no such parameter.
  func turned(_ index: Int, _ direction: Int) -> Smoothing? {
    guard parameters.indices.contains(index) else { return nil }
    let least =
      switch (kind, index) {
      case (.oneEuro, 1): 0.0
      case (.spring, 1): 0.05
      default: 0.005
      }
    let value = parameters[index]
    let next = value == 0 && direction > 0 ? 0.01 : TuneModel.step(value, direction)
    var result = parameters
    result[index] = Double(TuneModel.text(next, in: least...1_000)) ?? value
    if kind == .spring, index == 1 {
      result[index] = min(result[index], Self.dampingRange.upperBound)
    }
    return Smoothing(kind, result)
  }
}
