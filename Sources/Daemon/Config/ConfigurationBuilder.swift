// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion

/// A configuration with the origin of each value.
package struct LoadedConfiguration: Equatable, Sendable {
  package var configuration = Configuration()
  /// The origins by path (`motion.scale`, `layers.bg`); a default has none.
  package var origins: [String: SettingOrigin] = [:]
  /// The files that were read, in their order.
  package var files: [String] = []

  package init() {}
}

/// Merges the settings of files, environment and command line, added in any order.
///
/// Precedence: the command line, then the environment, then later files, then earlier ones.
///
///     var builder = ConfigurationBuilder()
///     builder.add(file: "/etc/parallax/parallax.toml", bytes: bytes)
///     builder.set(assignment: "motion.mode=tilt")
///     let configuration = try builder.build().configuration
///
/// Only `build` throws, with all errors at once.
package struct ConfigurationBuilder: Sendable {
  private struct Assignment {
    enum Target {
      case setting(Setting)
      /// A layer, added to the set.
      case layer(Layer)
      /// A new set of layers.
      case layers(LayerSet)
    }
    let target: Target
    let origin: SettingOrigin
  }

  private var assignments: [Assignment] = []
  private var errors = ErrorList()
  private var files: [String] = []

  package init() {}

  // MARK: - Adding

  /// Adds a setting in its text form, as on the command line: `motion.scale` and `10,14`. The key
  /// `layers` takes a whole set, `bg=0.2,fg=1`, which replaces that of the files.
  package mutating func set(key: String, text: String, origin: SettingOrigin) {
    add(key: key, value: .text(text), origin: origin)
  }

  /// Adds `TABLE.KEY=VALUE`, the argument of `--set`.
  package mutating func set(assignment: String) {
    guard let equals = assignment.firstIndex(of: "="), equals != assignment.startIndex else {
      report(
        .assignment, nil,
        "invalid assignment '\(assignment)'; write TABLE.KEY=VALUE, as in motion.scale=10")
      return
    }
    add(
      key: String(assignment[..<equals]).trimmingSpaces(),
      value: .text(String(assignment[assignment.index(after: equals)...]).trimmingSpaces()),
      origin: .assignment)
  }

  /// Adds the contents of a file, which override those of files added before.
  package mutating func add(file path: String, bytes: [UInt8]) {
    if !files.contains(path) { files.append(path) }
    let (entries, errors) = TomlDocument.read(bytes)
    for error in errors {
      report(.file(path: path, position: error.position), nil, error.message)
    }
    for entry in entries {
      add(entry, path: path)
    }
  }

  /// Adds the variables PARALLAX_SOCKET and PARALLAX_CONTROL. An empty one counts as absent.
  package mutating func add(environment variable: (String) -> String?) {
    for (name, key) in [("PARALLAX_SOCKET", "socket.path"), ("PARALLAX_CONTROL", "socket.control")]
    {
      if let value = variable(name), !value.isEmpty {
        set(key: key, text: value, origin: .environment(name))
      }
    }
  }

  /// Adds an error found elsewhere, such as an unreadable file.
  package mutating func add(_ error: ConfigurationError) {
    if case .file(let path, _) = error.origin, !files.contains(path) { files.append(path) }
    errors.append { error }
  }

  // MARK: - Building

  /// Returns the configuration.
  ///
  /// - Throws: all errors, those in overridden values too.
  package func build() throws(ConfigurationErrors) -> LoadedConfiguration {
    var result = LoadedConfiguration()
    var errors = errors
    var layers: [(layer: Layer, origin: SettingOrigin)] = []
    for assignment in inOrderOfPrecedence() {
      switch assignment.target {
      case .setting(let setting):
        setting.apply(to: &result.configuration)
        result.origins[setting.key.path] = assignment.origin
      case .layer(let layer):
        if let index = layers.firstIndex(where: { $0.layer.name == layer.name }) {
          layers[index] = (layer, assignment.origin)
        } else if layers.count <= LayerSet.countLimit {
          // A single one too many makes the whole set invalid.
          layers.append((layer, assignment.origin))
        }
      case .layers(let set):
        layers = set.layers.map { ($0, assignment.origin) }
      }
    }
    do {
      result.configuration.layers = try LayerSet(layers.map(\.layer))
      for (layer, origin) in layers { result.origins["layers.\(layer.name)"] = origin }
    } catch {
      let first = layers.dropFirst(LayerSet.countLimit).first
      errors.append {
        ConfigurationError(
          origin: first?.origin ?? .builtIn, key: first.map { "layers.\($0.layer.name)" },
          message: error.message)
      }
    }
    result.files = files
    for error in ConsistencyChecks.errors(in: result, besides: errors.kept) {
      errors.append { error }
    }
    guard errors.kept.isEmpty else {
      throw ConfigurationErrors(sorted(errors.kept) + errors.summaryOfDropped)
    }
    return result
  }

  private func inOrderOfPrecedence() -> [Assignment] {
    // The index as the last criterion makes the sort stable.
    assignments.enumerated()
      .sorted { a, b in
        (a.element.origin.precedence, rank(of: a.element.origin), a.offset)
          < (b.element.origin.precedence, rank(of: b.element.origin), b.offset)
      }
      .map(\.element)
  }

  private func rank(of origin: SettingOrigin) -> Int {
    guard case .file(let path, _) = origin else { return 0 }
    return files.firstIndex(of: path) ?? files.count
  }

  /// Returns errors by file and position, then those of environment and command line in their
  /// order.
  private func sorted(_ errors: [ConfigurationError]) -> [ConfigurationError] {
    func position(_ origin: SettingOrigin) -> TextPosition {
      guard case .file(_, let position?) = origin else { return TextPosition(line: 0, column: 0) }
      return position
    }
    return errors.enumerated()
      .map { (offset, error) in
        (error, error.origin.precedence, rank(of: error.origin), position(error.origin), offset)
      }
      .sorted { a, b in (a.1, a.2, a.3, a.4) < (b.1, b.2, b.3, b.4) }
      .map(\.0)
  }

  // MARK: - Finding keys

  private mutating func add(_ entry: TomlEntry, path: String) {
    let atKey = SettingOrigin.file(path: path, position: entry.keyPosition)
    let table = ConfigSchema.table(named: entry.table)
    guard let name = entry.key else {
      // The first level should have tables only.
      switch (table, entry.value) {
      case (_?, .table): break
      case (let table?, let value):
        report(
          atKey, table.name,
          "expected the table [\(table.name)], got \(value.name); write its keys below "
            + "[\(table.name)]")
      case (nil, .table):
        report(atKey, entry.table, UnknownKey.message(table: entry.table))
      case (nil, _):
        report(atKey, entry.table, UnknownKey.message(outside: entry.table))
      }
      return
    }
    // An unknown table is reported once, not for each of its keys.
    guard table != nil else { return }
    add(
      table: entry.table, name: name, value: entry.value,
      origin: .file(path: path, position: entry.valuePosition), keyOrigin: atKey)
  }

  private mutating func add(key: String, value: SettingValue, origin: SettingOrigin) {
    if key == "layers", case .text(let text) = value {
      do throws(SettingError) {
        let target = Assignment.Target.layers(try LayerSet(parsing: text))
        assignments.append(Assignment(target: target, origin: origin))
      } catch {
        report(origin, key, error.message)
      }
      return
    }
    guard let dot = key.firstIndex(of: ".") else {
      report(origin, key, UnknownKey.message(outside: key))
      return
    }
    let table = String(key[..<dot])
    guard ConfigSchema.table(named: table) != nil else {
      report(origin, key, UnknownKey.message(table: table))
      return
    }
    add(
      table: table, name: String(key[key.index(after: dot)...]), value: value, origin: origin,
      keyOrigin: origin)
  }

  private mutating func add(
    table: String, name: String, value: SettingValue, origin: SettingOrigin,
    keyOrigin: SettingOrigin
  ) {
    let path = "\(table).\(name)"
    if ConfigSchema.table(named: table)?.isOpen == true {
      do throws(SettingError) {
        let limit = Layer.depthLimit
        let depth = try value.number(in: -limit...limit, allowed: { "a depth, -10 to 10" })
        let layer = try Layer(name: name, depth: depth)
        assignments.append(Assignment(target: .layer(layer), origin: origin))
      } catch {
        report(origin, path, error.message)
      }
      return
    }
    guard let key = ConfigSchema.key(at: path) else {
      report(keyOrigin, path, UnknownKey.message(table: table, name: name))
      return
    }
    do throws(SettingError) {
      assignments.append(Assignment(target: .setting(try key.read(value)), origin: origin))
    } catch {
      report(origin, path, error.message)
    }
  }

  private mutating func report(
    _ origin: SettingOrigin, _ key: String?, _ message: @autoclosure () -> String
  ) {
    errors.append { ConfigurationError(origin: origin, key: key, message: message()) }
  }
}

/// The first errors, and the number of others: a megabyte of garbage has a hundred thousand.
private struct ErrorList {
  private(set) var kept: [ConfigurationError] = []
  private var dropped = 0

  mutating func append(_ error: () -> ConfigurationError) {
    if kept.count < ConfigurationErrors.limit { kept.append(error()) } else { dropped += 1 }
  }

  /// A last error that counts the dropped ones; empty if there are none.
  var summaryOfDropped: [ConfigurationError] {
    guard dropped > 0, let last = kept.last else { return [] }
    var origin = last.origin
    if case .file(let path, _) = origin { origin = .file(path: path, position: nil) }
    return [
      ConfigurationError(
        origin: origin, key: nil, message: "and \(dropped) more errors; fix these first")
    ]
  }
}
