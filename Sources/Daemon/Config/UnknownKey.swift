// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// Messages about a name that is not in the schema.
enum UnknownKey {
  /// `[motoin]`.
  static func message(table: String) -> String {
    let names = ConfigSchema.tables.map(\.name)
    if let guess = NearestName.of(table, among: names) {
      return "unknown table; did you mean [\(guess)]? The tables are \(allTables)"
    }
    return "unknown table; the tables are \(allTables)"
  }

  /// `scale = 5` before any table, or `--set scale=5`.
  static func message(outside name: String) -> String {
    if ConfigSchema.table(named: name) != nil {
      return "this is a table; set one of its keys, as in \(example(of: name))"
    }
    if let key = ConfigSchema.keys.first(where: { $0.name == name }) {
      return "a key needs its table; did you mean \(key.path)?"
    }
    let guess = NearestName.of(name, among: ConfigSchema.keys.map(\.name))
    if let key = ConfigSchema.keys.first(where: { $0.name == guess }) {
      return "unknown key; did you mean \(key.path)?"
    }
    return "unknown key outside a table; the tables are \(allTables)"
  }

  /// `[motion] scael = 5`.
  static func message(table: String, name: String) -> String {
    let names = ConfigSchema.table(named: table)?.keys.map(\.name) ?? []
    let all = "[\(table)] has \(names.joined(separator: ", "))"
    if let guess = NearestName.of(name, among: names) {
      return "unknown key; did you mean \(guess)? \(all)"
    }
    if let other = ConfigSchema.keys.first(where: { $0.name == name }) {
      return "unknown key; \(name) is a key of [\(other.table)]. \(all)"
    }
    return "unknown key; \(all)"
  }

  private static var allTables: String {
    ConfigSchema.tables.map { "[\($0.name)]" }.joined(separator: ", ")
  }

  private static func example(of table: String) -> String {
    let name = ConfigSchema.table(named: table)?.keys.first?.name ?? "NAME"
    return "\(table).\(name)"
  }
}
