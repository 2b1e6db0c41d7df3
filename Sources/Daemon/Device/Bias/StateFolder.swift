// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
package import ParallaxConfig
import ParallaxLoop

/// The folder for the daemon's persistent state.
package enum StateFolder {
  /// Returns systemd's `$STATE_DIRECTORY` (the first of several), else root's /var/lib/parallax, else
  /// `$XDG_STATE_HOME/parallax` or `~/.local/state/parallax` (XDG Base Directory Specification);
  /// nil if HOME is not set either.
  package static func path(process: ProcessEnvironment) -> String? {
    if let folder = process.folder("STATE_DIRECTORY") { return folder }
    if process.userID == 0 { return "/var/lib/parallax" }
    if let folder = process.folder("XDG_STATE_HOME") { return folder + "/parallax" }
    return process.folder("HOME").map { $0 + "/.local/state/parallax" }
  }

  /// Creates the folder and its parents if they are missing: for the user alone (0700, as XDG
  /// requires), root's readable for all (0755).
  static func make(_ path: String, userID: UInt32) throws(SystemError) {
    var rest = path[...]
    while let slash = rest.dropFirst().firstIndex(of: "/") {
      try makeOne(String(path[..<slash]), userID: userID)
      rest = path[slash...]
    }
    try makeOne(path, userID: userID)
  }

  private static func makeOne(_ path: String, userID: UInt32) throws(SystemError) {
    guard mkdir(path, userID == 0 ? 0o755 : 0o700) != 0 else { return }
    let error = SystemError.last("mkdir", path: path)
    // Existing folders may also give EROFS or EACCES instead of EEXIST.
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { throw error }
  }
}
