// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase

/// Parallax's other programs: finds them and runs them in place of this one.
enum SiblingProgram {
  /// Replaces this process with the program. Returns only by throwing.
  ///
  /// - Parameter advice: What to do if the program is not installed.
  static func become(
    _ program: String, _ arguments: [String],
    advice: String = "install it with 'make install', or build it next to parallax"
  ) throws -> Never {
    let path = try path(of: program, advice: advice)
    var pointers = ([path] + arguments).map { strdup($0) }
    pointers.append(nil)
    execv(path, pointers)
    let code = errno
    for pointer in pointers { free(pointer) }
    throw CommandFailure(
      .unavailable, "\(path): cannot be started: \(String(cString: strerror(code)))")
  }

  /// Returns the path of the program.
  static func path(
    of program: String,
    advice: String = "install it with 'make install', or build it next to parallax"
  ) throws(CommandFailure) -> String {
    let candidates = candidates(for: program)
    if let path = candidates.first(where: { access($0, X_OK) == 0 }) { return path }
    throw CommandFailure(
      .unavailable,
      "\(program) is not installed: looked for \(candidates.prefix(2).joined(separator: " and ")) "
        + "and in PATH; \(advice)")
  }

  /// Returns the paths to try: next to this program, in `../libexec/parallax`, along PATH and, if this
  /// program runs from its build folder, in those of web/ and desktop/.
  static func candidates(for name: String) -> [String] {
    var folders: [String] = []
    var builds: [String] = []
    if let parts = ProgramFolder.parts() {
      let folder = parts.joined(separator: "/")
      folders = ["/\(folder)", "/\(folder)/../libexec/parallax"]
      builds = siblingBuilds(parts)
    }
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    folders += path.split(separator: ":").map(String.init) + builds
    return folders.map { "\($0)/\(name)" }
  }

  /// - Parameter parts: Of the path of this program's folder, as `.../.build/TRIPLE/debug`.
  static func siblingBuilds(_ parts: ArraySlice<Substring>) -> [String] {
    guard let root = ProgramFolder.sources(ofBuild: parts), let kind = parts.last else { return [] }
    return ["web", "desktop"].flatMap { package in
      [String(kind), kind == "debug" ? "release" : "debug"].map {
        "\(root)/\(package)/.build/\($0)"
      }
    }
  }
}
