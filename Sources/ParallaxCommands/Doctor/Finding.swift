/// What one check found.
struct Finding: Equatable, Sendable {
  enum Level: String, Comparable, Sendable {
    /// As it should be.
    case ok
    /// It works, and could work better.
    case warn
    /// The daemon would not work.
    case fail = "FAIL"

    static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .ok: 0
      case .warn: 1
      case .fail: 2
      }
    }
  }

  /// What was looked at, in a word.
  var check: String
  var level: Level
  /// What is.
  var text: String
  /// What to do, for a terminal or a person. nil: nothing is to be done, or nothing can.
  var mend: String?
  /// Whether permissions alone are in the way.
  var isPermission = false
  /// Lines that `mend` speaks of, to be pasted; below all findings.
  var attachment: String?

  static func ok(_ check: String, _ text: String) -> Finding {
    Finding(check: check, level: .ok, text: text)
  }

  static func warn(_ check: String, _ text: String, mend: String? = nil) -> Finding {
    Finding(check: check, level: .warn, text: text, mend: mend)
  }

  static func fail(_ check: String, _ text: String, mend: String? = nil) -> Finding {
    Finding(check: check, level: .fail, text: text, mend: mend)
  }
}

/// All findings, in the order in which things depend on each other.
struct Diagnosis: Equatable, Sendable {
  var findings: [Finding]

  var worst: Finding.Level { findings.map(\.level).max() ?? .ok }

  /// 0 only where the daemon would work.
  var exit: ToolExit {
    let failures = findings.filter { $0.level == .fail }
    if failures.isEmpty { return .success }
    return failures.allSatisfy(\.isPermission) ? .noPermission : .unavailable
  }

  /// What to do before anything else; nil: nothing.
  var firstThing: String? {
    for level in [Finding.Level.fail, .warn] {
      for finding in findings where finding.level == level {
        if let mend = finding.mend { return mend }
      }
    }
    return nil
  }

  /// A line a check, what is to be pasted, and the first thing to do.
  var text: String {
    let width = (findings.map(\.check.count).max() ?? 0) + 2
    var text = ""
    for finding in findings {
      let level = finding.level.rawValue
      let padding = String(repeating: " ", count: width - finding.check.count)
      text += "\(level)\(String(repeating: " ", count: 6 - level.count))\(finding.check)\(padding)"
      text += finding.text + (finding.mend.map { "; \($0)" } ?? "") + "\n"
    }
    for attachment in findings.compactMap(\.attachment) { text += "\n\(attachment)\n" }
    let last =
      firstThing.map { "first thing to do: \($0)" }
      ?? (worst == .ok ? "everything is fine" : "it works, and nothing is to be done")
    return text + "\n\(last)\n"
  }
}
