// SPDX-License-Identifier: Apache-2.0

import ParallaxDoctor

extension Diagnosis {
  /// One line per finding, then the lines to paste, then the first thing to do.
  var text: String {
    let width = (findings.map(\.check.count).max() ?? 0) + 2
    var text = ""
    for finding in findings {
      let level = finding.level.rawValue
      let padding = String(repeating: " ", count: width - finding.check.count)
      text += "\(level)\(String(repeating: " ", count: 6 - level.count))\(finding.check)\(padding)"
      text += finding.text + (finding.fix.map { "; \($0)" } ?? "") + "\n"
    }
    for attachment in findings.compactMap(\.attachment) { text += "\n\(attachment)\n" }
    let last =
      firstStep.map { "first thing to do: \($0)" }
      ?? (worst == .ok ? "everything is fine" : "it works; nothing needs to be done")
    return text + "\n\(last)\n"
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
