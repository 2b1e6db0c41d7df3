// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxConfig

/// `parallax run`: the daemon in the foreground, with options instead of a configuration file.
///
/// The options are checked here, so that errors name them, and become `--set` options of parallaxd,
/// which replaces this process: signals, exit status and journal are the daemon's.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run the daemon in the foreground.",
    discussion: """
      Subscribe from another terminal with 'parallax subscribe'. Stop it with Ctrl-C. Without \
      --config, it reads the same configuration as parallaxd. Options override the configuration.
      """)

  @OptionGroup var source: SourceOptions

  @Option(
    help: .init("Read only this configuration file.", valueName: "FILE"), completion: .path)
  var config: String?

  @Option(setting: "socket.path", "PATH", name: "socket")
  var socket: SettingAssignment?

  @Option(setting: "socket.control", "PATH")
  var control: SettingAssignment?

  @Option(
    help: .init(
      "Setting, as in parallaxd's --set; repeatable. Other options override it.",
      valueName: "TABLE.KEY=VALUE"),
    completion: .assignment)
  var set: [String] = []

  @OptionGroup(title: "Pipeline options")
  var pipeline: PipelineOptions

  func run() throws {
    let assignments =
      try source.assignments() + [socket, control].compactMap(\.self) + pipeline.assignments
    try SourceOptions.checkTrace(assignments)
    try SiblingProgram.become(
      "parallaxd", try Self.arguments(config: config, set: set, assignments, from: pipeline.motion))
  }

  /// Checks the settings and returns the arguments of parallaxd. Notes say which of the options change
  /// nothing.
  static func arguments(
    config: String?, set: [String], _ assignments: [SettingAssignment],
    from options: MotionOptions? = nil
  ) throws(CommandFailure) -> [String] {
    var builder = ConfigLoader().builder(file: config)
    for assignment in set { builder.set(assignment: assignment) }
    builder.set(assignments)
    do {
      let configuration = try builder.build().configuration
      for note in options?.notes(with: configuration.motion) ?? [] { Console.report(note) }
    } catch {
      throw CommandFailure(reporting: error)
    }
    var arguments = config.map { ["--config", $0] } ?? []
    for assignment in set + assignments.map({ "\($0.key)=\($0.text)" }) {
      arguments += ["--set", assignment]
    }
    return arguments
  }
}
