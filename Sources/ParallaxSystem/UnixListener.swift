import CSystemd
import Glibc

/// What came of asking a listener for a connection.
package enum Accepted: ~Copyable {
  /// Not blocking, close-on-exec.
  case connection(FileDescriptor)
  /// Nobody is waiting: wait for `.readable`.
  case nobody
  /// Somebody was waiting and had to be hung up on, for want of descriptors or memory.
  case turnedAway(SystemError)
}

/// A listening Unix stream socket: bound to a path of its own, or inherited from socket activation.
///
/// Of two programs that bind the same path at once one wins: looking for a living owner, removing a
/// dead one's socket and binding happen under a lock (flock) on the folder, and who is about to
/// leave removes the path while it still answers.
package final class UnixListener {
  private let descriptor: FileDescriptor
  /// The path it is bound to; nil for an inherited socket, whose file is its maker's to remove.
  package let path: String?
  private let identity: FileIdentity?
  /// Given up where descriptors have run out, to accept one connection and hang up on it: a
  /// connection that stays in the queue would keep the loop awake for nothing.
  private var reserve: FileDescriptor?
  private var isClosed = false

  /// Binds `path` and listens.
  /// - Parameters:
  ///   - mode: the socket file's permissions; to connect takes write permission.
  ///   - backlog: connections that may wait to be accepted.
  ///   - lockAttempts: how often, 10 ms apart, a lock on the folder that somebody else holds is
  ///     tried for. It is held for well below a millisecond.
  package init(
    path: String, mode: UInt32, backlog: Int32 = 128, lockAttempts: Int = 200
  ) throws(ListenError) {
    let bytes = path.utf8.count
    guard bytes > 0, !path.utf8.contains(0) else { throw .pathUnusable(path) }
    guard bytes <= PARALLAX_UNIX_PATH_MAX else { throw .pathTooLong(path, bytes: bytes) }
    let lock = try Self.lockFolder(of: path, attempts: lockAttempts)
    try Self.clear(path)
    let bound: BoundSocket
    do throws(SystemError) {
      bound = try Self.bind(path, mode: mode, backlog: backlog)
    } catch {
      throw .system(error)
    }
    self.path = path
    identity = bound.identity
    descriptor = bound.descriptor
    reserve = Self.openReserve()
    lock.close()
  }

  /// Takes over a listening Unix stream socket that the service manager made.
  package init(inheriting raw: Int32) throws(ListenError) {
    guard raw >= 0, parallax_is_listening_unix_stream(raw) == 1 else {
      throw .notAListeningSocket(descriptor: raw)
    }
    guard parallax_set_nonblocking_cloexec(raw) == 0 else {
      throw .system(SystemError.last("fcntl"))
    }
    descriptor = FileDescriptor(owning: raw)
    path = nil
    identity = nil
    reserve = Self.openReserve()
  }

  deinit {
    removeFile()
  }

  /// To follow for `.read`. Stays open as long as the listener lives.
  package var rawDescriptor: Int32 { descriptor.raw }

  /// Takes the next connection, without waiting.
  package func accept() -> Accepted {
    while true {
      let raw = parallax_accept(descriptor.raw)
      if raw >= 0 { return .connection(FileDescriptor(owning: raw)) }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EAGAIN: return .nobody
      default: return turnAway(SystemError.last("accept4", path: path))
      }
    }
  }

  /// Removes its own file from the folder, while it still answers, so that a successor that is
  /// starting finds either this one alive or nothing. Another's file is left alone. Twice is
  /// allowed; the descriptor closes with the object.
  package func removeFile() {
    guard !isClosed, let path, let identity else { return }
    isClosed = true
    if FileIdentity(ofFileAt: path) == identity { unlink(path) }
  }

  private func turnAway(_ error: SystemError) -> Accepted {
    guard error.number == EMFILE || error.number == ENFILE, reserve != nil else {
      return .turnedAway(error)
    }
    reserve = nil
    let raw = parallax_accept(descriptor.raw)
    if raw >= 0 { FileDescriptor(owning: raw).close() }
    reserve = Self.openReserve()
    return .turnedAway(error)
  }

  private static func bind(
    _ path: String, mode: UInt32, backlog: Int32
  ) throws(SystemError) -> BoundSocket {
    let raw = parallax_unix_socket()
    guard raw >= 0 else { throw SystemError.last("socket") }
    let descriptor = FileDescriptor(owning: raw)
    // The file gets the socket's own mode less the umask: nobody may connect until the real mode
    // is set, which no umask changes.
    guard fchmod(raw, 0) == 0 else { throw SystemError.last("fchmod") }
    guard parallax_unix_bind(raw, path) == 0 else { throw SystemError.last("bind", path: path) }
    let identity = FileIdentity(ofFileAt: path)
    guard chmod(path, mode) == 0, listen(raw, backlog) == 0 else {
      let error = SystemError.last("listen", path: path)
      unlink(path)
      throw error
    }
    return BoundSocket(descriptor: descriptor, identity: identity)
  }

  private static func openReserve() -> FileDescriptor? {
    // Without it the listener still works, as long as descriptors last.
    try? FileDescriptor.open("/dev/null", O_RDONLY)
  }

  // -- Making room

  private static func lockFolder(
    of path: String, attempts: Int
  ) throws(ListenError) -> FileDescriptor {
    let folder = parentFolder(of: path)
    let descriptor: FileDescriptor
    do {
      descriptor = try FileDescriptor.open(folder, O_RDONLY | O_DIRECTORY)
    } catch {
      switch error.number {
      case ENOENT: throw .folderMissing(path, folder: folder)
      case ENOTDIR: throw .notAFolder(path, folder: folder)
      case EACCES: throw .folderNotWritable(path, folder: folder)
      default: throw .system(error)
      }
    }
    guard faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0 else {
      throw .folderNotWritable(path, folder: folder)
    }
    var remaining = attempts
    while parallax_try_lock(descriptor.raw) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK where remaining > 1: remaining -= 1
      case EWOULDBLOCK: throw .folderLocked(path, folder: folder)
      default: throw .system(SystemError.last("flock", path: folder))
      }
      usleep(10_000)
    }
    return descriptor
  }

  /// Leaves nothing at `path`, or throws: only a socket on which nobody answers is removed.
  private static func clear(_ path: String) throws(ListenError) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw .system(SystemError.last("lstat", path: path))
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
    guard let refusal = refusal(at: path) else { throw .alreadyRunning(path) }
    switch refusal.number {
    case ECONNREFUSED: break
    case ENOENT: return
    // Its queue of connections is full, so somebody has it.
    case EAGAIN: throw .alreadyRunning(path)
    // Forbidden, or another kind of socket: it cannot be told whether it is in use.
    case EACCES, EPERM, EPROTOTYPE: throw .belongsToAnother(path)
    default: throw .system(refusal)
    }
    guard unlink(path) == 0 || errno == ENOENT else {
      throw .system(SystemError.last("unlink", path: path))
    }
  }

  /// Why a socket does not take a connection; nil where it does.
  private static func refusal(at path: String) -> SystemError? {
    do throws(SystemError) {
      _ = try UnixStream.connect(to: path)
      return nil
    } catch {
      return error
    }
  }

  static func parentFolder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

private struct BoundSocket: ~Copyable {
  let descriptor: FileDescriptor
  let identity: FileIdentity?
}

/// Which file a path names, whatever it is called.
private struct FileIdentity: Equatable {
  var device: UInt
  var inode: UInt

  init?(ofFileAt path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
  }
}
