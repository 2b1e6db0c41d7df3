// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Glibc

/// An open descriptor with one owner. It closes exactly once, at the end of its owner's scope at the
/// latest.
package struct FileDescriptor: ~Copyable, Sendable {
  /// The number, for a call. The callee must not keep or close it.
  package let raw: Int32

  /// Takes ownership of `raw`, which no other code may close afterwards.
  package init(owning raw: Int32) {
    precondition(raw >= 0, "descriptors are not negative")
    self.raw = raw
  }

  deinit {
    // Linux frees the number even where close reports EINTR or EIO: never close again.
    _ = Glibc.close(raw)
  }

  /// Returns the number without closing it; the caller owns it.
  package consuming func release() -> Int32 {
    let number = raw
    discard self
    return number
  }

  /// Closes now rather than at the end of the scope.
  package consuming func close() {}

  /// Opens an existing file, always with `O_CLOEXEC`. Has no mode to create one with.
  package static func open(
    _ path: String, _ flags: Int32
  ) throws(SystemError) -> FileDescriptor {
    while true {
      let raw = parallax_open(path, flags)
      if raw >= 0 { return FileDescriptor(owning: raw) }
      if errno != EINTR { throw SystemError.last("open", path: path) }
    }
  }

  /// Returns a second descriptor of the same open file.
  package borrowing func duplicate() throws(SystemError) -> FileDescriptor {
    let copy = fcntl(raw, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw SystemError.last("fcntl") }
    return FileDescriptor(owning: copy)
  }
}
