// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `parallax web`: the page that shows and tunes a daemon.
///
/// Only separate programs use a network: parallax-web replaces this process.
struct WebCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web",
    abstract: "Show and tune the motion in a browser.",
    discussion: """
      Serves a page with a picture that follows the daemon, its settings and a plot of the last \
      seconds, and prints the page's address, with the token that changes of settings need. Only \
      this machine can connect unless --host says otherwise. Stop it with Ctrl-C. The server is \
      the program parallax-web, of the Debian package of that name; 'make web' builds it.
      """)

  @Flag(help: "Open the page in the desktop's browser.")
  var open = false

  @OptionGroup var server: PageServerOptions
  @OptionGroup var connection: ViewConnectionOptions

  func run() throws {
    var arguments = server.arguments
    if let socket = connection.socket { arguments += ["--socket", socket] }
    if let control = connection.control { arguments += ["--control", control] }
    guard open else {
      try SiblingProgram.become("parallax-web", arguments, advice: PageServerOptions.advice)
    }
    DemoPage.blockSignals()
    let page = try DemoPage(arguments)
    let signal = page.wait()
    page.end()
    if let signal { throw ExitCode(128 + signal) }
  }
}

/// Where the page is served.
struct PageServerOptions: ParsableArguments {
  @Option(help: .init("Port; 0 takes a free one.", valueName: "N"))
  var port = 8090

  @Option(
    help: .init(
      "Address to listen on; with others than the default, other machines can connect.",
      valueName: "ADDRESS"))
  var host = "127.0.0.1"

  @Option(
    help: .init(
      "Further name of this machine in the address of the page; repeatable.", valueName: "NAME"))
  var allowHost: [String] = []

  @Option(
    help: .init("Folder of the page, instead of the installed one.", valueName: "DIR"),
    completion: .directory)
  var files: String?

  static let advice =
    "install the package parallax-web, or build it with 'make web' and install it with 'make install'"

  func validate() throws {
    guard (0...65535).contains(port) else {
      throw ValidationError("--port: invalid port \(port); use 0 to 65535")
    }
  }

  /// The command line of parallax-web.
  var arguments: [String] {
    var arguments = ["page", "--port", String(port), "--host", host]
    for name in allowHost { arguments += ["--allow-host", name] }
    if let files { arguments += ["--files", files] }
    return arguments
  }
}
