import Glibc

/// This build's release: the same as parallax's, which a test of its package holds them to.
package enum WebRelease {
  package static let version = "0.1.0"
}

/// A program's messages and its end.
package struct ProgramSurroundings: Sendable {
  /// In front of every message.
  package let program: String

  package init(program: String) {
    self.program = program
  }

  /// One line on standard error; control characters in it become spaces.
  package func say(_ text: String) {
    var line = String.UnicodeScalarView()
    for scalar in "\(program): \(text)".unicodeScalars {
      line.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    _ = Descriptor.write(STDERR_FILENO, Array(String(line).utf8) + [UInt8(ascii: "\n")])
  }

  /// - Parameter code: as sysexits(3) has them.
  package func end(_ text: String, code: Int32) -> Never {
    say(text)
    exit(code)
  }

  /// Text for standard output, as it is.
  package func print(_ text: String) {
    _ = Descriptor.write(STDOUT_FILENO, Array((text + "\n").utf8))
  }

  package static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// SIGTERM and SIGINT. They end the program at once, whatever is open: what is kept is written whole or
/// not at all, and whoever is hung up on asks again.
package enum EndSignals {
  /// Takes them from their usual effect. To be called before the program has a second thread, which
  /// would have it still.
  package static func block() {
    var signals = Self.signals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Keeps this thread until one comes.
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
