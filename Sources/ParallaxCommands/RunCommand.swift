// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import ParallaxConfig
import ParallaxTrace

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

  @Option(
    help: .init(
      """
      Source of motion: iio waits for a gyroscope; auto takes the first gyroscope, and synthetic \
      motion until there is one; a trace starts when the first client subscribes.
      """, valueName: "iio|trace:FILE|synthetic|auto"),
    completion: .source)
  var source: String?

  @Option(
    help: .init("Read only this configuration file.", valueName: "FILE"), completion: .path)
  var config: String?

  @Flag(help: "Repeat the trace.")
  var loop = false

  @Option(setting: "source.device", "NAME")
  var device: SettingAssignment?

  @Option(setting: "source.uri", "URI")
  var uri: SettingAssignment?

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
    let assignments = try sourceAssignments() + pipeline.assignments
    try checkTrace(assignments)
    var builder = ConfigLoader().builder(file: config)
    for assignment in set { builder.set(assignment: assignment) }
    builder.set(assignments)
    do {
      _ = try builder.build()
    } catch {
      throw CommandFailure(reporting: error)
    }
    var arguments = config.map { ["--config", $0] } ?? []
    for assignment in set + assignments.map({ "\($0.key)=\($0.text)" }) {
      arguments += ["--set", assignment]
    }
    try SiblingProgram.become("parallaxd", arguments)
  }

  /// Reports an unreadable trace now instead of with the first subscriber.
  private func checkTrace(_ assignments: [SettingAssignment]) throws(CommandFailure) {
    guard let trace = assignments.first(where: { $0.key == "source.trace" })?.text else { return }
    var status = stat()
    // Only a file can be replayed; the daemon reports anything else.
    if stat(trace, &status) == 0, status.st_mode & S_IFMT != S_IFREG,
      status.st_mode & S_IFMT != S_IFDIR
    {
      return
    }
    do throws(TraceError) {
      _ = try TraceReader(path: trace)
    } catch {
      throw CommandFailure(error)
    }
  }

  private func sourceAssignments() throws -> [SettingAssignment] {
    var result: [SettingAssignment] = []
    func set(_ key: String, _ text: String, _ option: String) {
      result.append(SettingAssignment(key: key, text: text, option: option))
    }
    if let source {
      let kind = source.prefix { $0 != ":" }
      if kind == "trace" {
        let file = String(source.dropFirst("trace:".count))
        guard !file.isEmpty, file != "-" else {
          throw CommandFailure(
            .usage, "--source: expected trace:FILE, as in --source trace:walk.csv")
        }
        set("source.kind", "trace", "--source")
        set("source.trace", file, "--source")
      } else {
        set("source.kind", source, "--source")
      }
    }
    if loop { set("source.loop", "true", "--loop") }
    return result + [device, uri, socket, control].compactMap(\.self)
  }
}
