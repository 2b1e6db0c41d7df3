// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

/// Documents of `parallax play`, with the test as the daemon.
@Suite("parallax play: documents", .timeLimit(.minutes(10)))
struct PlayTests {
  private let folder: TemporaryFolder
  private let server: FakeServer

  init() throws {
    folder = try TemporaryFolder()
    server = try FakeServer(at: folder("control.sock"))
  }

  @Test func standardInputIsSentAsAFile() throws {
    let file = try folder.write("{}", to: "empty.json")
    let program = try Program(path: "/bin/sh").start([
      "-c", "exec '\(Program.parallax.path)' play - --control '\(server.path)' <'\(file)'",
    ])
    let peer = try server.accept()
    _ = try peer.hear()
    #expect(
      try peer.hear() == #"{"class":"PLAY","tag":1,"text":"{}","file":"standard input"}"#)
    try peer.say(
      #"{"class":"ACK","tag":1,"id":"me"}"#,
      #"{"class":"ANIMATION","tag":1,"id":"me","event":"completed","position":"end"}"#)
    #expect(try program.finish().exitCode == 0)
  }

  /// A document of 1 MiB fits however it is written. The documents of a chain may not.
  @Test func documentsThatDoNotFitAreRefusedBeforeTheyAreSent() throws {
    let quotes = String(repeating: "\"", count: 1 << 20)
    for name in ["a.json", "b.json", "c.json"] { try folder.write(quotes, to: name) }
    let result = try Program.parallax.run(
      ["play", "./a.json", "./b.json", "./c.json", "--control", server.path], folder: folder.path)
    #expect(
      result.errors == "parallax: the documents are too large for one request: 6291580 bytes, the "
        + "limit is 2306868; put them in the daemon's folder (animations.directory)\n")
    #expect(result.exitCode == 65)
    let daemon = try LiveDaemon()
    let largest = try Program.parallax.run(
      ["play", "./a.json", "--socket", daemon.socket], folder: folder.path)
    #expect(largest.errors.hasPrefix("parallax: ./a.json:1:"), "\(largest.errors)")
    #expect(largest.exitCode == 65)
  }
}
