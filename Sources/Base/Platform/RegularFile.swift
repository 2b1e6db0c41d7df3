// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Glibc

/// Why a file is not opened where only ordinary files may be.
package enum RegularFileError: Error, Equatable, Sendable {
  /// A FIFO, a device or a socket.
  case notRegular
  /// A file of the kernel, as in /proc.
  case kernelFile
  case failed(SystemError)
}

/// Files that can be read without waiting: regular files on a disk or in memory.
package enum RegularFile {
  /// Opens a file for reading, if it is regular or a folder. Nothing waits, also if the file is replaced
  /// meanwhile: the descriptor is checked, not the path.
  package static func open(_ path: String) throws(RegularFileError) -> FileDescriptor {
    let file = try openUnchecked(path)
    var status = stat()
    guard fstat(file.raw, &status) == 0 else { throw .failed(.last("fstat", path: path)) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: break
    case S_IFREG: guard parallax_is_kernel_file(file.raw) == 0 else { throw .kernelFile }
    default: throw .notRegular
    }
    return file
  }

  private static func openUnchecked(_ path: String) throws(RegularFileError) -> FileDescriptor {
    var status = stat()
    // Opening a device may act on it, so do not open what is one now. With O_NONBLOCK neither a FIFO
    // nor a device waits for its other side.
    if stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
      throw .notRegular
    }
    do throws(SystemError) {
      return try FileDescriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    } catch {
      // A socket that has appeared there since.
      throw error.number == ENXIO ? .notRegular : .failed(error)
    }
  }
}
