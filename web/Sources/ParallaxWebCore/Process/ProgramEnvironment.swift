// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The release of this build. A test of the main package checks that it equals parallax's.
package enum WebRelease {
  package static let version = "0.1.0"
}

/// The output, the environment variables and the exit of a program.
package struct ProgramEnvironment: Sendable {
  /// The name before every message.
  package let program: String

  package init(program: String) {
    self.program = program
  }

  /// Writes one line to standard error. Control characters become spaces.
  package func log(_ text: String) {
    var line = String.UnicodeScalarView()
    for scalar in "\(program): \(text)".unicodeScalars {
      line.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    _ = Descriptor.write(STDERR_FILENO, Array(String(line).utf8) + [UInt8(ascii: "\n")])
  }

  /// Logs a message and exits.
  /// - Parameter code: an exit code of sysexits(3).
  package func fail(_ text: String, code: Int32) -> Never {
    log(text)
    exit(code)
  }

  /// Writes text and a line feed to standard output.
  package func print(_ text: String) {
    _ = Descriptor.write(STDOUT_FILENO, Array((text + "\n").utf8))
  }

  /// Writes the name and the release, in the form of all programs of parallax: `parallax-web 0.1.0`.
  package func printVersion() {
    print("\(program) \(WebRelease.version)")
  }

  /// Reads the program's command line. Help and the release are printed, an invalid line is reported; all
  /// three end the program.
  ///
  /// - Parameter command: The words with which the program, or a part of it, is called.
  package func read(
    _ words: [String], _ grammar: CommandLineReader.Grammar, usage: String, command: String? = nil
  ) -> (options: [String: String], arguments: [String]) {
    switch CommandLineReader.read(words, grammar) {
    case .help:
      print(usage)
      exit(0)
    case .version:
      printVersion()
      exit(0)
    case .invalid(let message):
      fail("\(message); see '\(command ?? program) --help'", code: 64)
    case .run(let options, let arguments): return (options, arguments)
    }
  }

  /// Returns the port that an option has; anything else ends the program.
  package func port(_ option: String, _ values: [String: String], default port: Int) -> Int {
    guard let text = values[option] else { return port }
    guard let port = Int(text), (0...65535).contains(port) else {
      fail("\(option): invalid port '\(text)'; use 0 to 65535", code: 64)
    }
    return port
  }

  /// Returns the value of an environment variable; nil if it is not set or empty.
  package static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// SIGTERM and SIGINT, which end the program at once. That is safe: files are written atomically,
/// and clients connect again.
package enum EndSignals {
  /// Blocks the signals. Must be called before the program starts a second thread, which would
  /// otherwise receive them.
  package static func block() {
    var signals = Self.signals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for one of the signals.
  package static func wait() {
    var signals = Self.signals
    var number: Int32 = 0
    while sigwait(&signals, &number) != 0 {}
  }

  private static var signals: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGTERM)
    sigaddset(&set, SIGINT)
    return set
  }
}
