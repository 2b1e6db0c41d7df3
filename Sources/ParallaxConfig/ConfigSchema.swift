/// One table of the file.
package struct SettingTable: Sendable {
  package let name: String
  /// What the table is about.
  package let summary: String
  package let keys: [SettingKey]
  /// Whether its keys are names of the user's own: `[layers]`.
  package var isOpen: Bool { keys.isEmpty }
}

/// Every table and key there is, in the order of the documentation.
package enum ConfigSchema {
  package static let tables: [SettingTable] = [
    source, sampling, motion, orientation, gates, layers, animations, socket,
  ]

  /// All keys but the layers' names.
  package static let keys: [SettingKey] = tables.flatMap(\.keys)

  package static func table(named name: String) -> SettingTable? {
    tables.first { $0.name == name }
  }

  /// The key of a path like `motion.scale`.
  package static func key(at path: String) -> SettingKey? {
    keys.first { $0.path == path }
  }
}
