import Glibc
import ParallaxMotion

/// Where a table goes: standard output, or a file that comes into being only when it is whole.
///
/// A regular file is written without a name (O_TMPFILE, open(2)) and gets its own at the end, so that
/// neither an error nor a kill leaves anything half-written behind. What cannot be made again, a
/// recording, has a name all the while (`growsUnderAName`), so that a kill or a power cut leaves
/// what was written. Devices and FIFOs are written directly.
final class OutputFile {
  /// For messages.
  let name: String
  private let descriptor: Int32
  private var ending: Ending
  /// Whether what was written stays even if the end goes wrong.
  private let isPrecious: Bool

  /// O_TMPFILE, which Swift's Glibc does not show (Linux include/uapi/asm-generic/fcntl.h).
  private static let temporaryFile = 0o20000000 | O_DIRECTORY

  private enum Ending {
    /// Standard output, a device, a FIFO: the bytes are where they belong.
    case direct
    /// A file without a name yet.
    case unnamed(target: String)
    /// A file under a temporary name, where the file system knows no files without one.
    case temporary(path: String, target: String)
    case finished
  }

  /// Standard output.
  init() {
    name = "standard output"
    descriptor = STDOUT_FILENO
    ending = .direct
    isPrecious = false
  }

  /// - Parameter growsUnderAName: while it is written a regular file is `PATH.*.part`, and what it
  ///   has is on the disk before it becomes `PATH`.
  /// - Throws: exit 73 or 77 where the file cannot be made.
  init(path: String, growsUnderAName: Bool = false) throws(CommandFailure) {
    name = path
    isPrecious = growsUnderAName
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG {
      guard status.st_mode & S_IFMT != S_IFDIR else {
        throw CommandFailure(.cannotCreate, "\(path): this is a folder; name a file in it")
      }
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw Self.cannotCreate(path, errno) }
      ending = .direct
      return
    }
    // The real file, not a link to it: rename must not replace the link.
    let target = exists ? Self.resolved(path) : path
    let mode = exists ? status.st_mode & 0o777 : 0o666
    if exists, access(target, W_OK) != 0 { throw Self.cannotCreate(path, errno) }
    let unnamed =
      growsUnderAName
      ? -1 : open(Self.folder(of: target), Self.temporaryFile | O_WRONLY | O_CLOEXEC, mode)
    if unnamed >= 0 {
      descriptor = unnamed
      ending = .unnamed(target: target)
    } else {
      guard growsUnderAName || errno == EOPNOTSUPP || errno == EISDIR else {
        throw Self.cannotCreate(path, errno)
      }
      let temporary = Self.temporaryName(for: target)
      descriptor = open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode)
      guard descriptor >= 0 else { throw Self.cannotCreate(path, errno) }
      ending = .temporary(path: temporary, target: target)
    }
  }

  deinit {
    if case .temporary(let path, _) = ending { unlink(path) }
    if descriptor > STDERR_FILENO { close(descriptor) }
  }

  /// Gives the file its name. Without this it vanishes.
  func finish() throws(CommandFailure) {
    switch ending {
    case .direct, .finished: return
    case .unnamed(let target):
      // linkat does not replace a file, rename does: a name in between, for a moment.
      let temporary = Self.temporaryName(for: target)
      guard
        linkat(
          AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) == 0
      else { throw Self.cannotCreate(name, errno) }
      ending = .temporary(path: temporary, target: target)
      try finish()
    case .temporary(let path, let target):
      // Or a power cut soon after might leave the name and nothing in it.
      let syncCode = isPrecious && fdatasync(descriptor) != 0 ? errno : 0
      guard rename(path, target) == 0 else {
        let failure = Self.cannotCreate(name, errno)
        guard isPrecious else { throw failure }
        ending = .finished
        throw CommandFailure(failure.exit, "\(failure.message); it is all in \(path)")
      }
      ending = .finished
      if syncCode != 0 { throw Self.cannotWrite(name, syncCode) }
    }
  }

  /// Whether it is a file that comes into being, nothing that the bytes only go through.
  var isRegular: Bool { if case .direct = ending { false } else { true } }

  /// For poll(): tells of a reader's going; -1 where nobody reads meanwhile.
  var readerDescriptor: Int32 { isRegular ? -1 : descriptor }

  /// Writes all bytes and empties the buffer.
  /// - Throws: `OutputClosed` where nobody reads any more, exit 74 where writing fails.
  func write(_ buffer: inout OutputBuffer) throws {
    let code = buffer.withBytes { bytes in Console.writeAll(bytes[...], to: descriptor) }
    buffer.removeAll()
    switch code {
    case 0: return
    case EPIPE: throw OutputClosed()
    default: throw Self.cannotWrite(name, code)
    }
  }

  /// What became of lines that were to be written.
  struct LinesWritten {
    enum Failure {
      /// Nobody reads any more.
      case readerGone
      case failed(CommandFailure)
    }
    /// So many are there, each of them whole.
    var lines: Int
    var failure: Failure?
  }

  /// Writes whole lines and empties the buffer. Where not all of them fit, a regular file keeps the
  /// lines that do and nothing of the one that does not.
  func writeLines(_ buffer: inout OutputBuffer) -> LinesWritten {
    let start = isRegular ? lseek(descriptor, 0, SEEK_CUR) : 0
    let result = buffer.withBytes { bytes in
      let code = Console.writeAll(bytes[...], to: descriptor)
      var whole = bytes[...]
      if code != 0 {
        let taken = isRegular ? max(0, lseek(descriptor, 0, SEEK_CUR) - start) : 0
        let end = bytes.prefix(taken).lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        whole = bytes.prefix(end)
        if isRegular {
          _ = ftruncate(descriptor, start + end)
          _ = lseek(descriptor, start + end, SEEK_SET)
        }
      }
      let lines = whole.count { $0 == UInt8(ascii: "\n") }
      let failure: LinesWritten.Failure? =
        switch code {
        case 0: nil
        case EPIPE: .readerGone
        default: .failed(Self.cannotWrite(name, code))
        }
      return LinesWritten(lines: lines, failure: failure)
    }
    buffer.removeAll()
    return result
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func temporaryName(for target: String) -> String {
    "\(target).\(getpid())-\(UInt32.random(in: .min ... .max)).part"
  }

  private static func cannotWrite(_ name: String, _ code: Int32) -> CommandFailure {
    switch code {
    case ENOSPC, EDQUOT: diskFull(name)
    case EFBIG:
      CommandFailure(.inputOutput, "\(name): the file grows beyond its limit; raise ulimit -f")
    default:
      CommandFailure(
        .inputOutput,
        "\(name): cannot be written: \(String(cString: strerror(code))); write elsewhere with -o")
    }
  }

  private static func diskFull(_ name: String) -> CommandFailure {
    CommandFailure(
      .inputOutput, "\(name): the disk is full; make room, or write elsewhere with -o")
  }

  private static func cannotCreate(_ path: String, _ code: Int32) -> CommandFailure {
    let reason = String(cString: strerror(code))
    return switch code {
    case ENOSPC, EDQUOT: diskFull(path)
    case EACCES, EPERM, EROFS:
      CommandFailure(
        .noPermission, "\(path): cannot be created: \(reason); write to a folder of your own")
    case ENOENT:
      CommandFailure(
        .cannotCreate,
        "\(path): cannot be created: its folder is not there; make it, or write elsewhere")
    default:
      CommandFailure(.cannotCreate, "\(path): cannot be created: \(reason); write elsewhere")
    }
  }
}
