// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxWebCore

/// `parallax-provider`: fetches animation documents from web servers for parallaxd, which has no
/// network access and sends its requests over a Unix socket.
@main
struct ParallaxProvider {
  private static let environment = ProgramEnvironment(program: "parallax-provider")

  private static let usage = """
    usage: parallax-provider [--socket PATH] [--cache DIR] [--ca-file FILE] [--idle S]

    Fetches animation documents from web servers for parallaxd.

      --socket PATH     Socket to listen on (default: systemd's socket, or provider.sock beside
                        parallaxd's sockets)
      --cache DIR       Folder for copies (default: $CACHE_DIRECTORY, or parallax in
                        $XDG_CACHE_HOME or ~/.cache)
      --ca-file FILE    PEM file of certificates to trust in addition to the system's
      --idle S          Seconds without a connection before exiting, 1 to 86400 (default: 300 with
                        systemd's socket, which starts it again; otherwise never)
      -h, --help        Show help
      -V, --version     Show the release
    """

  static func main() {
    EndSignals.block()
    signal(SIGPIPE, SIG_IGN)
    // Only this user may read the copies.
    umask(0o077)
    let options = options()
    let listener = listener(options)
    let keeper = CacheKeeper(DocumentCache(folder: cache(options)), environment)
    do {
      let fetcher = try HTTPFetcher(keeper, caFile: options["--ca-file"])
      let idleSeconds =
        options["--idle"].flatMap { Int($0) }
        ?? (listener.isInherited ? ProviderServer.idleSeconds : nil)
      Task.detached { await serve(listener, fetcher, idleSeconds: idleSeconds) }
    } catch {
      listener.removeFile()
      environment.fail("--ca-file: \(error)", code: 65)
    }
    EndSignals.wait()
    listener.removeFile()
    exit(0)
  }

  private static func serve(
    _ listener: ListeningSocket, _ fetcher: HTTPFetcher, idleSeconds: Int?
  ) async {
    environment.log("listening on \(listener.name)")
    do {
      try await ProviderServer(fetcher).run(on: listener.descriptor, idleSeconds: idleSeconds) {
        listener.removeFile()
        exit(0)
      }
    } catch {
      listener.removeFile()
      environment.fail("\(listener.name): \(error)", code: 69)
    }
  }

  private static func options() -> [String: String] {
    let (options, _) = environment.read(
      Array(CommandLine.arguments.dropFirst()),
      CommandLineReader.Grammar(options: ["--socket", "--cache", "--ca-file", "--idle"]),
      usage: usage)
    if let idle = options["--idle"], Int(idle).map({ (1...86_400).contains($0) }) != true {
      environment.fail("--idle: invalid time '\(idle)'; use 1 to 86400 s", code: 64)
    }
    if let file = options["--ca-file"], access(file, R_OK) != 0 {
      environment.fail(
        "--ca-file: \(file): \(String(cString: strerror(errno)))", code: 66)
    }
    return options
  }

  private static func listener(_ options: [String: String]) -> ListeningSocket {
    do throws(ListeningSocket.ListenError) {
      if options["--socket"] == nil, let inherited = ListeningSocket.inherited() {
        return inherited
      }
      return try ListeningSocket(path: options["--socket"] ?? defaultSocket)
    } catch {
      environment.fail(error.message, code: error.exitCode)
    }
  }

  /// The path beside parallaxd's control socket in its default place.
  private static var defaultSocket: String {
    if let folder = ProgramEnvironment.variable("RUNTIME_DIRECTORY") {
      return folder + "/provider.sock"
    }
    if let folder = ProgramEnvironment.variable("XDG_RUNTIME_DIR") {
      return folder + "/parallax/provider.sock"
    }
    return getuid() == 0
      ? "/run/parallax/provider.sock" : "/run/user/\(getuid())/parallax/provider.sock"
  }

  private static func cache(_ options: [String: String]) -> CacheFiles? {
    do throws(CacheError) {
      if let path = options["--cache"] ?? ProgramEnvironment.variable("CACHE_DIRECTORY") {
        return try CacheFiles(path: path)
      }
      let home = ProgramEnvironment.variable("HOME").map { $0 + "/.cache" }
      guard let folder = ProgramEnvironment.variable("XDG_CACHE_HOME") ?? home else {
        environment.log("no folder for copies; set one with --cache DIR")
        return nil
      }
      mkdir(folder, 0o700)
      return try CacheFiles(path: folder + "/parallax")
    } catch {
      environment.log(error.description)
      return nil
    }
  }
}
