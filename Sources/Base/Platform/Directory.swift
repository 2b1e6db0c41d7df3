// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Directories, by readdir(3).
package enum Directory {
  /// Returns the names in a directory without `.` and `..`, in no particular order.
  package static func names(in path: String) throws(SystemError) -> [String] {
    guard let stream = opendir(path) else { throw .last("opendir", path: path) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
