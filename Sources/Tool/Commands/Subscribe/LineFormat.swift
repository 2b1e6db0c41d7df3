// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// The value of `--format`.
enum LineFormat: Equatable {
  /// The lines of the stream as they are.
  case json
  /// Offsets as columns.
  case csv
  case bar(BarFormat)
  case template(LineTemplate)

  static let names = ["json", "csv"] + BarFormat.allCases.map(\.rawValue)

  init(parsing text: String) throws(CommandFailure) {
    if text == "json" {
      self = .json
    } else if text == "csv" {
      self = .csv
    } else if let bar = BarFormat(rawValue: text) {
      self = .bar(bar)
    } else if text.contains("{") || text.contains("}") {
      do {
        self = .template(try LineTemplate(parsing: text))
      } catch {
        throw CommandFailure(.usage, "--format: \(error.message)")
      }
    } else {
      let guess = NearestName.of(text, among: Self.names).map { " did you mean '\($0)'? Use" }
      throw CommandFailure(
        .usage,
        "--format: unknown format '\(text)';\(guess ?? " use") "
          + "\(Self.names.joined(separator: ", ")) or a template such as '{x:+.1f} {y:+.1f}'")
    }
  }

  var isBar: Bool { if case .bar = self { true } else { false } }

  /// Whether the lines show the present state, and not one line of the stream each.
  var showsState: Bool {
    switch self {
    case .json, .csv: false
    case .bar, .template: true
    }
  }
}
