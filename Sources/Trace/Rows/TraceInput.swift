// SPDX-License-Identifier: Apache-2.0

import Glibc
package import ParallaxBase

/// An open trace: a file or standard input.
package struct TraceInput: ~Copyable, Sendable {
  /// The number of the file's descriptor, or of standard input's.
  let descriptor: Int32
  /// nil for standard input, which stays open.
  private let file: FileDescriptor?
  /// The path as given; `standard input` for `-`.
  let name: String
  /// The last component of the path, which may name the sensor; nil for standard input.
  let fileName: String?

  /// Takes ownership of an open file.
  package init(_ file: consuming FileDescriptor, name: String, fileName: String? = nil) {
    descriptor = file.raw
    self.file = consume file
    self.name = name
    self.fileName = fileName
  }

  private init(standardInputNamed name: String) {
    descriptor = STDIN_FILENO
    file = nil
    self.name = name
    fileName = nil
  }

  /// Opens a file of which reading never waits. Refuses pipes, devices, standard input and the kernel's
  /// files.
  package init(regularFile path: String) throws(TraceError) {
    let file: FileDescriptor
    do throws(RegularFileError) {
      file = try RegularFile.open(path)
    } catch {
      switch error {
      case .notRegular:
        throw TraceError(
          .noInput, path: path,
          "is not a regular file; the daemon plays only files (use parallax replay)")
      case .kernelFile:
        throw TraceError(
          .noInput, path: path, "is a file of the kernel; the daemon plays only recordings")
      case .failed(let error): throw Self.openError(path, error.number)
      }
    }
    try self.init(opened: file, path: path)
  }

  /// Opens a file for reading.
  ///
  /// - Parameter path: The file, or `-` for standard input.
  package init(path: String) throws(TraceError) {
    guard path != "-" else {
      self.init(standardInputNamed: "standard input")
      return
    }
    let file: FileDescriptor
    do {
      file = try FileDescriptor.open(path, O_RDONLY | O_NOCTTY)
    } catch {
      throw Self.openError(path, error.number)
    }
    try self.init(opened: file, path: path)
  }

  private init(opened file: consuming FileDescriptor, path: String) throws(TraceError) {
    var status = stat()
    guard fstat(file.raw, &status) == 0 else { throw Self.openError(path, errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw TraceError(
        .noInput, path: path,
        "is a folder; name a trace file, or several with \(quoted(path))/*.csv")
    }
    _ = posix_fadvise(file.raw, 0, 0, POSIX_FADV_SEQUENTIAL)
    let lastPart = path.split(separator: "/").last.map(String.init)
    self.init(file, name: path, fileName: lastPart)
  }

  /// Whether the file can be read again from the start.
  var canRewind: Bool {
    switch file {
    case .some: lseek(descriptor, 0, SEEK_CUR) >= 0
    case nil: false
    }
  }

  /// Whether this is a regular file, also as standard input, so that reading never waits.
  var isRegular: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether reading would not wait now.
  var isReady: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) != 0
  }

  /// Reads up to `count` bytes to an index and returns their number, 0 at the end.
  func read(into bytes: inout [UInt8], at index: Int, count: Int) throws(TraceError) -> Int {
    while true {
      let got = bytes.withUnsafeMutableBytes { bytes in
        let target = UnsafeMutableRawBufferPointer(rebasing: bytes[index..<index + count])
        return Glibc.read(descriptor, target.baseAddress, target.count)
      }
      if got >= 0 { return got }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        // Another program left this descriptor non-blocking; wait as a blocking one would.
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&ready, 1, -1)
      case let code:
        throw TraceError(
          .readFailed, path: name,
          "cannot be read: \(String(cString: strerror(code))); check the disk or the input")
      }
    }
  }

  private static func openError(_ path: String, _ code: Int32) -> TraceError {
    switch code {
    case ENOENT, ENOTDIR:
      TraceError(.noInput, path: path, "no such file; check the path")
    case EACCES, EPERM:
      TraceError(
        .noPermission, path: path,
        "permission denied; give this user read access to it")
    case ENAMETOOLONG, ELOOP, ENXIO, ENODEV:
      TraceError(
        .noInput, path: path,
        "cannot be opened: \(String(cString: strerror(code))); check the path")
    case EMFILE, ENFILE, ENOMEM:
      TraceError(
        .shortage, path: path,
        "cannot be opened: \(String(cString: strerror(code))); close other files or programs")
    default:
      TraceError(
        .readFailed, path: path,
        "cannot be opened: \(String(cString: strerror(code))); try again")
    }
  }
}
