// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Standard output, or a file that appears under its name only when it is complete.
///
/// A regular file is written without a name (O_TMPFILE, open(2)) and gets its name at the end, so an
/// error or a kill leaves no partial file. A recording cannot be made again: with `keepsPartialFile`
/// its file has a temporary name from the start, and a kill or a power cut leaves what was written.
/// Devices, FIFOs and this program's own descriptors (`/dev/stdout`, `/dev/fd/3`) are written directly.
package final class OutputFile {
  /// The name for messages.
  package let name: String
  private let descriptor: Int32
  private var state: State
  /// Whether what was written survives even if `finish()` fails.
  private let keepsPartialFile: Bool

  /// O_TMPFILE, which Swift's Glibc lacks (Linux include/uapi/asm-generic/fcntl.h).
  private static let temporaryFile = 0o20000000 | O_DIRECTORY

  private enum State {
    /// Standard output, a device or a FIFO: every write is final.
    case direct
    /// A file that has no name yet.
    case unnamed(target: String)
    /// A file under a temporary name.
    case temporary(path: String, target: String)
    /// The file has its name, or failed to get it and keeps the temporary one.
    case finished
  }

  /// Opens a file for writing, or standard output for nil.
  package convenience init(_ path: String?) throws(OutputFileError) {
    if let path { try self.init(path: path) } else { self.init() }
  }

  /// Opens standard output.
  package init() {
    name = "standard output"
    descriptor = STDOUT_FILENO
    state = .direct
    keepsPartialFile = false
  }

  /// Opens a file for writing.
  ///
  /// - Parameter keepsPartialFile: If true, a regular file is `PATH.*.part` while it is written, and
  ///   its data is on the disk before it becomes `PATH`.
  package init(path: String, keepsPartialFile: Bool = false) throws(OutputFileError) {
    name = path
    self.keepsPartialFile = keepsPartialFile
    // The file itself, not a symbolic link to it: rename would replace the link.
    let target = try Self.target(of: path)
    if let number = OwnDescriptor.number(named: target) {
      descriptor = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
      guard descriptor >= 0 else { throw .cannotCreate(path, errno: errno) }
      state = .direct
      return
    }
    var status = stat()
    let exists = stat(target, &status) == 0
    // The kernel follows links of /proc whose text leads nowhere, such as another program's pipe.
    if exists || stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      guard status.st_mode & S_IFMT != S_IFDIR else {
        throw OutputFileError(.cannotCreate, "\(path): is a folder; name a file in it")
      }
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .cannotCreate(path, errno: errno) }
      state = .direct
      return
    }
    let mode = exists ? status.st_mode & 0o777 : 0o666
    if exists, access(target, W_OK) != 0 { throw .cannotCreate(path, errno: errno) }
    let unnamed =
      keepsPartialFile
      ? -1 : open(Self.folder(of: target), Self.temporaryFile | O_WRONLY | O_CLOEXEC, mode)
    if unnamed >= 0 {
      descriptor = unnamed
      state = .unnamed(target: target)
    } else {
      // Not every file system has files without a name.
      guard keepsPartialFile || errno == EOPNOTSUPP || errno == EISDIR else {
        throw .cannotCreate(path, errno: errno)
      }
      let temporary = Self.temporaryName(for: target)
      descriptor = open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode)
      guard descriptor >= 0 else { throw .cannotCreate(path, errno: errno) }
      state = .temporary(path: temporary, target: target)
    }
  }

  deinit {
    if case .temporary(let path, _) = state { unlink(path) }
    if descriptor > STDERR_FILENO { close(descriptor) }
  }

  /// Gives the file its name. Without this call the file disappears.
  package func finish() throws(OutputFileError) {
    switch state {
    case .direct, .finished: return
    case .unnamed(let target):
      // linkat cannot replace a file, rename can: the file has a temporary name for a moment.
      let temporary = Self.temporaryName(for: target)
      guard
        linkat(
          AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) == 0
      else { throw .cannotCreate(name, errno: errno) }
      state = .temporary(path: temporary, target: target)
      try finish()
    case .temporary(let path, let target):
      // Otherwise a power cut soon afterwards could leave the name and an empty file.
      let syncCode = keepsPartialFile && fdatasync(descriptor) != 0 ? errno : 0
      guard rename(path, target) == 0 else {
        let failure = OutputFileError.cannotCreate(name, errno: errno)
        guard keepsPartialFile else { throw failure }
        state = .finished
        throw OutputFileError(failure.kind, "\(failure.description); the data is in \(path)")
      }
      state = .finished
      if syncCode != 0 { throw .writeFailed(name, errno: syncCode) }
    }
  }

  /// Whether this is a regular file, and so appears only with `finish()`.
  package var isRegular: Bool { if case .direct = state { false } else { true } }

  /// The descriptor whose POLLERR reports that the reader is gone; -1 for a regular file.
  package var readerDescriptor: Int32 { isRegular ? -1 : descriptor }

  /// Writes all bytes and empties the buffer.
  package func write(_ buffer: inout OutputBuffer) throws(OutputFileError) {
    let code = buffer.withBytes { CompleteWrite.write($0[...], to: descriptor) }
    buffer.removeAll()
    if code != 0 { throw .writeFailed(name, errno: code) }
  }

  /// The result of `writeLines(_:)`.
  package struct LinesWritten {
    /// The number of lines that were written completely.
    package var lines: Int
    package var error: OutputFileError?
  }

  /// Writes lines and empties the buffer. If not all of them fit, a regular file keeps the complete
  /// lines only.
  package func writeLines(_ buffer: inout OutputBuffer) -> LinesWritten {
    let start = isRegular ? lseek(descriptor, 0, SEEK_CUR) : 0
    let result = buffer.withBytes { bytes in
      let code = CompleteWrite.write(bytes[...], to: descriptor)
      var complete = bytes[...]
      if code != 0 {
        let written = isRegular ? max(0, lseek(descriptor, 0, SEEK_CUR) - start) : 0
        let end = bytes.prefix(written).lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        complete = bytes.prefix(end)
        if isRegular {
          _ = ftruncate(descriptor, start + end)
          _ = lseek(descriptor, start + end, SEEK_SET)
        }
      }
      return LinesWritten(
        lines: complete.count { $0 == UInt8(ascii: "\n") },
        error: code == 0 ? nil : .writeFailed(name, errno: code))
    }
    buffer.removeAll()
    return result
  }

  /// Returns where the links of a path end: a file, a name that no file has yet, or a name in a
  /// folder of descriptors, which readlink(2) reads as text but which is not a link to that text.
  private static func target(of path: String) throws(OutputFileError) -> String {
    var target = path
    // The kernel's own limit (path_resolution(7)).
    for _ in 0..<40 {
      guard OwnDescriptor.number(named: target) == nil else { return target }
      guard let next = linkText(of: target) else { return target }
      target = next.hasPrefix("/") ? next : folder(of: target) + "/" + next
    }
    throw .cannotCreate(path, errno: ELOOP)
  }

  /// Returns nil for what is not a symbolic link.
  private static func linkText(of path: String) -> String? {
    var text = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &text, text.count)
    guard count > 0 else { return nil }
    return String(decoding: text[..<count].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func temporaryName(for target: String) -> String {
    "\(target).\(getpid())-\(UInt32.random(in: .min ... .max)).part"
  }
}

/// Why an output file cannot be created or written.
package struct OutputFileError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Kind: Equatable, Sendable {
    /// The reader of the pipe is gone (`parallax subscribe | head -1`).
    case readerGone
    case cannotCreate
    case noPermission
    /// Writing failed; a full disk too.
    case writeFailed
  }

  package let kind: Kind
  /// One line: the file, what is wrong and what to do.
  package let description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  /// The reader of the pipe is gone.
  package static func readerGone(_ name: String) -> OutputFileError {
    OutputFileError(.readerGone, "\(name): no program reads it anymore")
  }

  static func writeFailed(_ name: String, errno code: Int32) -> OutputFileError {
    switch code {
    case EPIPE: readerGone(name)
    case ENOSPC, EDQUOT: diskFull(name)
    case EFBIG:
      OutputFileError(
        .writeFailed, "\(name): the file exceeds the size limit; raise it with ulimit -f")
    default:
      OutputFileError(
        .writeFailed,
        "\(name): cannot be written: \(String(cString: strerror(code))); write elsewhere with -o")
    }
  }

  static func cannotCreate(_ path: String, errno code: Int32) -> OutputFileError {
    let reason = String(cString: strerror(code))
    return switch code {
    case ENOSPC, EDQUOT: diskFull(path)
    case EACCES, EPERM, EROFS:
      OutputFileError(
        .noPermission,
        "\(path): cannot be created: \(reason); write to a folder that you may change")
    case ENOENT:
      OutputFileError(
        .cannotCreate,
        "\(path): cannot be created: its folder does not exist; create it or write elsewhere")
    default:
      OutputFileError(.cannotCreate, "\(path): cannot be created: \(reason); write elsewhere")
    }
  }

  private static func diskFull(_ name: String) -> OutputFileError {
    OutputFileError(
      .writeFailed, "\(name): the disk is full; free some space or write elsewhere with -o")
  }
}
