// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `parallax watch`: the motion on a terminal.
struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show the motion in the terminal.",
    discussion: """
      Shows a card that moves as a picture would, graphs of the last seconds and the state of the \
      daemon. Keys change settings of the daemon, as 'parallax set' does; ? lists them, q quits. \
      Without a terminal, or with TERM=dumb, prints one line per second. NO_COLOR turns colors \
      off. Raw rates need the permission to record.
      """)

  @OptionGroup var connection: ViewConnectionOptions

  func run() throws {
    try ViewRunner(connection.options).run()
  }
}

/// Both sockets, for the commands that show the stream and change settings.
struct ViewConnectionOptions: ParsableArguments {
  @Option(
    help: .init(
      "Stream socket of the daemon, instead of PARALLAX_SOCKET, the user's or the system's.",
      valueName: "PATH"),
    completion: .path)
  var socket: String?

  @Option(
    help: .init(
      "Control socket of the daemon; by default next to the stream socket.", valueName: "PATH"),
    completion: .path)
  var control: String?

  var options: ViewOptions {
    ViewOptions(
      streamPaths: StreamOptions.paths(socket: socket),
      controlPaths: ControlPathOptions.paths(control: control, socket: socket))
  }
}
