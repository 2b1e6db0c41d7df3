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

  @Test(arguments: [
    (Diagnosis.Verdict.works, ToolExit.success), (.needsPermission, .noPermission),
    (.fails, .unavailable),
  ])
  func theVerdictIsTheExitStatus(verdict: Diagnosis.Verdict, exit: ToolExit) {
    #expect(ToolExit(verdict) == exit)
  }
}
