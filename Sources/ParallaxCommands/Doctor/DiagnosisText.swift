// SPDX-License-Identifier: Apache-2.0

import ParallaxDoctor
import ParallaxText

extension Diagnosis {
  /// One line per finding, then the lines to paste, then the first thing to do. Control characters,
  /// perhaps from a device, a bus or the daemon, are escaped.
  var text: String {
    let width = (findings.map(\.check.count).max() ?? 0) + 2
    var text = ""
    for finding in findings {
      let level = finding.level.rawValue
      let padding = String(repeating: " ", count: width - finding.check.count)
      text += "\(level)\(String(repeating: " ", count: 6 - level.count))\(finding.check)\(padding)"
      text += PrintableText.escaped(finding.text + (finding.fix.map { "; \($0)" } ?? "")) + "\n"
    }
    for attachment in findings.compactMap(\.attachment) {
      let lines = attachment.split(separator: "\n", omittingEmptySubsequences: false)
      text += "\n\(lines.map { PrintableText.escaped(String($0)) }.joined(separator: "\n"))\n"
    }
    let last =
      firstStep.map { "first thing to do: \($0)" }
      ?? (worst == .ok ? "everything is fine" : "it works; nothing needs to be done")
    return text + "\n\(PrintableText.escaped(last))\n"
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
