// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase

/// The file of the configuration with the settings that a user has tuned, of `parallax tune` and the
/// page.
package enum TuneFile {
  /// A drop-in of the configuration that the daemon on the first of these sockets reads.
  package static func path(daemonSockets: [String]) -> String {
    let name = "parallax.toml.d/50-tune.toml"
    let first = daemonSockets.first { access($0, F_OK) == 0 }
    if first?.hasPrefix("/run/parallax/") == true { return "/etc/parallax/\(name)" }
    return ConfigLoader().defaultFile.map { "\($0).d/50-tune.toml" } ?? name
  }

  /// The path with `~` for the home folder.
  package static func shortened(_ path: String) -> String {
    guard let home = getenv("HOME").map({ String(cString: $0) }), home.count > 1,
      path.hasPrefix(home + "/")
    else { return path }
    return "~" + path.dropFirst(home.count)
  }

  /// The settings as TOML, with their tables.
  package static func toml(_ settings: [(key: String, value: String)]) -> String {
    let text = try? DropIn.text(keys(settings), comment: "")
    // Without the comment and the line after it.
    return text.map { String($0.drop { $0 != "[" }) } ?? ""
  }

  /// Adds the settings to the file and creates its folder. Returns a message.
  ///
  /// - Parameters:
  ///   - author: The program that writes, for the file's comment.
  ///   - advice: What to do if the file cannot be written.
  package static func write(
    _ settings: [(key: String, value: String)], to path: String, author: String, advice: String
  ) -> (text: String, isWritten: Bool) {
    do throws(ConfigurationErrors) {
      let text = try DropIn.text(
        keys(settings), addedTo: contents(path), at: path, comment: "Written by '\(author)'.")
      guard let error = replace(path, with: text) else {
        return ("wrote \(shortened(path))", true)
      }
      return ("\(path): \(String(cString: strerror(error))); \(advice)", false)
    } catch {
      return (error.lines.first ?? "\(path) is not valid", false)
    }
  }

  private static func keys(
    _ settings: [(key: String, value: String)]
  ) -> [(key: SettingKey, value: String)] {
    settings.compactMap { setting in
      SetChange.settings.first { $0.name == setting.key }.map { ($0, setting.value) }
    }
  }

  private static func contents(_ path: String) -> [UInt8]? {
    try? SmallFile.readRegular(path, limit: TomlDocument.sizeLimit)
  }

  /// Writes a new file and puts it in the place of the old one. Returns the number of an error.
  private static func replace(_ path: String, with text: String) -> Int32? {
    let folders = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    for count in folders.indices {
      let folder = folders[...count].joined(separator: "/")
      if !folder.isEmpty, mkdir(folder, 0o755) != 0, errno != EEXIST {
        return errno
      }
    }
    let temporary = "\(path).new"
    guard let file = fopen(temporary, "we") else { return errno }
    let isWritten = fputs(text, file) >= 0 && fflush(file) == 0 && fsync(fileno(file)) == 0
    let error = errno
    fclose(file)
    guard isWritten, rename(temporary, path) == 0 else {
      let code = isWritten ? errno : error
      unlink(temporary)
      return code
    }
    return nil
  }
}
