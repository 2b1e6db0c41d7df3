// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Files that are read whole: attributes of the kernel, configuration, documents.
package enum SmallFile {
  /// The longest wait for data from a FIFO or a device, in milliseconds.
  private static let silenceMilliseconds: Int32 = 1_000

  /// Reads a file to its end, but at most `limit + 1` bytes: one byte more shows that it is longer.
  ///
  /// Does not wait for the writer of a FIFO. If a FIFO sends nothing for a second, throws `ETIMEDOUT`.
  ///
  /// - Parameter limit: In bytes.
  package static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    try read(FileDescriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY), path: path, limit: limit)
  }

  /// Reads a regular file to its end, but at most `limit + 1` bytes. Never waits. /dev/null counts as
  /// an empty file.
  ///
  /// - Parameter limit: In bytes.
  package static func readRegular(
    _ path: String, limit: Int
  ) throws(RegularFileError) -> [UInt8] {
    do throws(RegularFileError) {
      let file = try RegularFile.open(path)
      do throws(SystemError) {
        return try read(file, path: path, limit: limit)
      } catch {
        throw .failed(error)
      }
    } catch {
      if error == .notRegular, isNull(path) { return [] }
      throw error
    }
  }

  /// Whether the path leads to /dev/null, whatever it is called.
  private static func isNull(_ path: String) -> Bool {
    var (status, null) = (stat(), stat())
    guard stat(path, &status) == 0, stat("/dev/null", &null) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFCHR && status.st_rdev == null.st_rdev
  }

  private static func read(
    _ file: borrowing FileDescriptor, path: String, limit: Int
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: min(16_384, limit + 1))
    var hasWaited = false
    while bytes.count <= limit {
      let count = Glibc.read(file.raw, &block, min(block.count, limit + 1 - bytes.count))
      if count > 0 {
        bytes += block[..<count]
        hasWaited = false
      } else if count == 0 {
        break
      } else if errno == EAGAIN, !hasWaited {
        // An attribute counts as readable also while its driver answers EAGAIN: wait only once.
        hasWaited = true
        var request = pollfd(fd: file.raw, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, silenceMilliseconds) > 0 else {
          throw SystemError(number: ETIMEDOUT, call: "read", path: path)
        }
      } else if errno != EINTR {
        throw .last("read", path: path)
      }
    }
    return bytes
  }

  /// Returns the text of an attribute without the white space around it; nil if it is empty or
  /// unreadable.
  ///
  /// Reads at most 4096 bytes, the limit of sysfs.
  package static func text(_ path: String) -> String? {
    guard let bytes = try? read(path, limit: 4_096) else { return nil }
    let space = UInt8(ascii: " ")
    let head = bytes.drop { $0 <= space }
    guard let last = head.lastIndex(where: { $0 > space }) else { return nil }
    return String(decoding: head[...last], as: UTF8.self)
  }
}
