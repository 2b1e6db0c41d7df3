// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The static files of the page, read once. Requests look up a table, so no path of a request reaches the
/// file system.
package struct PageFiles: Sendable {
  package struct File: Sendable {
    package let type: String
    package let tag: String
    package let bytes: [UInt8]
  }

  /// The reason why the files are not usable.
  package struct LoadError: Error, Equatable, Sendable {
    package let message: String
  }

  /// Limits of what is read.
  static let (maxFiles, maxBytes, maxDepth) = (256, 16 << 20, 4)

  private var files: [String: File] = [:]
  private var bytes = 0

  /// Reads the page's folder, and the modules of the client for JavaScript below `/client/`.
  package init(page: String, client: String) throws(LoadError) {
    try add(folder: page, at: "/", depth: 1)
    try add(folder: client, at: "/client/", depth: Self.maxDepth) { $0.hasSuffix(".js") }
    guard let index = files["/index.html"] else {
      throw LoadError(message: "\(page): no index.html; name the page's folder with --files")
    }
    files["/"] = index
  }

  /// Returns the file for the path of a request, without its query; nil if there is none.
  package func file(_ path: String) -> File? {
    files[String(path.prefix { $0 != "?" && $0 != "#" })]
  }

  /// The number of files.
  package var count: Int { files.count - 1 }

  private mutating func add(
    folder: String, at prefix: String, depth: Int, isServed: (String) -> Bool = { _ in true }
  ) throws(LoadError) {
    guard let entries = opendir(folder) else {
      throw LoadError(message: "\(folder): \(String(cString: strerror(errno)))")
    }
    var names: [String] = []
    while let entry = readdir(entries) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    closedir(entries)
    for name in names.sorted() where Self.isName(name) {
      let path = "\(folder)/\(name)"
      var status = stat()
      guard stat(path, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR where depth < Self.maxDepth:
        try add(folder: path, at: "\(prefix)\(name)/", depth: depth + 1)
      case S_IFREG where isServed(name): try add(file: path, at: prefix + name)
      default: break
      }
    }
  }

  private mutating func add(file path: String, at target: String) throws(LoadError) {
    guard let type = Self.type(path) else { return }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw LoadError(message: "\(path): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    guard files.count < Self.maxFiles,
      let text = Descriptor.read(descriptor, limit: Self.maxBytes - bytes)
    else {
      throw LoadError(
        message: "\(path): more than \(Self.maxFiles) files or \(Self.maxBytes >> 20) MiB; "
          + "name the page's folder with --files")
    }
    bytes += text.count
    files[target] = File(type: type, tag: EntityTag.of(text), bytes: text)
  }

  /// Whether a name needs no escape in a URL and is not hidden.
  private static func isName(_ name: String) -> Bool {
    !name.hasPrefix(".")
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// The types that are served; nil for others.
  static func type(_ path: String) -> String? {
    let types = [
      "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
      "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
      "json": "application/json", "svg": "image/svg+xml", "png": "image/png",
      "webp": "image/webp", "ico": "image/x-icon", "woff2": "font/woff2",
      "webmanifest": "application/manifest+json", "txt": "text/plain; charset=utf-8",
      "csv": "text/csv; charset=utf-8",
    ]
    guard let dot = path.lastIndex(of: ".") else { return nil }
    return types[path[path.index(after: dot)...].lowercased()]
  }
}
