// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxProtocol

extension Diagnosis {
  /// One line per finding, then the lines to paste, then the first thing to do. Control characters,
  /// perhaps from a device, a bus or the daemon, are escaped.
  var text: String { text(hasColor: false, showsAll: true) }

  /// - Parameters:
  ///   - hasColor: Whether the levels have the colors of a terminal.
  ///   - showsAll: Whether to show what is ok, too.
  func text(hasColor: Bool, showsAll: Bool) -> String {
    let shown = showsAll ? findings : findings.filter { $0.level >= .warn }
    let width = (shown.map(\.check.count).max() ?? 0) + 2
    var text = ""
    for finding in shown {
      let level = finding.level.rawValue
      let padding = String(repeating: " ", count: width - finding.check.count)
      text += hasColor ? "\u{1B}[\(finding.level.color)m\(level)\u{1B}[0m" : level
      text += "\(String(repeating: " ", count: 6 - level.count))\(finding.check)\(padding)"
      text += PrintableText.escaped(finding.text + (finding.fix.map { "; \($0)" } ?? "")) + "\n"
    }
    for attachment in findings.compactMap(\.attachment) {
      let lines = attachment.split(separator: "\n", omittingEmptySubsequences: false)
      text += "\n\(lines.map { PrintableText.escaped(String($0)) }.joined(separator: "\n"))\n"
    }
    return text + "\(text.isEmpty ? "" : "\n")\(PrintableText.escaped(conclusion))\n"
  }

  private var conclusion: String {
    firstStep.map { "first thing to do: \($0)" }
      ?? (worst == .ok ? "everything is fine" : "it works; nothing needs to be done")
  }

  /// One JSON object on one line: `verdict`, `exit`, `first_step` and `findings`.
  var json: String {
    var object: JSONObject = ["verdict": .string(verdict.word)]
    object.add("exit", .integer(Int64(ToolExit(verdict).rawValue)))
    object.add("first_step", text: firstStep)
    object.add("findings", .array(findings.map { .object($0.json) }))
    var line: [UInt8] = []
    PrintableText.append(json: Array(JSONValue.object(object).text.utf8)[...], to: &line)
    return String(decoding: line, as: UTF8.self)
  }
}

extension Finding {
  fileprivate var json: JSONObject {
    var object: JSONObject = ["level": .string(level.rawValue.lowercased())]
    object.add("check", text: check)
    object.add("text", text: text)
    object.add("fix", text: fix)
    object.add("attachment", text: attachment)
    return object
  }
}

extension Diagnosis.Verdict {
  fileprivate var word: String {
    switch self {
    case .works: "works"
    case .needsPermission: "needs-permission"
    case .fails: "fails"
    }
  }
}

extension Finding.Level {
  /// The color of ECMA-48's SGR.
  fileprivate var color: Int {
    switch self {
    case .ok: 32
    case .note: 36
    case .warn: 33
    case .fail: 31
    }
  }
}

extension ToolExit {
  /// The exit status of `parallax doctor`.
  init(_ verdict: Diagnosis.Verdict) {
    self =
      switch verdict {
      case .works: .success
      case .needsPermission: .noPermission
      case .fails: .unavailable
      }
  }
}
