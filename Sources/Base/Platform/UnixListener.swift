// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Glibc

/// The outcome of an `accept`.
package enum Accepted: ~Copyable {
  /// A connection; its descriptor does not block and closes on exec.
  case connection(FileDescriptor)
  /// No client is waiting: wait for `.readable`.
  case noConnection
  /// No descriptor was left for this client. It gets the spare one, for a last line: close it and
  /// call `restoreReserve`.
  case refused(FileDescriptor, SystemError)
  /// No descriptor or no memory is left, and the client still waits: try again later.
  case exhausted(SystemError)
}

/// A listening Unix stream socket: bound to a path, or inherited from socket activation.
///
/// If two programs bind the same path at once, one of them succeeds: the check for a live owner, the
/// removal of a stale socket and the bind happen under a lock (`PathLock`). A program that exits removes
/// the path while it still accepts connections.
package final class UnixListener {
  private let descriptor: FileDescriptor
  /// The path of the socket; nil for an inherited one, whose file belongs to the service manager.
  package let path: String?
  private let identity: FileIdentity?
  /// A spare descriptor. When descriptors have run out, it is closed to accept a connection and refuse
  /// it: a connection that stays in the queue would wake the loop again and again.
  private var reserve: FileDescriptor?
  private var isClosed = false

  /// Binds `path` and listens.
  ///
  /// - Parameters:
  ///   - mode: the permissions of the socket file; clients need write permission.
  ///   - backlog: the maximum number of connections that wait to be accepted.
  ///   - lockAttempts: the number of attempts to lock the path, 10 ms apart. Other programs hold
  ///     the lock for less than a millisecond.
  package init(
    path: String, mode: UInt32, backlog: Int32 = 128, lockAttempts: Int = 200
  ) throws(ListenError) {
    let bytes = path.utf8.count
    guard bytes > 0, !path.utf8.contains(0) else { throw .pathUnusable(path) }
    guard bytes <= PARALLAX_UNIX_PATH_MAX else { throw .pathTooLong(path, bytes: bytes) }
    try Self.checkFolder(of: path)
    let lock = try PathLock(of: path, attempts: lockAttempts)
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
    lock.release()
  }

  /// Takes ownership of a listening Unix stream socket from the service manager.
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

  /// The descriptor to watch for `.read`; open until the listener is dropped.
  package var rawDescriptor: Int32 { descriptor.raw }

  /// Accepts the next connection without waiting.
  package func accept() -> Accepted {
    while true {
      let raw = parallax_accept(descriptor.raw)
      if raw >= 0 { return .connection(FileDescriptor(owning: raw)) }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EAGAIN: return .noConnection
      default: return turnAway(SystemError.last("accept4", path: path))
      }
    }
  }

  /// Removes the socket file while the socket still accepts connections: a program that starts now
  /// finds either a live socket or no file.
  ///
  /// Leaves a file alone that another program has put in its place. Calling it again has no effect.
  /// The descriptor closes when the listener is dropped.
  package func removeFile() {
    guard !isClosed, let path, let identity else { return }
    isClosed = true
    if FileIdentity(ofFileAt: path) == identity { unlink(path) }
  }

  /// Whether the socket file is where it was bound. Always true for an inherited socket, whose file is
  /// not this program's.
  package var isInPlace: Bool {
    guard let path, let identity else { return true }
    return FileIdentity(ofFileAt: path) == identity
  }

  /// Opens the spare descriptor again if it is missing. Call it when descriptors may be free again.
  package func restoreReserve() {
    if reserve == nil { reserve = Self.openReserve() }
  }

  private func turnAway(_ error: SystemError) -> Accepted {
    guard error.number == EMFILE || error.number == ENFILE, reserve != nil else {
      return .exhausted(error)
    }
    reserve = nil
    let raw = parallax_accept(descriptor.raw)
    if raw >= 0 { return .refused(FileDescriptor(owning: raw), error) }
    // The lack of a descriptor is reported even if no client waits.
    let isQueueEmpty = errno == EAGAIN
    restoreReserve()
    // Otherwise another thread or, for ENFILE, another program was faster.
    return isQueueEmpty ? .noConnection : .exhausted(error)
  }

  private static func bind(
    _ path: String, mode: UInt32, backlog: Int32
  ) throws(SystemError) -> BoundSocket {
    let raw = parallax_unix_socket()
    guard raw >= 0 else { throw SystemError.last("socket") }
    let descriptor = FileDescriptor(owning: raw)
    // The file gets the mode of the socket, reduced by the umask. With mode 0 no client can connect
    // until chmod sets the real mode, which ignores the umask.
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
    // Without it the listener works as long as descriptors are left.
    try? FileDescriptor.open("/dev/null", O_RDONLY)
  }

  // MARK: - Claiming the path

  private static func checkFolder(of path: String) throws(ListenError) {
    let folder = parentFolder(of: path)
    var status = stat()
    guard stat(folder, &status) == 0 else {
      switch errno {
      case ENOENT: throw .folderMissing(path, folder: folder)
      case ENOTDIR: throw .notAFolder(path, folder: folder)
      case EACCES: throw .folderNotWritable(path, folder: folder)
      default: throw .system(SystemError.last("stat", path: folder))
      }
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .notAFolder(path, folder: folder) }
    guard faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0 else {
      throw .folderNotWritable(path, folder: folder)
    }
  }

  /// Removes a stale socket, or throws if anything else is at `path`.
  private static func clear(_ path: String) throws(ListenError) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw .system(SystemError.last("lstat", path: path))
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
    guard let error = connectError(at: path) else { throw .alreadyRunning(path) }
    switch error.number {
    case ECONNREFUSED: break
    case ENOENT: return
    // The queue of connections is full, so a program has the socket.
    case EAGAIN: throw .alreadyRunning(path)
    // Forbidden, or another kind of socket: it may be in use.
    case EACCES, EPERM, EPROTOTYPE: throw .belongsToAnother(path)
    default: throw .system(error)
    }
    guard unlink(path) == 0 || errno == ENOENT else {
      throw .system(SystemError.last("unlink", path: path))
    }
  }

  /// Returns why a socket does not accept a connection; nil if it does.
  private static func connectError(at path: String) -> SystemError? {
    do throws(SystemError) {
      _ = try UnixStream.connect(to: path)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the folder of a path.
  package static func parentFolder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

private struct BoundSocket: ~Copyable {
  let descriptor: FileDescriptor
  let identity: FileIdentity?
}
