import Glibc
import ParallaxDaemon

@main
struct Parallaxd {
  static func main() {
    switch Options(Array(CommandLine.arguments.dropFirst())) {
    case .run(let configFile, let assignments):
      exit(Daemon.run(ConfigurationSource(file: configFile, assignments: assignments)))
    case .help:
      print(Options.help)
    case .version:
      print("parallaxd \(Daemon.release)")
    case .wrong(let message):
      // EX_USAGE of sysexits.
      fputs("parallaxd: \(message)\n", stderr)
      exit(64)
    }
  }
}
