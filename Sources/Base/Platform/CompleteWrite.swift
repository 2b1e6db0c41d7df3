// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Writing to a descriptor until every byte is accepted.
package enum CompleteWrite {
  /// Writes all bytes, in as many calls as the descriptor needs, and waits for a pipe or a terminal
  /// that is non-blocking and full.
  ///
  /// - Returns: 0, or the errno of the write that failed.
  package static func write(
    _ bytes: Slice<UnsafeRawBufferPointer>, to descriptor: Int32
  ) -> Int32 {
    var rest = UnsafeRawBufferPointer(rebasing: bytes)
    while !rest.isEmpty {
      let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if written >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
      } else if errno == EAGAIN {
        // Another program made the terminal or pipe non-blocking.
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&ready, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}
