// SPDX-License-Identifier: Apache-2.0

import ParallaxConfig

/// The origin of the daemon's configuration, which is read at the start and at every reload.
package struct ConfigurationSource {
  /// `--config`: this file alone; nil for the default files.
  package var file: String?
  /// `--set TABLE.KEY=VALUE`, in order.
  package var assignments: [String]

  package init(file: String?, assignments: [String]) {
    self.file = file
    self.assignments = assignments
  }

  func load(_ loader: ConfigLoader) throws(ConfigurationErrors) -> LoadedConfiguration {
    var builder = loader.builder(file: file)
    for assignment in assignments { builder.set(assignment: assignment) }
    return try builder.build()
  }
}

/// Why the daemon does not start, as messages and as an exit code of sysexits.h.
package struct StartError: Error, Equatable, Sendable {
  package let lines: [String]
  package let exitCode: Int32

  package init(_ lines: [String], exitCode: Int32) {
    self.lines = lines
    self.exitCode = exitCode
  }
}
