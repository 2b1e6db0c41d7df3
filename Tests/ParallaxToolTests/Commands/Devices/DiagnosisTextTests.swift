// SPDX-License-Identifier: Apache-2.0

@testable import ParallaxTool
import Testing

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
      Diagnosis(findings: [ok, .note("daemon", "not running")]).text
        .hasSuffix("\n\nit works; nothing needs to be done\n"))
    #expect(
      Diagnosis(findings: [ok, .warn("trigger", "none")]).text
        .hasSuffix("\n\nit works; nothing needs to be done\n"))
  }

  @Test func colorsAndWhatIsNotOk() {
    let diagnosis = Diagnosis(
      findings: [ok, .note("agent", "none"), warning, .fail("scale", "none", fix: "use another")])
    #expect(
      diagnosis.text(hasColor: true, showsAll: true) == """
        \u{1B}[32mok\u{1B}[0m    libiio   0.24
        \u{1B}[36mnote\u{1B}[0m  agent    none
        \u{1B}[33mwarn\u{1B}[0m  held by  x: busy; end x
        \u{1B}[31mFAIL\u{1B}[0m  scale    none; use another

        first thing to do: use another

        """)
    #expect(
      diagnosis.text(hasColor: false, showsAll: false) == """
        warn  held by  x: busy; end x
        FAIL  scale    none; use another

        first thing to do: use another

        """)
    #expect(
      Diagnosis(findings: [ok]).text(hasColor: false, showsAll: false) == "everything is fine\n")
  }

  @Test func jsonIsOneLine() {
    var failure = Finding.fail("access", "of \u{9B}2J \"x\"", fix: "join")
    failure.isPermission = true
    failure.attachment = "a\nb"
    #expect(
      Diagnosis(findings: [ok, failure]).json
        == #"{"verdict":"needs-permission","exit":77,"first_step":"join","findings":["#
        + #"{"level":"ok","check":"libiio","text":"0.24"},"#
        + #"{"level":"fail","check":"access","text":"of \u009b2J \"x\"","fix":"join","#
        + #""attachment":"a\nb"}]}"#)
    #expect(
      Diagnosis(findings: [ok]).json
        == #"{"verdict":"works","exit":0,"findings":[{"level":"ok","check":"libiio","text":"0.24"}]}"#
    )
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
