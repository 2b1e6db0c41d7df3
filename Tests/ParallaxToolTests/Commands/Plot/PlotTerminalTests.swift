// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

/// `--plot -` on terminals of several kinds. Answers are typed in advance, so that none is late.
@Suite("Plots on terminals", .timeLimit(.minutes(10)))
struct PlotTerminalTests {
  private static let kitty = "\u{1B}_Gi=31;OK\u{1B}\\"
  private static let light = "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\"

  private func draw(
    answering answer: String, _ environment: [String: String?] = [:]
  ) throws -> String {
    let folder = try TemporaryFolder()
    let rows = (0..<200).map { "\(Double($0) / 100),\(Double($0 % 40) / 40),0.1,0\n" }
    let trace = try folder.write("t,x,y,z\n" + rows.joined(), to: "walk.csv")
    var all: [String: String?] = [
      "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "NO_COLOR": nil, "STY": nil,
    ]
    all.merge(environment) { $1 }
    let program = try TerminalProgram(
      .parallax, ["replay", trace, "--plot", "-"], environment: all)
    let before = program.modes
    program.type(answer)
    #expect(try program.finish() == 0)
    #expect(program.modes == before)
    return program.output
  }

  @Test func kittysProtocolComesFirst() throws {
    let output = try draw(answering: Self.kitty + Self.light + "\u{1B}[4;600;800t\u{1B}[?62;4;c")
    #expect(output.contains("\u{1B}_Ga=T,f=100,q=2,m=1;"))
    // 24 lines of 25 px; the prompt and the cursor keep two.
    #expect(!output.contains("\u{1B}Pq"))
  }

  @Test func sixelHasTheTerminalsSizeAndBackground() throws {
    let output = try draw(answering: Self.light + "\u{1B}[4;480;640t\u{1B}[?62;4;c")
    #expect(output.contains("\u{1B}Pq\"1;1;640;400"))
    #expect(output.contains("#0;2;98;98;99") || output.contains(";2;100;100;100"), "light")
    let dark = try draw(answering: "\u{1B}[4;480;640t\u{1B}[?62;4;c")
    #expect(!dark.contains(";2;100;100;100"), "dark")
  }

  @Test func otherTerminalsGetCharacters() throws {
    let output = try draw(answering: "\u{1B}[?1;2c")
    #expect(output.contains("\u{1B}[94m") && output.contains("Offset, px"))
    #expect(output.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) })
    let gray = try draw(answering: "\u{1B}[?1;2c", ["NO_COLOR": "1"])
    #expect(!gray.contains("\u{1B}[94m"))
  }

  /// These terminals would show the questions.
  @Test func simpleTerminalsAreNotAsked() throws {
    for term in ["dumb", "linux"] {
      let output = try draw(answering: "", ["TERM": term])
      #expect(!output.contains("\u{1B}[c") && output.contains("Offset, px"))
      #expect(!output.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) })
    }
    let screen = try draw(answering: "\u{1B}[?1;2c", ["STY": "1.pts-0.host"])
    #expect(!screen.contains("\u{1B}_G") && screen.contains("\u{1B}[c"))
  }
}
