// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxProtocol

/// The format of a status bar. A bar always shows something: the offset, or why nothing moves.
enum BarFormat: String, CaseIterable {
  /// A JSON object per line, for a custom module with `"return-type": "json"` (waybar-custom(5)).
  case waybar
  /// Plain text, for `custom/script` with `tail = true`. It also suits i3blocks with
  /// `interval=persist`.
  case polybar
  /// A header and an endless JSON array, for `status_command` of i3bar and swaybar.
  case i3bar

  /// Offsets per second, unless the user asks for others.
  static let defaultRateHertz = 10.0

  /// The lines before the first.
  var header: String {
    switch self {
    case .waybar, .polybar: ""
    case .i3bar: "{\"version\":1}\n[\n"
    }
  }

  /// Returns the line without its line feed.
  func line(of view: StreamView) -> String {
    switch self {
    case .waybar: Self.waybarLine(of: view)
    // No tag of polybar's may come from the daemon.
    case .polybar: Self.text(of: view).replacing("%{", with: "% {")
    case .i3bar: Self.i3barLine(of: view)
    }
  }

  /// Returns the offset in px with a sign and one decimal, or why nothing moves.
  static func text(of view: StreamView) -> String {
    PrintableText.line(view.cause ?? offset(view, decimals: 1).joined(separator: " "))
  }

  private static func offset(_ view: StreamView, decimals: Int) -> [String] {
    var spec = FormatSpec()
    spec.sign = .plus
    spec.decimals = decimals
    return [spec.text(view.offset?.x ?? 0), spec.text(view.offset?.y ?? 0)]
  }

  private static func waybarLine(of view: StreamView) -> String {
    // The larger of the two fractions of the range: 0 at rest, 100 at its end.
    let fraction = max(view.offset?.nx.magnitude ?? 0, view.offset?.ny.magnitude ?? 0)
    return JSONValue.object([
      "text": .string(markup(text(of: view))), "tooltip": .string(markup(tooltip(of: view))),
      "alt": .string(view.stateWord), "class": .string(view.stateWord),
      "percentage": .integer(DecimalText.scaled(min(fraction, 1), decimals: 2)),
    ]).text
  }

  private static func tooltip(of view: StreamView) -> String {
    guard view.offline == nil else { return "parallax: \(text(of: view))" }
    let offset = offset(view, decimals: 2)
    let device = [view.device?.name, view.deviceWord].compactMap(\.self).joined(separator: ", ")
    let reasons = view.reasons.isEmpty ? "" : ": " + view.reasons.joined(separator: ", ")
    return ["x \(offset[0]) px, y \(offset[1]) px", device, "gate \(view.gateWord)\(reasons)"]
      .map { PrintableText.line($0) }.joined(separator: "\n")
  }

  /// waybar reads text and tooltip as Pango markup.
  private static func markup(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  private static func i3barLine(of view: StreamView) -> String {
    var block: JSONObject = ["name": "parallax", "full_text": .string(text(of: view))]
    if view.cause != nil { block.add("color", text: "#888888") }
    return JSONValue.array([.object(block)]).text + ","
  }
}
