// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxClient
import ParallaxConfig
import ParallaxProtocol

/// `parallax tune`: the view with a cursor over the settings.
struct TuneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tune",
    abstract: "Tune the settings by eye.",
    discussion: """
      Shows the motion next to its settings. The arrow keys select a setting and change it; the \
      change takes effect at once and lasts until the daemon exits. 0 resets a setting to its \
      configured value, u undoes the last change, w writes the changes to a configuration file, \
      and ? lists all keys. On exit, the command prints the changes as TOML. Needs a terminal, \
      except with --keep.
      """)

  @Option(
    help: .init(
      "File that w writes; by default parallax.toml.d/50-tune.toml in the folder of the user's "
        + "configuration, or in /etc/parallax for the system's daemon.", valueName: "FILE"),
    completion: .path)
  var write: String?

  @Flag(
    help:
      "Write what 'parallax set' and others have changed, as w does, print the file's path and exit."
  )
  var keep = false

  @OptionGroup var connection: ViewConnectionOptions

  func run() throws {
    if keep { return try keepChanges() }
    guard let capabilities = ViewRunner.capabilities else {
      throw CommandFailure(
        .usage, "'parallax tune' needs a terminal; use 'parallax set' in scripts")
    }
    var options = connection.options
    let file = write ?? TuneFile.path(daemonSockets: options.controlPaths)
    options.tune = TuneModel(file: TuneFile.shortened(file))
    options.write = {
      TuneFile.write($0, to: file, author: "parallax tune", advice: "see --write")
    }
    var loop = WatchLoop(capabilities, options)
    let end = try ViewRunner.report { try loop.run() }
    let settings = loop.model.changedSettings
    if !settings.isEmpty {
      try Console.print(
        "# \(TuneFile.shortened(file)); 'parallax set KEY auto' undoes a change\n"
          + TuneFile.toml(settings), terminator: "")
    }
    try ViewRunner.finish(end)
  }

  private func keepChanges() throws {
    let paths = connection.options.controlPaths
    guard
      case .status(let status, _) = try ControlOptions.ask(.status, toFirstOf: paths).answer
    else {
      throw CommandFailure(.unavailable, "the answer is not a STATUS that this release knows")
    }
    let changed = status.settings.filter { status.overrides.contains($0.key) }
    guard !changed.isEmpty else { throw CommandFailure(.usage, "nothing has been changed") }
    let file = write ?? TuneFile.path(daemonSockets: paths)
    let result = TuneFile.write(
      changed.map { ($0.key, $0.value.text) }, to: file, author: "parallax tune",
      advice: "copy the settings and save them with the permission to do so")
    guard result.isWritten else { throw CommandFailure(.inputOutput, result.text) }
    try Console.print(TuneFile.shortened(file))
  }
}
