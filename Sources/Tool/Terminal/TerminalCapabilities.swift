// SPDX-License-Identifier: Apache-2.0

import CTerminal

/// What a terminal can show.
struct TerminalCapabilities: Equatable, Sendable {
  /// Whether characters beyond ASCII arrive: the locale's encoding is UTF-8, and the terminal is not the
  /// kernel's own, whose fonts have few of them.
  var isUnicode: Bool
  var colors: ColorLevel
  /// The sequences to and from the alternate screen, and for the cursor.
  var sequences: Sequences

  struct Sequences: Equatable, Sendable {
    var enter: String
    var leave: String
    var hideCursor: String
    var showCursor: String

    /// Those of xterm, which every terminal emulator of today understands.
    static let xterm = Sequences(
      enter: "\u{1B}[?1049h", leave: "\u{1B}[?1049l", hideCursor: "\u{1B}[?25l",
      showCursor: "\u{1B}[?25h")
  }

  /// An entry of the terminfo database.
  struct Entry: Equatable, Sendable {
    /// Whether the cursor is placed by the sequence of ECMA-48.
    var isANSI: Bool
    var colors: Int
    var sequences: Sequences
  }

  init(isUnicode: Bool, colors: ColorLevel, sequences: Sequences = .xterm) {
    self.isUnicode = isUnicode
    self.colors = colors
    self.sequences = sequences
  }

  /// Reads the environment; nil if the terminal cannot place its cursor, as with TERM=dumb.
  ///
  /// - Parameters:
  ///   - environment: Returns the value of a variable.
  ///   - entry: Returns the terminal's entry in the terminfo database; nil if it has none, as on a machine
  ///     that does not know a new terminal. It is then taken for an xterm.
  init?(
    environment: (String) -> String?, entry: (String) -> Entry? = Self.terminfo
  ) {
    func value(_ name: String) -> String? {
      environment(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    guard let term = value("TERM"), term != "dumb" else { return nil }
    let entry = entry(term)
    if let entry, !entry.isANSI { return nil }
    let locale = value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? ""
    let isKernel = term == "linux" || term.hasPrefix("linux-")
    self.init(
      isUnicode: Self.isUTF8(locale) && !isKernel,
      colors: value("NO_COLOR") != nil
        ? .none : Self.colors(term, value("COLORTERM"), count: entry?.colors ?? 256),
      sequences: entry?.sequences ?? .xterm)
  }

  /// Whether a locale's name, as in `de_DE.UTF-8@euro`, says UTF-8.
  private static func isUTF8(_ locale: String) -> Bool {
    guard let dot = locale.firstIndex(of: ".") else { return false }
    let codeset = locale[dot...].dropFirst().prefix { $0 != "@" }.lowercased()
    return codeset == "utf-8" || codeset == "utf8"
  }

  private static func colors(_ term: String, _ colorTerm: String?, count: Int) -> ColorLevel {
    // GNU screen misreads the sequences of 24-bit color, and passes COLORTERM on.
    let isScreen = term.hasPrefix("screen")
    if !isScreen, term.hasSuffix("-direct") || colorTerm == "truecolor" || colorTerm == "24bit" {
      return .trueColor
    }
    switch count {
    case 256...: return .palette256
    case 16...: return .sixteen
    case 8...: return .eight
    default: return .none
    }
  }

  /// Reads the terminfo database.
  static func terminfo(_ term: String) -> Entry? {
    var info = parallax_terminfo()
    parallax_terminfo_read(term, &info)
    guard info.is_known != 0 else { return nil }
    func text<Field>(_ field: Field) -> String {
      withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    return Entry(
      isANSI: info.is_ansi != 0, colors: Int(info.colors),
      sequences: Sequences(
        enter: text(info.enter), leave: text(info.leave), hideCursor: text(info.hide),
        showCursor: text(info.show)))
  }
}
