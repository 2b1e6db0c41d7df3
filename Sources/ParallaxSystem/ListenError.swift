import Glibc

/// Why a socket cannot be listened on. One line for a person: where, what, and what to do.
package enum ListenError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The path is empty or has a NUL in it.
  case pathUnusable(String)
  /// Longer than the 107 bytes that a socket's address holds.
  case pathTooLong(String, bytes: Int)
  case folderMissing(String, folder: String)
  case notAFolder(String, folder: String)
  case folderNotWritable(String, folder: String)
  /// Something that is no socket is in the way; it is left alone.
  case notASocket(String)
  /// A socket is in the way that this user may not connect to: it cannot be told whether anybody
  /// listens, so it is left alone.
  case belongsToAnother(String)
  /// Somebody answers on the socket.
  case alreadyRunning(String)
  /// Another program has held the lock on the folder for too long.
  case folderLocked(String, folder: String)
  /// An inherited descriptor is not what it has to be.
  case notAListeningSocket(descriptor: Int32)
  case system(SystemError)

  /// The exit code of sysexits(3) that says the same.
  package var exitCode: Int32 {
    switch self {
    case .alreadyRunning: 69
    case .folderNotWritable, .belongsToAnother: 77
    case .pathUnusable, .pathTooLong, .notAListeningSocket: 78
    case .folderMissing, .notAFolder, .notASocket, .folderLocked: 73
    case .system(let error): error.isAboutPermission ? 77 : 73
    }
  }

  package var description: String {
    switch self {
    case .pathUnusable(let path):
      "\"\(path)\" is no path for a socket, give one of 1 to 107 bytes"
    case .pathTooLong(let path, let bytes):
      "\(path): a socket's path has at most 107 bytes, this one has \(bytes), "
        + "choose a shorter one"
    case .folderMissing(let path, let folder):
      "\(path): there is no folder \(folder), create it or choose another path"
    case .notAFolder(let path, let folder):
      "\(path): \(folder) is not a folder, choose another path"
    case .folderNotWritable(let path, let folder):
      "\(path): the folder \(folder) cannot be written, "
        + "change its permissions or choose another path"
    case .notASocket(let path):
      "\(path): exists and is no socket, move it away or choose another path"
    case .belongsToAnother(let path):
      "\(path): is another user's socket, remove it or choose another path"
    case .alreadyRunning(let path):
      "\(path): another parallaxd is running there, stop it or choose another path"
    case .folderLocked(let path, let folder):
      "\(path): another program keeps the folder \(folder) locked, try again or "
        + "choose another path"
    case .notAListeningSocket(let descriptor):
      "inherited descriptor \(descriptor) is not a listening Unix stream socket, "
        + "correct the socket unit (ListenStream=)"
    case .system(let error):
      error.description
    }
  }
}

extension SystemError {
  /// Whether permission was what was missing.
  package var isAboutPermission: Bool { number == EACCES || number == EPERM }
}
