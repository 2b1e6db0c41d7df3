// SPDX-License-Identifier: Apache-2.0

/// The result of one check.
struct Finding: Equatable, Sendable {
  enum Level: String, Comparable, Sendable {
    /// As it should be.
    case ok
    /// Neither good nor bad, or unknown.
    case note
    /// It works, but could work better.
    case warn
    /// The daemon would not work.
    case fail = "FAIL"

    static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

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
  var check: String
  var level: Level
  /// What was found.
  var text: String
  /// A command or an instruction; nil if nothing needs to be done, or nothing can be done.
  var fix: String?
  /// Whether only permissions are missing.
  var isPermission = false
  /// Lines to paste that `fix` refers to. They are printed after all findings.
  var attachment: String?

  static func ok(_ check: String, _ text: String) -> Finding {
    Finding(check: check, level: .ok, text: text)
  }

  static func note(_ check: String, _ text: String) -> Finding {
    Finding(check: check, level: .note, text: text)
  }

  static func warn(_ check: String, _ text: String, fix: String? = nil) -> Finding {
    Finding(check: check, level: .warn, text: text, fix: fix)
  }

  static func fail(_ check: String, _ text: String, fix: String? = nil) -> Finding {
    Finding(check: check, level: .fail, text: text, fix: fix)
  }
}

/// All findings. A finding comes after those that it depends on.
struct Diagnosis: Equatable, Sendable {
  var findings: [Finding]

  enum Verdict: Equatable, Sendable {
    /// The daemon would work.
    case works
    /// Only permissions are missing.
    case needsPermission
    case fails
  }

  var verdict: Verdict {
    let failures = findings.filter { $0.level == .fail }
    if failures.isEmpty { return .works }
    return failures.allSatisfy(\.isPermission) ? .needsPermission : .fails
  }

  var worst: Finding.Level { findings.map(\.level).max() ?? .ok }

  /// The fix to start with: the first failure's, else the first warning's; nil if there is none.
  var firstStep: String? {
    for level in [Finding.Level.fail, .warn] {
      for finding in findings where finding.level == level {
        if let fix = finding.fix { return fix }
      }
    }
    return nil
  }
}
