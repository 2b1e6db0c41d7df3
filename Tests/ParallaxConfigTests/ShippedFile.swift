@testable import ParallaxConfig

/// The text of config/parallax.toml: every key commented out at its default, with all that the
/// schema knows of it.
enum ShippedFile {
  /// Columns of the documentation's lines.
  private static let width = 92

  static var text: String {
    let tables = ConfigSchema.tables.map(text(of:))
    return ([introduction] + tables).joined(separator: "\n")
  }

  private static let introduction = """
    # parallax: configuration.
    #
    # Every key is here with its default, commented out: "#key = value". To change one, take its
    # "#" away, then check and load it:
    #
    #   parallax config check       tells all that is wrong at once, with line and column
    #   parallax reload             the running daemon reads its files again; so does SIGHUP, and
    #                               a file with an error changes nothing
    #   parallax config show        what counts now, and where each value came from
    #
    # The system's daemon, and root, read /etc/parallax/parallax.toml and then
    # /etc/parallax/parallax.toml.d/*.toml in the order of their names. Users, and whoever has
    # XDG_CONFIG_HOME set, read parallax.toml and parallax.toml.d/*.toml in
    # $XDG_CONFIG_HOME/parallax (~/.config/parallax) instead. With --config FILE, that file alone
    # counts. Of a key that is set twice the later file wins; over files go the variables
    # PARALLAX_SOCKET and PARALLAX_CONTROL, and over all --set TABLE.KEY=VALUE on the command line.
    #
    # The format is TOML: strings in quotes, numbers without; a whole number may stand wherever a
    # number does. "auto" and "" mean: as if the key were not there.

    """

  private static func text(of table: SettingTable) -> String {
    var lines: [String] = []
    lines.append("# " + String(repeating: "-", count: width - 2))
    lines += wrapped(table.summary, first: "# ", rest: "# ")
    lines.append("[\(table.name)]")
    if table.isOpen {
      lines += [
        "", "# No layers are built in. A picture with a far background and a near card:",
        "#     bg = 0.2", "#     card = 1.4",
      ]
    }
    for key in table.keys {
      lines.append("")
      lines += text(of: key)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func text(of key: SettingKey) -> [String] {
    var lines = wrapped(key.summary, first: "# ", rest: "# ")
    func add(_ label: String, _ text: String) {
      lines += wrapped(text, first: "#   \(label): ", rest: "#       ")
    }
    add("Unit", key.unit ?? "none")
    let value = key.tomlValue(in: Configuration())
    add("Default", key.defaultNote.map { "\(value): \($0)" } ?? value)
    add("Allowed", key.allowed)
    for effect in key.effects {
      add(effect.label, effect.text)
    }
    lines.append("#\(key.name) = \(value)")
    return lines
  }

  /// Breaks at spaces, so that no line is wider than `width` if its words allow it.
  private static func wrapped(_ text: String, first: String, rest: String) -> [String] {
    var lines: [String] = []
    var line = first
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        (line, isEmpty) = (rest, true)
      }
      line += isEmpty ? String(word) : " " + word
      isEmpty = false
    }
    lines.append(line)
    return lines
  }
}
