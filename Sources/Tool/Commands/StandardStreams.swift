// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The descriptors 0, 1 and 2, which may be closed at the start (`parallax ... >&-`).
enum StandardStreams {
  /// Occupies closed descriptors, so that no file or socket gets their numbers and receives messages
  /// or a table by accident. Call this before anything is opened.
  ///
  /// The replacements are unusable: reading standard input and writing the others fails with EBADF,
  /// as if they were closed.
  static func reserve() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      // open(2) returns the lowest free number: this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
