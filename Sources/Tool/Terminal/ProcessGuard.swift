// SPDX-License-Identifier: Apache-2.0

import CTerminal
import Glibc
import ParallaxBase

/// A process that cleans up if this one is killed (SIGKILL), when nothing in this one can.
///
/// It is a shell that reads from a pipe. This process alone holds the other end, so the shell reads its end
/// when this process is gone, however that happened. It is in a session of its own: signals to this
/// process's group, from Ctrl-C, a closed window or `kill`, do not reach it.
struct ProcessGuard: ~Copyable {
  private let input: FileDescriptor
  private let process: pid_t

  /// Starts a guard that has nothing to do until `set(needed: true)`.
  ///
  /// - Parameters:
  ///   - script: What to do, in the language of sh.
  ///   - arguments: Its `$1` and so on.
  ///   - output: Its standard output.
  /// - Throws: `SystemError` if the system has no process or descriptor left.
  init(
    _ script: String, _ arguments: [String], output: Int32 = STDOUT_FILENO
  ) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .last("pipe") }
    let reading = FileDescriptor(owning: ends[0])
    let writing = FileDescriptor(owning: ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let waiting =
      "trap '' INT TERM HUP QUIT TSTP TTOU PIPE; needed=no; "
      + "while read -r line; do needed=$line; done; [ \"$needed\" = yes ] || exit 0; "
    var pointers = (["sh", "-c", waiting + script, "sh"] + arguments).map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    pointers.append(nil)
    let started = parallax_guard_start(&pointers, reading.raw, output)
    guard started > 0 else { throw .last("posix_spawn", path: "/bin/sh") }
    input = writing
    process = started
  }

  /// Says whether there is something to clean up when this process ends.
  borrowing func set(needed: Bool) {
    let line = needed ? "yes\n" : "no\n"
    // Fails only if the guard itself was killed: then nothing can be done.
    _ = line.utf8CString.withUnsafeBytes { CompleteWrite.write($0.dropLast(), to: input.raw) }
  }

  /// Ends the guard, which does nothing, and waits for it.
  consuming func end() {
    let process = process
    set(needed: false)
    input.close()
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }
}
