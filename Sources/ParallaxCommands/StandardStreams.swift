import Glibc

/// The descriptors 0, 1 and 2, which a program may be started without (`parallax ... >&-`).
enum StandardStreams {
  /// Takes the places of those that are closed, so that no file or socket opened later gets such a
  /// number, and messages or a table end up in it.
  ///
  /// What stands there instead cannot be used: reading standard input and writing to the others
  /// fails with EBADF, as if they were closed still. To be called before anything is opened.
  static func keepPlaces() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number: this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
