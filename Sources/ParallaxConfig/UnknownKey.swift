import ParallaxMotion

/// What to say about a name that is not in the schema.
enum UnknownKey {
  /// `[motoin]`.
  static func message(table: String) -> String {
    let names = ConfigSchema.tables.map(\.name)
    let guess = NearestName.of(table, among: names).map { "did you mean [\($0)]? " } ?? ""
    let all = names.map { "[\($0)]" }.joined(separator: ", ")
    return "unknown table; \(guess)There are \(all)".lowercasedThere(after: guess)
  }

  /// `scale = 5` before any table, or `--set scale=5`.
  static func message(outside name: String) -> String {
    if ConfigSchema.table(named: name) != nil {
      return "this is a table; name a key of it, as in \(example(of: name))"
    }
    if let key = ConfigSchema.keys.first(where: { $0.name == name }) {
      return "a key belongs to its table; did you mean \(key.path)?"
    }
    let guess = NearestName.of(name, among: ConfigSchema.keys.map(\.name))
    if let key = ConfigSchema.keys.first(where: { $0.name == guess }) {
      return "unknown key; did you mean \(key.path)?"
    }
    return "unknown key outside every table; write it below one of "
      + ConfigSchema.tables.map { "[\($0.name)]" }.joined(separator: ", ")
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

  private static func example(of table: String) -> String {
    let name = ConfigSchema.table(named: table)?.keys.first?.name ?? "NAME"
    return "\(table).\(name)"
  }
}

extension String {
  /// Without a guess the sentence goes on behind its semicolon.
  fileprivate func lowercasedThere(after guess: String) -> String {
    guard guess.isEmpty else { return self }
    return "unknown table; there are" + dropFirst("unknown table; There are".count)
  }
}
