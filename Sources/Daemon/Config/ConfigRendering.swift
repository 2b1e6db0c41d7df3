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
      let settings =
        table.isOpen
        ? configuration.layers.layers.map { layer in
          (name: layer.name, value: SettingText.text(layer.depth))
        }
        : table.keys.map { ($0.name, $0.tomlValue(in: configuration)) }
      for (name, value) in settings {
        let path = "\(table.name).\(name)"
        var line = "\(TomlText.key(name)) = \(value)"
        if let note = origins[path]?.summary ?? Self.note(path, paths, in: self) {
          line += String(repeating: " ", count: max(2, 32 - line.count)) + "# " + note
        }
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the resolved path for a socket without one.
  private static func note(
    _ path: String, _ paths: SocketPaths?, in loaded: LoadedConfiguration
  ) -> String? {
    switch path {
    case "socket.path" where loaded.configuration.socket.path == nil: paths?.stream
    case "socket.control" where loaded.configuration.socket.control == nil: paths?.control
    default: nil
    }
  }
}
