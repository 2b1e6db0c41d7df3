// SPDX-License-Identifier: Apache-2.0

import Glibc
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ParallaxWebCore

/// `parallax-web page`: the page that shows and tunes a daemon. `parallax web` executes it.
enum PageProgram {
  static let usage = """
    usage: parallax-web page [--port N] [--host ADDRESS] [--allow-host NAME]
                             [--phone-port N] [--socket PATH] [--control PATH] [--files DIR]

    Serves a page that shows the daemon's motion and changes its settings, and prints its address.

      --port N           Port to listen on; 0 picks a free one (default: 8090)
      --host ADDRESS     Address to listen on; other machines can then connect, by names that
                         --allow-host lists (default: 127.0.0.1)
      --allow-host NAME  Further name of this machine in browsers' addresses; repeatable
      --phone-port N     Port for the page's "Use my phone"; 0 picks a free one (default: 8443)
      --socket PATH      Stream socket of the daemon
      --control PATH     Control socket of the daemon; by default next to the stream socket
      --files DIR        Folder of the page
      -h, --help         Show help
      -V, --version      Show the release
    """

  private struct Options {
    var port = 8090
    var host = "127.0.0.1"
    var names: [String] = []
    var phonePort = 8443
    var socket: String?
    var control: String?
    var files: String?
  }

  private static let environment = ProgramEnvironment(program: "parallax-web")

  /// The maximum number of connections; further ones wait in the kernel.
  private static let connectionLimit = 256
  /// The time after which a silent connection without a request is closed, in seconds.
  private static let idleSeconds: Int64 = 30

  static func run(_ words: [String]) {
    let options = options(words)
    guard let places = PagePlaces.files(options.files) else {
      environment.fail(
        "the page's files are not installed; name their folder with --files", code: 66)
    }
    do throws(PageFiles.LoadError) {
      let files = try PageFiles(page: places.page, client: places.client)
      Task.detached { await serve(files, options) }
    } catch {
      environment.fail(error.message, code: 66)
    }
    EndSignals.wait()
    exit(0)
  }

  private static func options(_ words: [String]) -> Options {
    let (values, _) = environment.read(
      words,
      CommandLineReader.Grammar(
        options: [
          "--port", "--host", "--allow-host", "--phone-port", "--socket", "--control", "--files",
        ],
        repeatable: ["--allow-host"]),
      usage: usage, command: "parallax-web page")
    var options = Options()
    options.port = environment.port("--port", values, default: options.port)
    options.phonePort = environment.port("--phone-port", values, default: options.phonePort)
    options.host = values["--host"] ?? options.host
    options.names =
      (values["--allow-host"] ?? "").split(separator: ",").map(String.init)
      + (wildcards.contains(options.host) ? [] : [options.host])
    options.socket = values["--socket"]
    options.control = values["--control"]
    options.files = values["--files"]
    return options
  }

  private static func serve(_ files: PageFiles, _ options: Options) async -> Never {
    let sockets = DaemonSockets(stream: options.socket, control: options.control)
    let server = PageServer(
      files: files, sockets: sockets,
      phone: PhoneHost(
        port: options.phonePort, sockets: sockets, files: options.files,
        log: { environment.log($0) }),
      token: PageAccess.randomToken(), names: options.names)
    let silent = Logger(label: "parallax-web") { _ in SwiftLogNoOpLogHandler() }
    let application = Application(
      responder: CallbackResponder<BasicRequestContext> { request, context in
        await server.respond(to: request)
      },
      server: .http1(configuration: .init(idleTimeout: .seconds(idleSeconds))),
      configuration: ApplicationConfiguration(
        address: .hostname(options.host, port: options.port), serverName: nil,
        availableConnectionsDelegate: MaximumAvailableConnections(
          connectionLimit, logger: silent)),
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? options.port
        server.listen(on: port)
        environment.print("http://\(shown(options.host)):\(port)/#token=\(server.token)")
      },
      logger: silent)
    do {
      try await application.runService(gracefulShutdownSignals: [])
    } catch {
      ListenFailure.exit(environment, error, host: options.host, port: options.port)
    }
    exit(0)
  }

  /// Addresses of no machine, which listen on all of this one.
  private static let wildcards = ["0.0.0.0", "::"]

  /// The address for a browser on this machine.
  private static func shown(_ host: String) -> String {
    switch host {
    case "0.0.0.0": "127.0.0.1"
    case "::": "[::1]"
    default: host.contains(":") ? "[\(host)]" : host
    }
  }
}
