// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An error of a test helper.
package struct TestSupportError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }

  /// Returns an error with the text of errno.
  static func system(_ what: String, _ code: Int32 = errno) -> Self {
    Self("\(what): \(String(cString: strerror(code)))")
  }
}

/// A folder for one test, removed with its contents when the last reference is dropped.
///
/// Its path is shorter than 32 bytes, which leaves room for socket names: the kernel allows 107 bytes.
package final class TemporaryFolder: Sendable {
  /// The absolute path, without a slash at the end.
  package let path: String

  package init() throws(TestSupportError) {
    var template = Array("/tmp/parallax.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .system("mkdtemp in /tmp") }
    path = template.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
  }

  deinit { removeTree(path) }

  /// Returns the path of `name` in this folder.
  package func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes `text` to the file `name`, creates its folders, and returns the file's path.
  @discardableResult
  package func write(_ text: String, to name: String) throws(TestSupportError) -> String {
    try write(bytes: Array(text.utf8), to: name)
  }

  @discardableResult
  package func write(bytes: [UInt8], to name: String) throws(TestSupportError) -> String {
    var depth = name.startIndex
    while let slash = name[depth...].firstIndex(of: "/") {
      try makeFolder(String(name[..<slash]))
      depth = name.index(after: slash)
    }
    let file = self(name)
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .system("open \(file)") }
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { throw .system("write \(file)") }
      written += count
    }
    return file
  }

  /// Creates the folder `name` if necessary and returns its path.
  @discardableResult
  package func makeFolder(_ name: String, mode: UInt32 = 0o755) throws(TestSupportError) -> String {
    let folder = self(name)
    guard mkdir(folder, mode) == 0 || errno == EEXIST else { throw .system("mkdir \(folder)") }
    return folder
  }

  package func text(of name: String) throws(TestSupportError) -> String {
    String(decoding: try contents(ofFile: self(name)), as: UTF8.self)
  }

  package func exists(_ name: String) -> Bool { access(self(name), F_OK) == 0 }

  /// Returns the names in this folder, sorted, with hidden ones.
  package func names() throws(TestSupportError) -> [String] { try namesInFolder(path) }

  /// Lets every user read, write and enter this folder, for tests that act as another user.
  package func openToAll() { chmod(path, 0o777) }
}

/// Returns the bytes of a file.
package func contents(ofFile path: String) throws(TestSupportError) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw .system("open \(path)") }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(descriptor, &block, block.count)
    if count == 0 { return bytes }
    guard count > 0 else { throw .system("read \(path)") }
    bytes += block[..<count]
  }
}

/// Returns the text of a file; invalid UTF-8 becomes U+FFFD.
package func text(ofFile path: String) throws(TestSupportError) -> String {
  String(decoding: try contents(ofFile: path), as: UTF8.self)
}

/// Returns the names in a folder, sorted, with hidden ones.
package func namesInFolder(_ path: String) throws(TestSupportError) -> [String] {
  guard let folder = opendir(path) else { throw .system("opendir \(path)") }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
      tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
        String(cString: $0)
      }
    }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}

/// Returns the paths of the files below `folder` whose names end in `suffix`, sorted, without hidden
/// ones.
package func files(below folder: String, suffix: String) throws(TestSupportError) -> [String] {
  var found: [String] = []
  for name in try namesInFolder(folder) where !name.hasPrefix(".") {
    let path = "\(folder)/\(name)"
    if isFolder(path) {
      found += try files(below: path, suffix: suffix)
    } else if name.hasSuffix(suffix) {
      found.append(path)
    }
  }
  return found
}

/// Returns whether the path is a folder; false for a link to one.
package func isFolder(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

private func removeTree(_ path: String) {
  if isFolder(path) {
    chmod(path, 0o700)
    for name in (try? namesInFolder(path)) ?? [] { removeTree("\(path)/\(name)") }
    rmdir(path)
  } else {
    unlink(path)
  }
}
