// SPDX-License-Identifier: Apache-2.0

/// A table of the configuration.
package struct SettingTable: Sendable {
  package let name: String
  package let summary: String
  package let keys: [SettingKey]
  /// Whether users choose the names of its keys, as in `[layers]`.
  package var isOpen: Bool { keys.isEmpty }
}

/// All tables and keys, in the order of config/parallax.toml.
package enum ConfigSchema {
  package static let tables: [SettingTable] = [
    source, sampling, motion, orientation, gates, layers, animations, socket,
  ]

  /// All keys except the names of layers.
  package static let keys: [SettingKey] = tables.flatMap(\.keys)

  package static func table(named name: String) -> SettingTable? {
    tables.first { $0.name == name }
  }

  /// Returns the key of a path such as `motion.scale`.
  package static func key(at path: String) -> SettingKey? {
    keys.first { $0.path == path }
  }
}
