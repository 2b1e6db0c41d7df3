// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A descriptor of this program as a path: `/proc/self/fd/1`, `/dev/fd/1` (proc_pid_fd(5)).
enum OwnDescriptor {
  /// Returns the descriptor that a path names, open or not; nil for any other path.
  ///
  /// `/dev/stdout` is a link to such a path.
  static func number(named path: String) -> Int32? {
    guard let slash = path.lastIndex(of: "/"),
      let number = Int32(path[path.index(after: slash)...]), number >= 0,
      let folder = realpath(String(path[..<slash]), nil)
    else { return nil }
    defer { free(folder) }
    return String(cString: folder) == "/proc/\(getpid())/fd" ? number : nil
  }
}
