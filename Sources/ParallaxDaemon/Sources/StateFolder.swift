import Glibc
package import ParallaxConfig
import ParallaxSystem

/// The folder for what the daemon keeps over restarts.
package enum StateFolder {
  /// systemd's `$STATE_DIRECTORY` (the first of several), else root's /var/lib/parallax, else
  /// `$XDG_STATE_HOME/parallax` or `~/.local/state/parallax` (XDG Base Directory Specification);
  /// nil where even HOME is not set.
  package static func path(process: ProcessFacts) -> String? {
    if let folder = process.folder("STATE_DIRECTORY") { return folder }
    if process.userID == 0 { return "/var/lib/parallax" }
    if let folder = process.folder("XDG_STATE_HOME") { return folder + "/parallax" }
    return process.folder("HOME").map { $0 + "/.local/state/parallax" }
  }

  /// Makes the folder and those on its way, unless they are there: for the user alone (0700, as
  /// XDG has it), root's for all to look into (0755).
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
    // Others than EEXIST come for folders that are there, too: EROFS, EACCES.
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { throw error }
  }
}
