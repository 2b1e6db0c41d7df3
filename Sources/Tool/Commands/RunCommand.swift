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

  @OptionGroup var daemon: DaemonConfigurationOptions

  @Option(setting: "socket.path", "PATH", name: "socket")
  var socket: SettingAssignment?

  @Option(setting: "socket.control", "PATH")
  var control: SettingAssignment?

  @OptionGroup(title: "Pipeline options")
  var pipeline: PipelineOptions

  func run() throws {
    let assignments =
      try source.assignments() + [socket, control].compactMap(\.self) + pipeline.assignments
    try SourceOptions.checkTrace(assignments)
    try SiblingProgram.become(
      "parallaxd", try daemon.arguments(assignments, from: pipeline.motion))
  }
}

/// The configuration of a daemon that a command starts.
struct DaemonConfigurationOptions: ParsableArguments {
  @Option(
    help: .init("Read only this configuration file.", valueName: "FILE"), completion: .path)
  var config: String?

  @Option(
    help: .init(
      "Setting, as in parallaxd's --set; repeatable. Other options override it.",
      valueName: "TABLE.KEY=VALUE"),
    completion: .assignment)
  var set: [String] = []

  /// Checks the settings and returns the arguments of parallaxd. Notes say which of the options change
  /// nothing.
  func arguments(
    _ assignments: [SettingAssignment], from options: MotionOptions? = nil
  ) throws(CommandFailure) -> [String] {
    var builder = ConfigLoader().builder(file: config)
    for assignment in set { builder.set(assignment: assignment) }
    builder.set(assignments)
    let configuration = try builder.checked().configuration
    for note in options?.notes(with: configuration.motion) ?? [] { Console.report(note) }
    var arguments = config.map { ["--config", $0] } ?? []
    for assignment in set + assignments.map({ "\($0.key)=\($0.text)" }) {
      arguments += ["--set", assignment]
    }
    return arguments
  }
}
