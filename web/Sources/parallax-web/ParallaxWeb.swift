import Glibc
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ParallaxWebCore

/// `parallax-web DIR`: serves a folder of animation documents. What `parallax serve-animations` goes on
/// as.
@main
struct ParallaxWeb {
  private static let surroundings = ProgramSurroundings(program: "parallax-web")

  private static let usage = """
    usage: parallax-web DIR [--port N] [--host ADDRESS]

    Serves the animation documents of a folder: GET /ID.json for DIR/ID.json.

      --port N          the port; 0 takes a free one. Default 8080
      --host ADDRESS    the address to listen on, 0.0.0.0 for all. Default 127.0.0.1
      --help            show this
      --version         show the release
    """

  /// Connections at a time; more wait in the kernel.
  private static let connectionLimit = 256
  /// Seconds that a connection may be silent.
  private static let patienceSeconds: Int64 = 30

  static func main() {
    EndSignals.block()
    signal(SIGPIPE, SIG_IGN)
    let (path, host, port) = options()
    do throws(DocumentFolder.Problem) {
      let folder = try DocumentFolder(path)
      Task.detached { await serve(folder, host: host, port: port) }
    } catch {
      surroundings.end(error.message, code: error.exitCode)
    }
    EndSignals.wait()
    // Nobody who is slow to read keeps it.
    exit(0)
  }

  private static func options() -> (path: String, host: String, port: Int) {
    let reading = CommandLineReader.read(
      Array(CommandLine.arguments.dropFirst()),
      CommandLineReader.Grammar(options: ["--port", "--host"], arguments: ["DIR"]))
    switch reading {
    case .help:
      surroundings.print(usage)
      exit(0)
    case .version:
      surroundings.print(WebRelease.version)
      exit(0)
    case .wrong(let message):
      surroundings.end("\(message); see 'parallax-web --help'", code: 64)
    case .run(let options, let arguments):
      let text = options["--port"] ?? "8080"
      guard let port = Int(text), (0...65535).contains(port) else {
        surroundings.end("--port: '\(text)' is no port; use 0 to 65535", code: 64)
      }
      return (arguments[0], options["--host"] ?? "127.0.0.1", port)
    }
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
      server: .http1(configuration: .init(idleTimeout: .seconds(patienceSeconds))),
      configuration: ApplicationConfiguration(
        address: .hostname(host, port: port), serverName: nil,
        availableConnectionsDelegate: MaximumAvailableConnections(
          connectionLimit, logger: silent)),
      onServerRunning: { channel in
        let bound = channel.localAddress?.port ?? port
        let shown = host.contains(":") ? "[\(host)]" : host
        let count = folder.ids().count
        surroundings.say(
          "serving \(count) \(count == 1 ? "animation" : "animations") of \(folder.path) at "
            + "http://\(shown):\(bound)")
      },
      logger: silent)
    do {
      try await application.runService(gracefulShutdownSignals: [])
    } catch {
      end(error, host: host, port: port)
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

  private static func end(_ error: any Error, host: String, port: Int) -> Never {
    let place = "\(host):\(port)"
    switch (error as? IOError)?.errnoCode {
    case EADDRINUSE:
      surroundings.end("\(place): another program listens there; use another --port", code: 69)
    case EACCES, EPERM:
      surroundings.end("\(place): not allowed; use a port from 1024 up", code: 77)
    case EADDRNOTAVAIL:
      surroundings.end("\(place): is no address of this machine; correct --host", code: 64)
    default:
      surroundings.end("\(place): cannot be listened on: \(error)", code: 69)
    }
  }
}
