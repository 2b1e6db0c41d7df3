// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxDaemon

@main
struct Parallaxd {
  static func main() {
    switch Options(Array(CommandLine.arguments.dropFirst())) {
    case .run(let configFile, let assignments):
      exit(Daemon.run(ConfigurationSource(file: configFile, assignments: assignments)))
    case .help:
      print(Options.usage)
    case .version:
      print("parallaxd \(Daemon.release)")
    case .invalid(let message):
      // EX_USAGE of sysexits(3).
      exit(Daemon.refuse(message, exitCode: 64))
    }
  }
}
