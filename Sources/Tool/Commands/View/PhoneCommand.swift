// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `parallax phone`: a phone as the gyroscope of a daemon.
///
/// Only separate programs use a network: parallax-web replaces this process.
struct PhoneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "phone",
    abstract: "Use a phone as the gyroscope.",
    discussion: """
      Shows a code. A phone in the same network that scans it opens a page, and sends its motion \
      to the daemon until it ends there, or here with Ctrl-C. The daemon must be running, with \
      source.kind "gyroscope" (the default), "auto" or "feed". Nothing listens on the network \
      without this command. The server is the program parallax-web, which 'make web' builds.
      """)

  @Option(help: .init("Port; 0 takes a free one.", valueName: "N"))
  var port = 8443

  @Option(
    help: .init(
      "Address of this machine to listen on, if it is in several networks.", valueName: "ADDRESS"))
  var address: String?

  @Option(
    help: .init(
      "Name of the device, instead of the phone's model; a bias is kept under it.",
      valueName: "NAME"))
  var name: String?

  @Option(
    help: .init("Folder of the page, instead of the installed one.", valueName: "DIR"),
    completion: .directory)
  var files: String?

  @OptionGroup var connection: ViewConnectionOptions

  func validate() throws {
    guard (0...65535).contains(port) else {
      throw ValidationError("--port: invalid port \(port); use 0 to 65535")
    }
  }

  func run() throws {
    var arguments = ["phone", "--port", String(port)]
    let options = [
      ("--address", address), ("--name", name), ("--files", files),
      ("--socket", connection.socket), ("--control", connection.control),
    ]
    for (option, value) in options {
      if let value { arguments += [option, value] }
    }
    try SiblingProgram.become("parallax-web", arguments, advice: PageServerOptions.advice)
  }
}
