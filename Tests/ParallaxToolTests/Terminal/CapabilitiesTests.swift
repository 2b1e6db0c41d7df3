// SPDX-License-Identifier: Apache-2.0

@testable import ParallaxTool
import Testing

@Suite struct CapabilitiesTests {
  /// As in the terminfo database: name, colors, whether the cursor is placed as in ECMA-48.
  private static let database: [String: (Int, Bool)] = [
    "xterm": (8, true), "xterm-256color": (256, true), "screen-256color": (256, true),
    "linux": (8, true), "rxvt-16color": (16, true), "vt100": (0, true), "tvi925": (0, false),
  ]

  private func capabilities(_ variables: [String: String]) -> TerminalCapabilities? {
    TerminalCapabilities(environment: { variables[$0] }) { term in
      Self.database[term].map {
        TerminalCapabilities.Entry(isANSI: $0.1, colors: $0.0, sequences: .xterm)
      }
    }
  }

  @Test(arguments: [
    (["TERM": "xterm"], ColorLevel.eight),
    (["TERM": "rxvt-16color"], .sixteen),
    (["TERM": "xterm-256color"], .palette256),
    (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .trueColor),
    (["TERM": "screen-256color", "COLORTERM": "truecolor"], .palette256),
    (["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"], .none),
    (["TERM": "xterm-256color", "NO_COLOR": ""], .palette256),
    (["TERM": "vt100"], .none),
    // A new terminal that this machine's database lacks.
    (["TERM": "brand-new"], .palette256),
  ])
  func colors(variables: [String: String], level: ColorLevel) throws {
    #expect(try #require(capabilities(variables)).colors == level)
  }

  @Test(arguments: [
    (["LANG": "de_DE.UTF-8"], true), (["LANG": "C.utf8"], true), (["LANG": "C"], false),
    (["LANG": "ja_JP.UTF-8@x"], true), ([:], false), (["LANG": "de_DE@euro"], false),
    (["LANG": "C", "LC_CTYPE": "C.UTF-8"], true),
    (["LANG": "C.UTF-8", "LC_ALL": "POSIX"], false),
    (["LANG": "C.UTF-8", "LC_ALL": ""], true),
    (["LANG": "C.UTF-8", "TERM": "linux"], false),
  ])
  func unicode(variables: [String: String], isUnicode: Bool) throws {
    let all = ["TERM": "xterm"].merging(variables) { $1 }
    #expect(try #require(capabilities(all)).isUnicode == isUnicode)
  }

  @Test(arguments: [["TERM": "dumb"], [:], ["TERM": ""], ["TERM": "tvi925"]])
  func withoutACursorThereIsNoScreen(variables: [String: String]) {
    #expect(capabilities(variables) == nil)
  }

  @Test func theDatabaseOfThisMachine() throws {
    let xterm = try #require(TerminalCapabilities.terminfo("xterm-256color"))
    #expect(xterm.isANSI && xterm.colors == 256)
    #expect(xterm.sequences.enter.hasPrefix("\u{1B}[?1049h"))
    #expect(xterm.sequences.leave.hasPrefix("\u{1B}[?1049l"))
    #expect(xterm.sequences.showCursor.hasSuffix("\u{1B}[?25h"))
    // Its sequences have delays.
    let vt100 = try #require(TerminalCapabilities.terminfo("vt100"))
    #expect(vt100.colors == 0 && vt100.isANSI)
    #expect(TerminalCapabilities.terminfo("no-such-terminal") == nil)
  }
}
