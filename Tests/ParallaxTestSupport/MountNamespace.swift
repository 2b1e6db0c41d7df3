// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Mounts that only one child process sees, for exit tests that replace files of the system.
package enum MountNamespace {
  /// Whether this machine allows them. If not, announces that `what` is left out.
  package static func isAvailable(for what: String) throws(TestSupportError) -> Bool {
    let result = try Program(path: "/usr/bin/unshare").run(["--mount", "true"])
    if result.exitCode != 0 {
      try leaveOut("mount namespace, so without \(what): \(result.errors)")
    }
    return result.exitCode == 0
  }

  /// Gives the calling thread its own mounts, which other processes do not see.
  package static func enter() -> Bool {
    // Swift's Glibc lacks unshare and CLONE_NEWNS (sched.h, with _GNU_SOURCE only).
    typealias Unshare = @convention(c) (Int32) -> Int32
    guard let symbol = dlsym(nil, "unshare") else { return false }
    let unshare = unsafeBitCast(symbol, to: Unshare.self)
    let newMounts: Int32 = 0x0002_0000
    return unshare(newMounts) == 0
      && mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0
  }

  /// Replaces a file by another one.
  package static func bind(_ file: String, over target: String) -> Bool {
    mount(file, target, nil, UInt(MS_BIND), nil) == 0
  }

  /// Replaces a folder by an empty one.
  package static func empty(_ folder: String) -> Bool {
    mount("none", folder, "tmpfs", 0, nil) == 0
  }
}
