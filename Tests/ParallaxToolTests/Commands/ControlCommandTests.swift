// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

/// What sessions cannot show: raw control characters, and the place of the socket.
@Suite("status and reload", .timeLimit(.minutes(10)))
struct ControlCommandTests {
  private let folder: TemporaryFolder
  private let server: FakeServer

  init() throws {
    folder = try TemporaryFolder()
    server = try FakeServer(at: folder("control.sock"))
  }

  @Test(arguments: [([], #"trace \u{1b}]0;x\u{7}\u{9b}2J, idle"#), (["--json"], #"\u009b2J"#)])
  func statusHasNoControlCharacters(options: [String], part: String) throws {
    let program = try Program.parallax.start(["status", "--control", server.path] + options)
    let peer = try server.accept()
    _ = try peer.hear()
    try peer.say(
      #"{"class":"STATUS","tag":1,"release":"0.1.0","uptime":1,"device":{"driver":"trace","#
        + "\"name\":\"\\u001b]0;x\\u0007\u{9B}2J\","
        + #""state":"idle"},"gate":{"open":true,"gain":1,"reasons":[]},"#
        + #""orientation":{"value":"normal","source":"default"},"bias":{"mode":"off"},"#
        + #""subscribers":0,"frames":0,"drops":{},"latency":{"reason":"no frames yet"}}"#)
    let output = try program.finish().output
    #expect(output.contains(part), "\(output)")
    #expect(!output.contains("\u{9B}") && !output.contains("\u{1B}"))
  }

  @Test func theControlSocketIsNextToTheStreamSocket() throws {
    let program = try Program.parallax.start(["reload", "--socket", folder("parallax.sock")])
    let peer = try server.accept()
    #expect(try peer.hear() == #"{"class":"RELOAD","tag":1}"#)
    try peer.say(#"{"class":"ACK","tag":1}"#)
    #expect(try program.finish().exitCode == 0)
  }
}
