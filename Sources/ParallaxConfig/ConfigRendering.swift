import ParallaxMotion

extension LoadedConfiguration {
  /// The effective configuration as TOML: every key with its value, and behind each that is not
  /// built in, where it came from. Reading it gives the same configuration again.
  /// - Parameter paths: what the daemon would listen on, told where `[socket]` leaves it open.
  package func toml(paths: SocketPaths? = nil) -> String {
    var lines: [String] = []
    for table in ConfigSchema.tables {
      if !lines.isEmpty { lines.append("") }
      lines.append("[\(table.name)]")
      let settings =
        table.isOpen
        ? configuration.layers.layers.map { layer in
          (name: layer.name, value: TomlText.number(layer.depth))
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

  /// What a path that was left out comes to.
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
