import ParallaxMotion

/// A configuration with where each value came from.
package struct LoadedConfiguration: Equatable, Sendable {
  package var configuration = Configuration()
  /// By path (`motion.scale`, `layers.bg`); what is not there is built in.
  package var origins: [String: SettingOrigin] = [:]
  /// The files that were read, in order.
  package var files: [String] = []

  package init() {}
}

/// Collects settings from files, environment and command line, in any order, and puts them
/// together: command line over environment over later files over earlier ones over built-in.
///
///     var builder = ConfigurationBuilder()
///     builder.add(file: "/etc/parallax/parallax.toml", bytes: bytes)
///     builder.set(assignment: "motion.mode=tilt")
///     let configuration = try builder.build().configuration
///
/// Nothing throws until `build`, which then tells all that is wrong at once.
package struct ConfigurationBuilder: Sendable {
  private struct Assignment {
    enum Target {
      case key(SettingKey)
      /// One layer of the set.
      case layer(Layer)
      /// The whole set anew.
      case layers(LayerSet)
    }
    let target: Target
    let value: SettingValue
    let origin: SettingOrigin
  }

  private var assignments: [Assignment] = []
  private var problems = ProblemList()
  private var files: [String] = []

  package init() {}

  // MARK: Adding

  /// A setting in its text form, as on the command line: `motion.scale` and `10,14`. The key
  /// `layers` takes a whole set, `bg=0.2,fg=1`, in place of what files say.
  package mutating func set(key: String, text: String, origin: SettingOrigin) {
    add(key: key, value: .text(text), origin: origin)
  }

  /// `TABLE.KEY=VALUE`, the argument of `--set`.
  package mutating func set(assignment: String) {
    guard let equals = assignment.firstIndex(of: "="), equals != assignment.startIndex else {
      report(
        .assignment, nil,
        "'\(assignment)' sets nothing; write TABLE.KEY=VALUE, as in motion.scale=10")
      return
    }
    add(
      key: String(assignment[..<equals]).trimmingSpaces(),
      value: .text(String(assignment[assignment.index(after: equals)...]).trimmingSpaces()),
      origin: .assignment)
  }

  /// A file's contents. Of files added, later ones win.
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

  /// What the environment says: PARALLAX_SOCKET and PARALLAX_CONTROL. Empty is not there.
  package mutating func add(environment variable: (String) -> String?) {
    for (name, key) in [("PARALLAX_SOCKET", "socket.path"), ("PARALLAX_CONTROL", "socket.control")]
    {
      if let value = variable(name), !value.isEmpty {
        set(key: key, text: value, origin: .environment(name))
      }
    }
  }

  /// A problem found elsewhere, such as a file that cannot be read.
  package mutating func add(_ problem: ConfigProblem) {
    if case .file(let path, _) = problem.origin, !files.contains(path) { files.append(path) }
    problems.append { problem }
  }

  // MARK: Building

  /// - Throws: all problems of all that was added, those of overridden values too.
  package func build() throws(ConfigError) -> LoadedConfiguration {
    var result = LoadedConfiguration()
    var found = problems
    var layers: [(layer: Layer, origin: SettingOrigin)] = []
    for assignment in inOrderOfPrecedence() {
      switch assignment.target {
      case .key(let key):
        do {
          try key.read(assignment.value, into: &result.configuration)
          result.origins[key.path] = assignment.origin
        } catch {
          found.append {
            ConfigProblem(origin: assignment.origin, key: key.path, message: error.message)
          }
        }
      case .layer(let layer):
        if let index = layers.firstIndex(where: { $0.layer.name == layer.name }) {
          layers[index] = (layer, assignment.origin)
        } else if layers.count <= LayerSet.countLimit {
          // One too many is enough to refuse them all.
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
      found.append {
        ConfigProblem(
          origin: first?.origin ?? .builtIn, key: first.map { "layers.\($0.layer.name)" },
          message: error.message)
      }
    }
    result.files = files
    for problem in CrossChecks.problems(in: result, besides: found.kept) {
      found.append { problem }
    }
    guard found.kept.isEmpty else { throw ConfigError(sorted(found.kept) + found.rest) }
    return result
  }

  private func inOrderOfPrecedence() -> [Assignment] {
    // Files come in the order they were added, and everything else in that of its adding; sorting
    // by index too keeps it so (sort itself promises nothing about equals).
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

  /// By file, then by place in it, then environment and command line in their order.
  private func sorted(_ problems: [ConfigProblem]) -> [ConfigProblem] {
    func place(_ origin: SettingOrigin) -> TextPosition {
      guard case .file(_, let position?) = origin else { return TextPosition(line: 0, column: 0) }
      return position
    }
    return problems.enumerated()
      .map { (offset, problem) in
        (
          problem, problem.origin.precedence, rank(of: problem.origin), place(problem.origin),
          offset
        )
      }
      .sorted { a, b in (a.1, a.2, a.3, a.4) < (b.1, b.2, b.3, b.4) }
      .map(\.0)
  }

  // MARK: Finding keys

  private mutating func add(_ entry: TomlEntry, path: String) {
    let atKey = SettingOrigin.file(path: path, position: entry.keyPosition)
    let table = ConfigSchema.table(named: entry.table)
    guard let name = entry.key else {
      // The first level: a table, or else something that stands outside every table.
      switch (table, entry.value) {
      case (_?, .table): break
      case (let table?, let value):
        report(
          atKey, table.name,
          "\(value.name) where the table [\(table.name)] belongs; write [\(table.name)] and its "
            + "keys below it")
      case (nil, .table):
        report(atKey, entry.table, UnknownKey.message(table: entry.table))
      case (nil, _):
        report(atKey, entry.table, UnknownKey.message(outside: entry.table))
      }
      return
    }
    // An unknown table was reported as one, once.
    guard table != nil else { return }
    add(
      table: entry.table, name: name, value: entry.value,
      origin: .file(path: path, position: entry.valuePosition), keyOrigin: atKey)
  }

  private mutating func add(key: String, value: SettingValue, origin: SettingOrigin) {
    if key == "layers", case .text(let text) = value {
      do throws(SettingError) {
        let target = Assignment.Target.layers(try LayerSet(parsing: text))
        assignments.append(Assignment(target: target, value: value, origin: origin))
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
        assignments.append(Assignment(target: .layer(layer), value: value, origin: origin))
      } catch {
        report(origin, path, error.message)
      }
      return
    }
    guard let key = ConfigSchema.key(at: path) else {
      report(keyOrigin, path, UnknownKey.message(table: table, name: name))
      return
    }
    assignments.append(Assignment(target: .key(key), value: value, origin: origin))
  }

  private mutating func report(
    _ origin: SettingOrigin, _ key: String?, _ message: @autoclosure () -> String
  ) {
    problems.append { ConfigProblem(origin: origin, key: key, message: message()) }
  }
}

/// The first problems, and how many more there were: a megabyte of nonsense has a hundred thousand.
private struct ProblemList {
  private(set) var kept: [ConfigProblem] = []
  private var dropped = 0

  mutating func append(_ problem: () -> ConfigProblem) {
    if kept.count < ConfigError.limit { kept.append(problem()) } else { dropped += 1 }
  }

  /// A last line for those that were dropped.
  var rest: [ConfigProblem] {
    guard dropped > 0, let last = kept.last else { return [] }
    var origin = last.origin
    if case .file(let path, _) = origin { origin = .file(path: path, position: nil) }
    return [
      ConfigProblem(
        origin: origin, key: nil, message: "and \(dropped) more problems; mend these first")
    ]
  }
}
