// SPDX-License-Identifier: Apache-2.0

@testable import ParallaxConfig

/// The text of docs/configuration.md: every table and key of the schema. The manual page
/// parallax.toml(5) is made from it.
enum ConfigurationReference {
  /// The columns of a line.
  private static let width = 110

  static var text: String {
    ([introduction] + ConfigSchema.tables.map(text(of:))).joined(separator: "\n")
  }

  private static let introduction = """
    # Configuration

    <!-- Generated: PARALLAX_RECORD=1 swift test --filter ConfigurationReference -->

    The configuration is a TOML file. All keys are optional; an absent key has its default. "auto" and "" have the
    same effect as an absent key. [config/parallax.toml](../config/parallax.toml) is this reference as a file to
    edit.

    ```toml
    [sampling]
    rate = 60

    [motion]
    smoothing = "spring:0.4"
    range-x = "-20:20"

    [layers]
    bg = 0.2
    card = 1.4
    ```

    ## Files

    The system's daemon, and root, read `/etc/parallax/parallax.toml`, then `/etc/parallax/parallax.toml.d/*.toml`
    in the order of their names. Other users, and processes with `XDG_CONFIG_HOME` set, read `parallax.toml` and
    `parallax.toml.d/*.toml` in `$XDG_CONFIG_HOME/parallax`, which is `~/.config/parallax` by default. `--config`
    replaces all of them.

    In order of precedence: `--set TABLE.KEY=VALUE` on the command line, the variables `PARALLAX_SOCKET` and
    `PARALLAX_CONTROL`, later files, earlier files.

    ## Commands

    | command | effect |
    |---|---|
    | `parallax config check` | reports all errors, with line and column |
    | `parallax config show` | prints the values in effect and their origins |
    | `parallax reload` | makes the running daemon read its files again, like SIGHUP; a file with an error changes nothing |
    | `parallax set KEY VALUE` | changes a setting of the running daemon until it exits |

    """

  private static func text(of table: SettingTable) -> String {
    var lines = ["## [\(table.name)]", ""] + wrapped(table.summary)
    for key in table.keys { lines += ["", "### \(key.name)", ""] + text(of: key) }
    if table.isOpen { lines += [""] + wrapped(layersText) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let layersText = """
    Each key is the name of a layer, and its value a depth from -10 to 10. No layers are built in.
    """

  private static func text(of key: SettingKey) -> [String] {
    let value = "`\(key.value(in: Configuration()).toml)`"
    var items = [
      ("Default", key.defaultNote.map { "\(value), \($0)" } ?? value), ("Allowed", key.allowed),
    ]
    if let unit = key.unit { items.insert(("Unit", unit), at: 0) }
    for effect in key.effects {
      let isValue = effect.label.hasPrefix("\"") || ["true", "false"].contains(effect.label)
      items.append((isValue ? "`\(effect.label)`" : effect.label, effect.text))
    }
    return wrapped(key.summary) + [""]
      + items.flatMap { wrapped("\($0): \($1)", first: "- ", rest: "  ") }
  }

  /// Returns the text in lines of at most `width` columns, broken at spaces.
  private static func wrapped(_ text: String, first: String = "", rest: String = "") -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? (lines.isEmpty ? first : rest) + word : " " + word
    }
    return lines + [line]
  }
}
