import CSystemd
import Glibc

/// An open descriptor with one owner: closed when the owner lets go of it, never twice, never
/// forgotten.
package struct FileDescriptor: ~Copyable {
  /// The number, to lend to a call. Whoever is lent it neither keeps nor closes it.
  package let raw: Int32

  /// Takes over `raw`, which nobody else may close from now on.
  package init(owning raw: Int32) {
    precondition(raw >= 0, "a descriptor is never negative")
    self.raw = raw
  }

  deinit {
    // Linux frees the number even where close reports EINTR or EIO: never close again.
    _ = Glibc.close(raw)
  }

  /// Gives the number away, to be closed by its new owner.
  package consuming func release() -> Int32 {
    let number = raw
    discard self
    return number
  }

  /// Closes now rather than at the end of the scope.
  package consuming func close() {}

  /// Opens `path`, always with `O_CLOEXEC`. For existing files: there is no mode to create with.
  package static func open(
    _ path: String, _ flags: Int32
  ) throws(SystemError) -> FileDescriptor {
    while true {
      let raw = parallax_open(path, flags)
      if raw >= 0 { return FileDescriptor(owning: raw) }
      if errno != EINTR { throw SystemError.last("open", path: path) }
    }
  }

  /// A second descriptor of the same open file.
  package borrowing func duplicate() throws(SystemError) -> FileDescriptor {
    let copy = fcntl(raw, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw SystemError.last("fcntl") }
    return FileDescriptor(owning: copy)
  }
}
