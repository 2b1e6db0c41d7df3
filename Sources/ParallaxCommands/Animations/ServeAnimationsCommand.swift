import ArgumentParser
import Glibc

/// `parallax serve-animations`: a folder of documents on the web, for daemons with `animations.url`.
///
/// What touches a network is a program of its own, as which this process goes on.
struct ServeAnimationsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve-animations",
    abstract: "Serve a folder of animation documents by HTTP.",
    discussion: """
      GET /ID.json gives DIR/ID.json, and nothing outside DIR is given. Ctrl-C ends it. A daemon plays \
      what is served here with animations.url = "http://HOST:PORT". It is the program parallax-web, \
      which 'make web' builds.
      """)

  @Argument(help: .init("The folder of documents, ID.json each.", valueName: "DIR"))
  var folder: String

  @Option(help: .init("The port; 0 takes a free one.", valueName: "N"))
  var port = 8080

  @Option(help: .init("The address to listen on; 0.0.0.0 for all.", valueName: "ADDRESS"))
  var host = "127.0.0.1"

  func validate() throws {
    guard (0...65535).contains(port) else {
      throw ValidationError("--port: \(port) is no port; use 0 to 65535")
    }
  }

  func run() throws {
    var status = stat()
    guard stat(folder, &status) == 0 else {
      throw CommandFailure(
        .noInput, "\(folder): \(String(cString: strerror(errno))); name a folder of documents")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw CommandFailure(.noInput, "\(folder): is no folder; name one with documents in it")
    }
    try SiblingProgram.become(
      "parallax-web", ["--port", String(port), "--host", host, "--", folder],
      advice: "build it with 'make web', then 'make install' puts it there")
  }
}
