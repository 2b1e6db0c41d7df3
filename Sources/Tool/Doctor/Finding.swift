// SPDX-License-Identifier: Apache-2.0

/// The result of one check.
package struct Finding: Equatable, Sendable {
  package enum Level: String, Comparable, Sendable {
    /// As it should be.
    case ok
    /// Neither good nor bad, or unknown.
    case note
    /// It works, but could work better.
    case warn
    /// The daemon would not work.
    case fail = "FAIL"

    package static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .ok: 0
      case .note: 1
      case .warn: 2
      case .fail: 3
      }
    }
  }

  /// The subject, in a word or two.
  package var check: String
  package var level: Level
  /// What was found.
  package var text: String
  /// A command or an instruction; nil if nothing needs to be done, or nothing can be done.
  package var fix: String?
  /// Whether only permissions are missing.
  package var isPermission = false
  /// Lines to paste that `fix` refers to. They are printed after all findings.
  package var attachment: String?

  package static func ok(_ check: String, _ text: String) -> Finding {
    Finding(check: check, level: .ok, text: text)
  }

  package static func note(_ check: String, _ text: String) -> Finding {
    Finding(check: check, level: .note, text: text)
  }

  package static func warn(_ check: String, _ text: String, fix: String? = nil) -> Finding {
    Finding(check: check, level: .warn, text: text, fix: fix)
  }

  package static func fail(_ check: String, _ text: String, fix: String? = nil) -> Finding {
    Finding(check: check, level: .fail, text: text, fix: fix)
  }
}

/// All findings. A finding comes after those that it depends on.
package struct Diagnosis: Equatable, Sendable {
  package var findings: [Finding]

  package init(findings: [Finding]) {
    self.findings = findings
  }

  package enum Verdict: Equatable, Sendable {
    /// The daemon would work.
    case works
    /// Only permissions are missing.
    case needsPermission
    case fails
  }

  package var verdict: Verdict {
    let failures = findings.filter { $0.level == .fail }
    if failures.isEmpty { return .works }
    return failures.allSatisfy(\.isPermission) ? .needsPermission : .fails
  }

  package var worst: Finding.Level { findings.map(\.level).max() ?? .ok }

  /// The fix to start with: the first failure's, else the first warning's; nil if there is none.
  package var firstStep: String? {
    for level in [Finding.Level.fail, .warn] {
      for finding in findings where finding.level == level {
        if let fix = finding.fix { return fix }
      }
    }
    return nil
  }
}
