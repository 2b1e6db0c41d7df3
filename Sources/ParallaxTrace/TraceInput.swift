internal import Glibc

/// An open file descriptor to read from. Closed when it goes, unless it is standard input.
package struct TraceInput: ~Copyable {
  let descriptor: Int32
  private let isOwned: Bool
  /// As it was named on the command line; `standard input` for that.
  let name: String
  /// The last part of the path, for what a file's name says about it; nil for standard input.
  let fileName: String?

  /// Takes over a descriptor and closes it at the end.
  package init(owning descriptor: Int32, name: String, fileName: String? = nil) {
    self.descriptor = descriptor
    self.name = name
    self.fileName = fileName
    isOwned = true
  }

  private init(borrowing descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
    fileName = nil
    isOwned = false
  }

  /// Opens a file for reading.
  ///
  /// - Parameter path: `-` is standard input.
  package init(path: String) throws(TraceError) {
    guard path != "-" else {
      self.init(borrowing: STDIN_FILENO, name: "standard input")
      return
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw Self.openFailed(path, errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw Self.openFailed(path, code)
    }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      close(descriptor)
      throw TraceError(
        .noInput, path: path,
        "is a folder; name a trace file, or several with \(quoted(path))/*.csv"
      )
    }
    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    let lastPart = path.split(separator: "/").last.map(String.init)
    self.init(owning: descriptor, name: path, fileName: lastPart)
  }

  deinit {
    if isOwned {
      close(descriptor)
    }
  }

  /// Whether reading can begin anew.
  var canRewind: Bool {
    isOwned && lseek(descriptor, 0, SEEK_CUR) >= 0
  }

  /// Returns the bytes read, 0 at the end.
  func read(into target: UnsafeMutableRawPointer, count: Int) throws(TraceError) -> Int {
    while true {
      let got = Glibc.read(descriptor, target, count)
      if got >= 0 { return got }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        // Somebody left this descriptor non-blocking; wait as a blocking one would.
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&ready, 1, -1)
      case let code:
        throw TraceError(
          .readFailed, path: name,
          "reading failed (\(String(cString: strerror(code)))); check the disk or what feeds it")
      }
    }
  }

  private static func openFailed(_ path: String, _ code: Int32) -> TraceError {
    switch code {
    case ENOENT, ENOTDIR:
      TraceError(.noInput, path: path, "no such file; check the path")
    case EACCES, EPERM:
      TraceError(
        .noPermission, path: path, "you may not read this file; ask its owner, or chmod +r it")
    case ENAMETOOLONG, ELOOP, ENXIO, ENODEV:
      TraceError(
        .noInput, path: path,
        "cannot be opened (\(String(cString: strerror(code)))); check the path")
    default:
      TraceError(
        .readFailed, path: path,
        "cannot be opened (\(String(cString: strerror(code)))); try again")
    }
  }
}
