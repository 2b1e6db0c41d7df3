// SPDX-License-Identifier: Apache-2.0

import ParallaxDoctor
import Testing

@testable import ParallaxCommands

@Suite("The text of a diagnosis")
struct DiagnosisTextTests {
  private let ok = Finding.ok("libiio", "0.24")
  private let warning = Finding.warn("held by", "x: busy", fix: "end x")

  @Test func theColumnsAreAligned() {
    #expect(
      Diagnosis(findings: [ok, warning]).text == """
        ok    libiio   0.24
        warn  held by  x: busy; end x

        first thing to do: end x

        """)
  }

  @Test func linesToPasteComeAfterTheFindings() {
    var failure = Finding.fail("access", "denied", fix: "run the command below")
    failure.attachment = "# a rule\nsudo true"
    #expect(
      Diagnosis(findings: [warning, failure, ok]).text == """
        warn  held by  x: busy; end x
        FAIL  access   denied; run the command below
        ok    libiio   0.24

        # a rule
        sudo true

        first thing to do: run the command below

        """)
  }

  @Test func theLastLineSaysThatItWorks() {
    #expect(Diagnosis(findings: [ok]).text.hasSuffix("\n\neverything is fine\n"))
    #expect(
      Diagnosis(findings: [ok, .warn("trigger", "none")]).text
        .hasSuffix("\n\nit works; nothing needs to be done\n"))
  }

  @Test func controlCharactersAreEscaped() {
    var failure = Finding.fail("access", "of \u{1B}]0;x\u{7}", fix: "use \u{9B}2J")
    failure.attachment = "# a rule\n\u{202E}sudo true"
    #expect(
      Diagnosis(findings: [failure]).text == #"""
        FAIL  access  of \u{1b}]0;x\u{7}; use \u{9b}2J

        # a rule
        \u{202e}sudo true

        first thing to do: use \u{9b}2J

        """#)
  }

  @Test(arguments: [
    (Diagnosis.Verdict.works, ToolExit.success), (.needsPermission, .noPermission),
    (.fails, .unavailable),
  ])
  func theVerdictIsTheExitStatus(verdict: Diagnosis.Verdict, exit: ToolExit) {
    #expect(ToolExit(verdict) == exit)
  }
}
