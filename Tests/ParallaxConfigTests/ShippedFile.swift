// SPDX-License-Identifier: Apache-2.0

@testable import ParallaxConfig

/// The text of config/parallax.toml: every key at its default, commented out, with the schema's
/// documentation.
enum ShippedFile {
  /// The columns of a line.
  private static let width = 92

  static var text: String {
    let tables = ConfigSchema.tables.map(text(of:))
    return ([introduction] + tables).joined(separator: "\n")
  }

  private static let introduction = """
    # parallax: configuration.
    #
    # Every key is commented out at its default: "#key = value". To change one, remove its "#",
    # then check and load the file:
    #
    #   parallax config check       reports all errors, with line and column
    #   parallax reload             makes the running daemon read its files again, like SIGHUP;
    #                               a file with an error changes nothing
    #   parallax config show        prints the effective values and their origins
    #
    # The system daemon, and root, read /etc/parallax/parallax.toml, then
    # /etc/parallax/parallax.toml.d/*.toml in the order of their names. Other users, and processes
    # with XDG_CONFIG_HOME set, read parallax.toml and parallax.toml.d/*.toml in
    # $XDG_CONFIG_HOME/parallax (~/.config/parallax) instead. --config FILE replaces all of them.
    # Precedence: --set TABLE.KEY=VALUE on the command line, then the variables PARALLAX_SOCKET and
    # PARALLAX_CONTROL, then later files, then earlier ones.
    #
    # The format is TOML: strings in quotes, numbers without. Whole numbers need no decimal point.
    # "auto" and "" have the same effect as an absent key.

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
    let value = key.value(in: Configuration()).toml
    add("Default", key.defaultNote.map { "\(value): \($0)" } ?? value)
    add("Allowed", key.allowed)
    for effect in key.effects {
      add(effect.label, effect.text)
    }
    lines.append("#\(key.name) = \(value)")
    return lines
  }

  /// Returns the text in lines of at most `width` columns, broken at spaces.
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
