// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The folder of this program, for finding what is installed with it.
package enum ProgramFolder {
  /// The parts of its path, without symbolic links; nil without /proc.
  package static func parts() -> ArraySlice<Substring>? {
    guard let own = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(own) }
    return String(cString: own).split(separator: "/").dropLast()
  }

  /// Returns the root of the sources for a folder as in `.../.build/TRIPLE/debug`, where the build folder's name
  /// may go on, as in `.build-asan`; nil for any other.
  package static func sources(ofBuild parts: ArraySlice<Substring>) -> String? {
    guard let build = parts.lastIndex(where: { $0 == ".build" || $0.hasPrefix(".build-") }),
      let kind = parts.last,
      kind == "debug" || kind == "release"
    else { return nil }
    return "/" + parts[..<build].joined(separator: "/")
  }
}
