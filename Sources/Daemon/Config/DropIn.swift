// SPDX-License-Identifier: Apache-2.0

/// A configuration file with a few settings, such as the one that `parallax tune` writes.
package enum DropIn {
  /// Returns the text of a file with these settings.
  ///
  /// - Parameters:
  ///   - settings: The keys and their values as on the command line.
  ///   - existing: The file of that name, whose other settings are kept; nil if there is none.
  ///   - path: Its path, for errors.
  ///   - comment: The first line.
  /// - Throws: the errors of the existing file, or of a value.
  package static func text(
    _ settings: [(key: SettingKey, value: String)], addedTo existing: [UInt8]? = nil,
    at path: String = "", comment: String
  ) throws(ConfigurationErrors) -> String {
    var builder = ConfigurationBuilder()
    if let existing { builder.add(file: path, bytes: existing) }
    for setting in settings {
      builder.set(key: setting.key.path, text: setting.value, origin: .assignment)
    }
    let loaded = try builder.build()
    var lines = ["# \(comment)"]
    for table in ConfigSchema.tables {
      let keys = loaded.assignments(of: table).filter { loaded.origins[$0.path] != nil }.map(\.line)
      if !keys.isEmpty { lines += ["", "[\(table.name)]"] + keys }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
