import ParallaxConfig

/// Where the daemon's configuration comes from: read at the start, and again at every reload.
package struct ConfigurationSource {
  /// `--config`: this file alone. nil: the places where it usually is.
  package var file: String?
  /// `--set TABLE.KEY=VALUE`, in their order.
  package var assignments: [String]

  package init(file: String?, assignments: [String]) {
    self.file = file
    self.assignments = assignments
  }

  func load(_ loader: ConfigLoader) throws(ConfigError) -> LoadedConfiguration {
    var builder = loader.builder(file: file)
    for assignment in assignments { builder.set(assignment: assignment) }
    return try builder.build()
  }
}

/// A reason not to start, for a person, and the exit code that says the same (sysexits).
package struct StartError: Error, Equatable, Sendable {
  package let lines: [String]
  package let exitCode: Int32

  package init(_ lines: [String], exitCode: Int32) {
    self.lines = lines
    self.exitCode = exitCode
  }
}
