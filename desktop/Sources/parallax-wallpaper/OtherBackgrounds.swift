// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxWallpaperCore

/// The user's other programs that show a background.
enum OtherBackgrounds {
  /// Prints a line for each: which it is, and what to change.
  static func report() {
    guard let stream = opendir("/proc") else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let process = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      var status = stat()
      guard Int(process) != nil, stat("/proc/\(process)", &status) == 0, status.st_uid == getuid(),
        let name = text(of: "/proc/\(process)/comm").split(separator: "\n").first
      else { continue }
      let arguments = text(of: "/proc/\(process)/cmdline").split(separator: "\0").map(String.init)
      if let message = OtherBackground.message(name: String(name), arguments: arguments) {
        say(message)
      }
    }
  }

  private static func text(of path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    return String(decoding: bytes[..<max(0, read(file, &bytes, bytes.count))], as: UTF8.self)
  }
}
