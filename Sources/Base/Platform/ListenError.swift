// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The reason why a program cannot listen on a socket.
///
/// Its description is one line: the path, the reason and what to do.
package enum ListenError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The path is empty or contains a NUL.
  case pathUnusable(String)
  /// The path is longer than the 107 bytes that fit into a socket address.
  case pathTooLong(String, bytes: Int)
  case folderMissing(String, folder: String)
  case notAFolder(String, folder: String)
  case folderNotWritable(String, folder: String)
  /// The path exists and is not a socket; it is left alone.
  case notASocket(String)
  /// The path is a socket that this user may not connect to. It may be in use, so it is left alone.
  case belongsToAnother(String)
  /// Another program is listening on the socket.
  case alreadyRunning(String)
  /// Another program of this user holds the lock on the path for too long.
  case locked(String, lockFile: String)
  /// The file to lock exists and belongs to another user, or is not a regular file.
  case lockUnusable(String, lockFile: String)
  /// An inherited descriptor is not a listening Unix stream socket.
  case notAListeningSocket(descriptor: Int32)
  case system(SystemError)

  /// The exit code of sysexits(3) for the error.
  package var exitCode: Int32 {
    switch self {
    case .alreadyRunning: 69
    case .folderNotWritable, .belongsToAnother: 77
    case .pathUnusable, .pathTooLong, .notAListeningSocket: 78
    case .folderMissing, .notAFolder, .notASocket, .locked, .lockUnusable: 73
    case .system(let error): error.isAboutPermission ? 77 : 73
    }
  }

  package var description: String {
    switch self {
    case .pathUnusable(let path):
      "'\(path)' is not a valid socket path; use 1 to 107 bytes without a NUL"
    case .pathTooLong(let path, let bytes):
      "\(path): the path has \(bytes) bytes, and Unix sockets allow 107; use a shorter one"
    case .folderMissing(let path, let folder):
      "\(path): the folder \(folder) does not exist; create it or choose another path"
    case .notAFolder(let path, let folder):
      "\(path): \(folder) is not a folder; choose another path"
    case .folderNotWritable(let path, let folder):
      "\(path): the folder \(folder) is not writable; "
        + "change its permissions or choose another path"
    case .notASocket(let path):
      "\(path): exists and is not a socket; move it or choose another path"
    case .belongsToAnother(let path):
      "\(path): is another user's socket; remove it or choose another path"
    case .alreadyRunning(let path):
      "\(path): another parallaxd is already listening; stop it or choose another path"
    case .locked(let path, let lockFile):
      "\(path): another program holds the lock on \(lockFile); try again or choose another path"
    case .lockUnusable(let path, let lockFile):
      "\(path): \(lockFile) is not a file of this user; remove it or choose another path"
    case .notAListeningSocket(let descriptor):
      "inherited descriptor \(descriptor) is not a listening Unix stream socket; "
        + "correct the socket unit (ListenStream=)"
    case .system(let error):
      error.description
    }
  }
}

extension SystemError {
  /// Whether permission was denied.
  package var isAboutPermission: Bool { number == EACCES || number == EPERM }
}
