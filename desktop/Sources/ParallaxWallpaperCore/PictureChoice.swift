// SPDX-License-Identifier: Apache-2.0

/// Which outputs to cover, and with which pictures, as the command line says it.
package struct PictureChoice: Equatable, Sendable {
  /// The picture of outputs without one of their own: a path or a name; nil: the user's files decide.
  package let general: String?
  /// The outputs to cover; empty: all.
  package let outputs: [String]
  /// The pictures of single outputs: paths or names.
  private let own: [String: String]

  /// - Parameter outputs: `NAME` or `NAME=PICTURE`.
  package init(general: String?, outputs: [String]) throws(WallpaperError) {
    var names: [String] = []
    var own: [String: String] = [:]
    for option in outputs {
      let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard !name.isEmpty, parts.last?.isEmpty == false else {
        throw WallpaperError(
          "--output: expected NAME or NAME=PICTURE, as in eDP-1=valley, got '\(option)'",
          kind: .usage)
      }
      guard !names.contains(name) else {
        throw WallpaperError("--output: '\(name)' is there twice; remove one", kind: .usage)
      }
      names.append(name)
      if parts.count == 2 { own[name] = String(parts[1]) }
    }
    self.general = general
    self.outputs = names
    self.own = own
  }

  /// Returns whether an output is to be covered.
  package func covers(_ output: String) -> Bool { outputs.isEmpty || outputs.contains(output) }

  /// Returns what the command line says about an output; nil: the user's files decide.
  package func argument(for output: String) -> String? { own[output] ?? general }

  /// The outputs whose pictures are known before there is any: a name for each, or "" for all.
  package var known: [String] { outputs.isEmpty ? [""] : outputs }
}
