// SPDX-License-Identifier: Apache-2.0

import ParallaxConfig

/// The configuration of commands whose result must be the same anywhere, such as `replay`: it comes from their
/// options and from the file that `--config` names, but neither from default files nor from the environment.
enum ReproducibleConfiguration {
  static func load(
    file: String?, _ assignments: [SettingAssignment]
  ) throws(CommandFailure) -> Configuration {
    let loader = ConfigLoader(process: ProcessEnvironment(userID: 0, variables: [:]))
    var builder = file.map { loader.builder(file: $0) } ?? ConfigurationBuilder()
    builder.set(assignments)
    return try builder.checked().configuration
  }
}
