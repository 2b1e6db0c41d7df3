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
      Shows a QR code. Scan it with a phone in the same network: the phone opens a page that sends \
      its motion to the daemon, until you tap End on the phone or press Ctrl-C here. The daemon must \
      be running, with source.kind "gyroscope" (the default), "auto" or "feed". The server is the \
      program parallax-web, which 'make web' builds. It listens on the network only while this \
      command runs.
      """)

  @Option(help: .init("Port to listen on; 0 picks a free one.", valueName: "N"))
  var port = 8443

  @Option(
    help: .init(
      "Address of this machine to listen on, if it is in several networks.", valueName: "ADDRESS"))
  var address: String?

  @Option(
    help: .init(
      "Name of the device, under which the daemon stores a bias (default: the phone's model).",
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
