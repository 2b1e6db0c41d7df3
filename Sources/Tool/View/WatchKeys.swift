// SPDX-License-Identifier: Apache-2.0

import ParallaxGates
import ParallaxMotion
import ParallaxProtocol

/// What a key asks for.
package enum WatchAction: Equatable, Sendable {
  case quit
  case toggleHelp
  case recenter
  /// A change of a setting, in the words of `parallax set`.
  case set(key: String, value: String)
}

extension WatchModel {
  /// The smoothings that a key goes through, with parameters to begin with.
  static var smoothings: [String] { Smoothing.examples }

  /// Returns what a key asks for; nil if it has no meaning.
  package func action(for key: Key) -> WatchAction? {
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
    let current = setting("smoothing") ?? "auto"
    // `auto` in SET is the configured smoothing; the one of that name has another name there.
    if current == "auto" { return Self.smoothings[1] }
    let kind = current.prefix { $0 != ":" }
    let index =
      Self.smoothings.firstIndex(of: current)
      ?? Self.smoothings.firstIndex { $0.prefix { $0 != ":" } == kind } ?? 0
    return Self.smoothings[(index + 1) % Self.smoothings.count]
  }

  private var nextOrientation: String {
    let turns = ["auto", "normal", "left-up", "bottom-up", "right-up"]
    let current =
      status.map { $0.orientationSource == .set ? $0.orientation.rawValue : "auto" } ?? "auto"
    return turns[((turns.firstIndex(of: current) ?? 0) + 1) % turns.count]
  }
}
