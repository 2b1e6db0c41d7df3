// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

/// A second daemon on the same sockets.
@Suite("A second daemon", .timeLimit(.minutes(10)))
struct SecondDaemonTests {
  /// Started as itself and by the tool, on the stream's socket or on the control socket alone.
  @Test(arguments: [true, false])
  func theSecondExits69AndTheFirstContinues(byTool: Bool) throws {
    let first = try LiveDaemon()
    let names = try first.folder.names()
    for (stream, control) in [(first.socket, first.control), (first.folder("own"), first.control)] {
      let settings = [
        "source.kind=synthetic", "socket.path=\(stream)", "socket.control=\(control)",
      ]
      let program = byTool ? Program.parallax : .parallaxd
      let arguments =
        byTool
        ? ["run", "--source", "synthetic", "--socket", stream, "--control", control]
        : settings.flatMap { ["--set", $0] }
      let result = try program.run(
        arguments, environment: ["XDG_CONFIG_HOME": first.folder("none")])
      let taken = stream == first.socket ? stream : control
      #expect(
        result.errors == "parallaxd: \(taken): another parallaxd is already listening; stop it or "
          + "choose another path\n")
      #expect(result.exitCode == 69)
      #expect(try first.folder.names() == names)
    }
    let lines = try Program.parallax.run([
      "subscribe", "--socket", first.socket, "--class", "OFFSET", "--count", "2",
    ])
    #expect(lines.exitCode == 0 && lines.outputLines.count == 2, "\(lines.errors)")
    #expect(try first.end().exitCode == 0)
  }
}
