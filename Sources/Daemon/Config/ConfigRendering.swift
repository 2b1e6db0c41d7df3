// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

extension LoadedConfiguration {
  /// Returns the effective configuration as TOML: every key with its value and, unless it is the
  /// default, its origin. Reading the text yields the same configuration.
  ///
  /// - Parameter paths: the daemon's sockets, shown where `[socket]` does not set them.
  package func toml(paths: SocketPaths? = nil) -> String {
    var lines: [String] = []
    for table in ConfigSchema.tables {
      if !lines.isEmpty { lines.append("") }
      lines.append("[\(table.name)]")
      for (path, line) in assignments(of: table) {
        let note = origins[path]?.summary ?? note(path, paths)
        let padding = String(repeating: " ", count: max(2, 32 - line.count))
        lines.append(line + (note.map { "\(padding)# \($0)" } ?? ""))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the lines of a table, `KEY = VALUE`, with the path of each key.
  func assignments(of table: SettingTable) -> [(path: String, line: String)] {
    let values =
      table.isOpen
      ? configuration.layers.layers.map { ($0.name, SettingValue.float($0.depth)) }
      : table.keys.map { ($0.name, $0.value(in: configuration)) }
    return values.map { name, value in
      ("\(table.name).\(name)", "\(TomlText.key(name)) = \(value.toml)")
    }
  }

  /// Returns the resolved path for a socket without one.
  private func note(_ path: String, _ paths: SocketPaths?) -> String? {
    switch path {
    case "socket.path" where configuration.socket.path == nil: paths?.stream
    case "socket.control" where configuration.socket.control == nil: paths?.control
    default: nil
    }
  }
}
