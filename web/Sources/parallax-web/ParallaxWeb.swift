// SPDX-License-Identifier: Apache-2.0

import Glibc
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ParallaxWebCore

/// `parallax-web DIR`: serves a folder of animation documents. `parallax serve-animations` executes
/// it. `parallax-web page` serves the page, `parallax-web phone` the page for phones, and `parallax-web phyphox`
/// prints the samples of a phone.
@main
struct ParallaxWeb {
  private static let environment = ProgramEnvironment(program: "parallax-web")

  private static let usage = """
    usage: parallax-web DIR [--port N] [--host ADDRESS]
           parallax-web page [OPTION...]
           parallax-web phone [OPTION...]
           parallax-web phyphox http://PHONE[:PORT]

    Serves the animation documents of a folder: GET /ID.json for DIR/ID.json. With "page", serves the page
    of a daemon; with "phone", lets a phone send its motion to a daemon; with "phyphox", prints the samples
    of a phone's gyroscope.
    See 'parallax-web page --help'.

      --port N          Port to listen on; 0 picks a free one (default: 8080)
      --host ADDRESS    Address to listen on; 0.0.0.0 is all (default: 127.0.0.1)
      -h, --help        Show help
      -V, --version     Show the release
    """

  /// The maximum number of connections; further ones wait in the kernel.
  private static let connectionLimit = 256
  /// The time after which a silent connection is closed, in seconds.
  private static let idleSeconds: Int64 = 30

  static func main() {
    EndSignals.block()
    signal(SIGPIPE, SIG_IGN)
    let words = Array(CommandLine.arguments.dropFirst(2))
    switch CommandLine.arguments.dropFirst().first {
    case "page": PageProgram.run(words)
    case "phone": PhoneProgram.run(words)
    case "phyphox": PhyphoxProgram.run(words)
    default: serveFolder()
    }
  }

  private static func serveFolder() {
    let (path, host, port) = options()
    do throws(DocumentFolder.OpenError) {
      let folder = try DocumentFolder(path)
      Task.detached { await serve(folder, host: host, port: port) }
    } catch {
      environment.fail(error.message, code: error.exitCode)
    }
    EndSignals.wait()
    // Does not wait for slow readers.
    exit(0)
  }

  private static func options() -> (path: String, host: String, port: Int) {
    let (options, arguments) = environment.read(
      Array(CommandLine.arguments.dropFirst()),
      CommandLineReader.Grammar(options: ["--port", "--host"], arguments: ["DIR"]), usage: usage)
    return (
      arguments[0], options["--host"] ?? "127.0.0.1",
      environment.port("--port", options, default: 8080)
    )
  }

  private static func serve(_ folder: DocumentFolder, host: String, port: Int) async -> Never {
    let server = DocumentServer(folder)
    let silent = Logger(label: "parallax-web") { _ in SwiftLogNoOpLogHandler() }
    let application = Application(
      responder: CallbackResponder<BasicRequestContext> { request, _ in
        response(
          server.reply(
            method: request.method.rawValue, target: request.head.path ?? "",
            ifNoneMatch: request.headers[.ifNoneMatch]))
      },
      server: .http1(configuration: .init(idleTimeout: .seconds(idleSeconds))),
      configuration: ApplicationConfiguration(
        address: .hostname(host, port: port), serverName: nil,
        availableConnectionsDelegate: MaximumAvailableConnections(
          connectionLimit, logger: silent)),
      onServerRunning: { channel in
        let bound = channel.localAddress?.port ?? port
        let shown = host.contains(":") ? "[\(host)]" : host
        let count = folder.ids().count
        environment.log(
          "serving \(count) \(count == 1 ? "animation" : "animations") from \(folder.path) at "
            + "http://\(shown):\(bound)")
      },
      logger: silent)
    do {
      try await application.runService(gracefulShutdownSignals: [])
    } catch {
      ListenFailure.exit(environment, error, host: host, port: port)
    }
    exit(0)
  }

  private static func response(_ reply: DocumentServer.Reply) -> Response {
    var headers = HTTPFields()
    headers[.contentType] = reply.contentType
    headers[.eTag] = reply.entityTag
    headers[.allow] = reply.allow
    headers[.cacheControl] = "no-cache"
    headers[.xContentTypeOptions] = "nosniff"
    var response = Response(
      status: .init(code: reply.status), headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: reply.body)))
    response.headers[.contentLength] = reply.status == 304 ? nil : String(reply.body.count)
    return reply.isHeadOnly ? response.createHeadResponse() : response
  }
}
