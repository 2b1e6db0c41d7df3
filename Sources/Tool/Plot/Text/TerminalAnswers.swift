// SPDX-License-Identifier: Apache-2.0

/// What a terminal says that it can show.
struct TerminalAnswers: Equatable, Sendable {
  /// Kitty's graphics protocol, also in WezTerm, Konsole and Ghostty.
  private(set) var hasKittyGraphics = false
  private(set) var hasSixel = false
  /// 0xRRGGBB; nil if the terminal does not say.
  private(set) var background: UInt32?
  /// The text area in px; nil if the terminal does not say.
  private(set) var pixels: PlotSize?
  /// Whether the last question has been answered, so that no other answer follows.
  private(set) var isComplete = false

  /// The questions: a picture of one pixel that is not shown (kitty's graphics protocol, "Querying support"), the
  /// background (xterm, OSC 11), the text area in px (xterm, CSI 14 t) and the device attributes, which every
  /// terminal answers and among which 4 is Sixel (VT100, DA1).
  ///
  /// - Parameter hasKittyQuery: Whether to ask about kitty's protocol. GNU Screen would show that question.
  static func questions(hasKittyQuery: Bool) -> String {
    (hasKittyQuery ? "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\" : "")
      + "\u{1B}]11;?\u{1B}\\\u{1B}[14t\u{1B}[c"
  }

  /// Reads answers. Anything else, such as keys that were pressed, is ignored.
  init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while let escape = rest.firstIndex(of: 0x1B) {
      rest = rest[(escape + 1)...]
      guard let kind = rest.first else { return }
      rest = rest.dropFirst()
      switch kind {
      case UInt8(ascii: "_"), UInt8(ascii: "]"):
        guard let end = rest.firstIndex(where: { $0 == 0x1B || $0 == 0x07 }) else { return }
        let text = String(decoding: rest[..<end], as: UTF8.self)
        rest = rest[end...]
        if kind == UInt8(ascii: "_") {
          if text.hasPrefix("Gi=31"), text.hasSuffix(";OK") { hasKittyGraphics = true }
        } else if text.hasPrefix("11;") {
          background = Self.color(text.dropFirst(3))
        }
      case UInt8(ascii: "["):
        guard let end = rest.firstIndex(where: { (0x40...0x7E).contains($0) }) else { return }
        control(String(decoding: rest[..<end], as: UTF8.self), final: rest[end])
        rest = rest[(end + 1)...]
      default: break
      }
    }
  }

  private mutating func control(_ text: String, final: UInt8) {
    switch final {
    case UInt8(ascii: "c") where text.hasPrefix("?"):
      isComplete = true
      hasSixel = text.dropFirst().split(separator: ";").dropFirst().contains("4")
    case UInt8(ascii: "t"):
      let numbers = text.split(separator: ";").compactMap { Int($0) }
      if numbers.count == 3, numbers[0] == 4, (1...20_000).contains(numbers[1]),
        (1...20_000).contains(numbers[2])
      {
        pixels = PlotSize(width: numbers[2], height: numbers[1])
      }
    default: break
    }
  }

  /// Reads `rgb:RRRR/GGGG/BBBB` with 1 to 4 digits each (XParseColor).
  private static func color(_ text: Substring) -> UInt32? {
    guard text.hasPrefix("rgb:") else { return nil }
    let parts = text.dropFirst(4).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    var color: UInt32 = 0
    for part in parts {
      guard (1...4).contains(part.count), let value = UInt32(part, radix: 16) else { return nil }
      color = color << 8 | value * 255 / (UInt32(1) << UInt32(4 * part.count) - 1)
    }
    return color
  }

  /// Whether the background is dark; true if it is unknown, as most terminals are.
  var isDark: Bool {
    guard let background else { return true }
    let color = PlotColor(background)
    return 0.299 * color.component(16) + 0.587 * color.component(8) + 0.114 * color.component(0)
      < 0.5
  }
}
