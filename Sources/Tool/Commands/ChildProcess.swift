// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase

/// Starts other programs.
enum ChildProcess {
  /// Starts a program that is found along PATH. It does not inherit which signals the tool ignores.
  ///
  /// - Parameters:
  ///   - mask: The signals that are blocked in it.
  ///   - actions: Changes of its descriptors; nil leaves it those of this process.
  ///   - isOwnGroup: Whether it is in a process group of its own: Ctrl-C and a closed window do not reach
  ///     it.
  static func start(
    _ command: [String], mask: sigset_t, actions: UnsafePointer<posix_spawn_file_actions_t>? = nil,
    isOwnGroup: Bool = false
  ) throws(SystemError) -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    sigaddset(&defaults, SIGXFSZ)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    var mask = mask
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags =
      POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (isOwnGroup ? POSIX_SPAWN_SETPGROUP : 0)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var process: pid_t = 0
    let code = posix_spawnp(&process, command[0], actions, &attributes, arguments, environ)
    guard code == 0 else { throw SystemError(number: code, call: "posix_spawn", path: command[0]) }
    return process
  }
}
