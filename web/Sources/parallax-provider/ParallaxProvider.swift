import Glibc
import ParallaxWebCore

/// `parallax-provider`: fetches animation documents from web servers for parallaxd, which has no network
/// of its own and asks over a Unix socket.
@main
struct ParallaxProvider {
  private static let surroundings = ProgramSurroundings(program: "parallax-provider")

  private static let usage = """
    usage: parallax-provider [--socket PATH] [--cache DIR] [--ca-file FILE] [--idle S]

    Fetches animation documents from web servers for parallaxd.

      --socket PATH     the socket to listen on. Default: the one that systemd hands over, else
                        provider.sock beside parallaxd's
      --cache DIR       keeps copies there. Default: $CACHE_DIRECTORY, else parallax in
                        $XDG_CACHE_HOME or ~/.cache
      --ca-file FILE    trusts these certificates (PEM) as well as the system's
      --idle S          ends after so many seconds without a question. Default: 300 where systemd
                        started it, which does so again at the next one; else never
      --help            show this
      --version         show the release
    """

  static func main() {
    EndSignals.block()
    signal(SIGPIPE, SIG_IGN)
    // Copies are this user's alone.
    umask(0o077)
    let options = options()
    let listener = listener(options)
    let keeper = CacheKeeper(DocumentCache(folder: cache(options)), surroundings)
    do {
      let fetcher = try HTTPFetcher(keeper, caFile: options["--ca-file"])
      let idleSeconds =
        options["--idle"].flatMap { Int($0) }
        ?? (listener.isInherited ? ProviderServer.idleSeconds : nil)
      Task.detached { await serve(listener, fetcher, idleSeconds: idleSeconds) }
    } catch {
      listener.removeFile()
      surroundings.end("--ca-file: \(error)", code: 65)
    }
    EndSignals.wait()
    listener.removeFile()
    exit(0)
  }

  private static func serve(
    _ listener: ListeningSocket, _ fetcher: HTTPFetcher, idleSeconds: Int?
  ) async {
    surroundings.say("listening on \(listener.name)")
    do {
      try await ProviderServer(fetcher).run(on: listener.descriptor, idleSeconds: idleSeconds) {
        listener.removeFile()
        exit(0)
      }
    } catch {
      listener.removeFile()
      surroundings.end("\(listener.name): \(error)", code: 69)
    }
  }

  private static func options() -> [String: String] {
    let reading = CommandLineReader.read(
      Array(CommandLine.arguments.dropFirst()),
      CommandLineReader.Grammar(options: ["--socket", "--cache", "--ca-file", "--idle"]))
    switch reading {
    case .help:
      surroundings.print(usage)
      exit(0)
    case .version:
      surroundings.print(WebRelease.version)
      exit(0)
    case .wrong(let message):
      surroundings.end("\(message); see 'parallax-provider --help'", code: 64)
    case .run(let options, _):
      if let idle = options["--idle"], Int(idle).map({ (1...86_400).contains($0) }) != true {
        surroundings.end("--idle: '\(idle)' is no time; use 1 to 86400 s", code: 64)
      }
      if let file = options["--ca-file"], access(file, R_OK) != 0 {
        surroundings.end(
          "--ca-file: \(file): \(String(cString: strerror(errno)))", code: 66)
      }
      return options
    }
  }

  private static func listener(_ options: [String: String]) -> ListeningSocket {
    do throws(ListeningSocket.Problem) {
      if options["--socket"] == nil, let inherited = ListeningSocket.inherited() {
        return inherited
      }
      return try ListeningSocket(path: options["--socket"] ?? defaultSocket)
    } catch {
      surroundings.end(error.message, code: error.exitCode)
    }
  }

  /// Beside parallaxd's control socket where that is in its usual place.
  private static var defaultSocket: String {
    if let folder = ProgramSurroundings.environment("RUNTIME_DIRECTORY") {
      return folder + "/provider.sock"
    }
    if let folder = ProgramSurroundings.environment("XDG_RUNTIME_DIR") {
      return folder + "/parallax/provider.sock"
    }
    return getuid() == 0
      ? "/run/parallax/provider.sock" : "/run/user/\(getuid())/parallax/provider.sock"
  }

  private static func cache(_ options: [String: String]) -> CacheFiles? {
    do throws(CacheTrouble) {
      if let path = options["--cache"] ?? ProgramSurroundings.environment("CACHE_DIRECTORY") {
        return try CacheFiles(path: path)
      }
      let home = ProgramSurroundings.environment("HOME").map { $0 + "/.cache" }
      guard let folder = ProgramSurroundings.environment("XDG_CACHE_HOME") ?? home else {
        surroundings.say("no folder for copies; name one with --cache DIR")
        return nil
      }
      mkdir(folder, 0o700)
      return try CacheFiles(path: folder + "/parallax")
    } catch {
      surroundings.say(error.description)
      return nil
    }
  }
}
