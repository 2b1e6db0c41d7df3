// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Glibc

/// A lock on a path while a program claims it: flock(2) on `PATH.lock`, a file that only this user can
/// open. (Every user who can read a folder can lock the folder itself.)
///
/// The file is removed before the lock is released. A program that has waited for the lock on a removed
/// file starts over with the new one.
struct PathLock: ~Copyable {
  private let path: String
  private let descriptor: FileDescriptor

  /// - Parameter attempts: how often to try, 10 ms apart.
  init(of path: String, attempts: Int) throws(ListenError) {
    descriptor = try Self.acquire(path + ".lock", for: path, attempts: attempts)
    self.path = path + ".lock"
  }

  private static func acquire(
    _ lockPath: String, for path: String, attempts: Int
  ) throws(ListenError) -> FileDescriptor {
    var remaining = attempts
    while true {
      let descriptor = try open(lockPath, for: path)
      if parallax_try_lock(descriptor.raw) == 0 {
        if FileIdentity(of: descriptor) == FileIdentity(ofFileAt: lockPath) { return descriptor }
        continue
      }
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK where remaining > 1: remaining -= 1
      case EWOULDBLOCK: throw .locked(path, lockFile: lockPath)
      default: throw .system(SystemError.last("flock", path: lockPath))
      }
      usleep(10_000)
    }
  }

  /// Removes the file and releases the lock now, rather than at the end of the scope.
  consuming func release() {}

  deinit {
    unlink(path)
  }

  private static func open(
    _ lockPath: String, for path: String
  ) throws(ListenError) -> FileDescriptor {
    let raw = parallax_open_lock(lockPath)
    guard raw >= 0 else {
      switch errno {
      case EACCES, EPERM, ELOOP, EISDIR, ENXIO: throw .lockUnusable(path, lockFile: lockPath)
      default: throw .system(SystemError.last("open", path: lockPath))
      }
    }
    let descriptor = FileDescriptor(owning: raw)
    var status = stat()
    guard fstat(raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .lockUnusable(path, lockFile: lockPath)
    }
    return descriptor
  }
}

/// The identity of a file, whatever its path.
struct FileIdentity: Equatable {
  private var device: UInt
  private var inode: UInt

  /// Returns nil if there is no file. Does not follow a link.
  init?(ofFileAt path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Returns nil if the file cannot be examined.
  init?(of descriptor: borrowing FileDescriptor) {
    var status = stat()
    guard fstat(descriptor.raw, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
  }
}
