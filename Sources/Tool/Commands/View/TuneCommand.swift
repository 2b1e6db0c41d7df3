// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxConfig

/// `parallax tune`: the view with a cursor over the settings.
struct TuneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tune",
    abstract: "Tune the settings by eye.",
    discussion: """
      Shows the motion beside its settings. The arrow keys select a setting and turn it; the \
      effect is visible at once and lasts until the daemon exits. 0 goes back to the configured \
      value, u undoes, w writes the changes to a file of the configuration, ? lists all keys. At \
      the end, it prints the changes as TOML. Needs a terminal.
      """)

  @Option(
    help: .init(
      "File that w writes; by default parallax.toml.d/50-tune.toml in the folder of the user's "
        + "configuration, or in /etc/parallax for the system's daemon.", valueName: "FILE"),
    completion: .path)
  var write: String?

  @OptionGroup var connection: ViewConnectionOptions

  func run() throws {
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
}
