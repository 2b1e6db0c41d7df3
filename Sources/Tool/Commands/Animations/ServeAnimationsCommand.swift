// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc

/// `parallax serve-animations`: serves a folder of documents to daemons with `animations.url`.
///
/// Only separate programs use a network: parallax-web replaces this process.
struct ServeAnimationsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve-animations",
    abstract: "Serve a folder of animation documents over HTTP.",
    discussion: """
      GET /ID.json returns DIR/ID.json; nothing outside DIR is served. Stop it with Ctrl-C. A daemon \
      plays these documents with animations.url = "http://HOST:PORT". The server is the program \
      parallax-web, which 'make web' builds.
      """)

  @Argument(
    help: .init("Folder of documents named ID.json.", valueName: "DIR"), completion: .directory)
  var folder: String

  @Option(help: .init("Port; 0 takes a free one.", valueName: "N"))
  var port = 8080

  @Option(help: .init("Address to listen on; 0.0.0.0 for all.", valueName: "ADDRESS"))
  var host = "127.0.0.1"

  func validate() throws {
    guard (0...65535).contains(port) else {
      throw ValidationError("--port: invalid port \(port); use 0 to 65535")
    }
  }

  func run() throws {
    var status = stat()
    guard stat(folder, &status) == 0 else {
      throw CommandFailure(
        .noInput, "\(folder): \(String(cString: strerror(errno))); name a folder of documents")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw CommandFailure(.noInput, "\(folder): is not a folder; name a folder of documents")
    }
    try SiblingProgram.become(
      "parallax-web", ["--port", String(port), "--host", host, "--", folder],
      advice: "build it with 'make web' and install it with 'make install'")
  }
}
