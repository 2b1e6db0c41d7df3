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

  /// A byte order mark is not sent.
  @Test func aDocumentMayBeginWithAByteOrderMark() throws {
    let document = #"{"parallax": 1, "id": "me", "animation": {"delay": 1}}"#
    let file = try folder.write("\u{FEFF}" + document, to: "own.json")
    let program = try Program.parallax.start(["play", file, "--control", server.path])
    let peer = try server.accept()
    _ = try peer.hear()
    #expect(try peer.hear() == #"{"class":"PLAY","tag":1,"document":\#(document)}"#)
    try peer.say(
      #"{"class":"ACK","tag":1,"id":"me"}"#,
      #"{"class":"ANIMATION","tag":1,"id":"me","event":"completed","position":"end"}"#)
    #expect(try program.finish().exitCode == 0)
  }

  @Test func standardInputIsReadAsAFile() throws {
    let result = try Program.parallax.run(["play", "-", "--control", server.path], input: "{}")
    #expect(result.exitCode == 65)
    #expect(result.errors.hasPrefix("parallax: standard input:1:1: $: not an animation"))
  }
}
