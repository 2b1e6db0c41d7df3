// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

/// `parallax animate`, and the chains of `parallax play`, with the test as the daemon.
@Suite("parallax animate and chains", .timeLimit(.minutes(10)))
struct AnimateCommandTests {
  private let folder: TemporaryFolder
  private let server: FakeServer

  init() throws {
    folder = try TemporaryFolder()
    server = try FakeServer(at: folder("control.sock"))
  }

  /// The arguments after the id, and the fields after it.
  @Test(arguments: [
    (["pause"], #""action":"pause""#),
    (["resume"], #""action":"resume""#),
    (["resume", "--delay", "0.5"], #""action":"resume","delay":0.5"#),
    (["reverse"], #""action":"reverse""#),
    (["seek", "0.3"], #""action":"seek","fraction":0.3"#),
    (["speed", "2"], #""action":"speed","speed":2"#),
    (["continue"], #""action":"continue""#),
    (["continue", "--curve", "ease-out"], #""action":"continue","curve":"ease-out""#),
    (
      ["continue", "--curve", #"{"spring":{"response":0.4}}"#, "--velocity", "900,-3.5"],
      #""action":"continue","curve":{"spring":{"response":0.4}},"velocity":[900,-3.5]"#
    ),
    (
      ["continue", "--duration-factor", "0.5"], #""action":"continue","duration_factor":0.5"#
    ),
    (["stop"], #""action":"stop""#),
    (["finish"], #""action":"finish","position":"end""#),
    (["finish", "start"], #""action":"finish","position":"start""#),
    (["add", "lift"], #""action":"add","document":"lift""#),
    (["append", "lift"], #""action":"append","part":"lift""#),
    (["pause", "--layer", "card"], #""layer":"card","action":"pause""#),
  ])
  func anActionIsOneRequest(arguments: [String], fields: String) throws {
    let program = try Program.parallax.start(
      ["animate", "drawer"] + arguments + ["--control", server.path])
    let peer = try server.accept()
    #expect(try peer.hear() == #"{"class":"ANIMATE","tag":1,"id":"drawer",\#(fields)}"#)
    try peer.say(
      #"{"class":"ACK","tag":1,"id":"drawer","state":"paused","fraction":0.3,"reversed":true,"#
        + #""speed":1,"time":1.5}"#)
    let result = try program.finish()
    #expect(result.output == "drawer: paused at 30 %, reversed\n")
    #expect(result.errors == "" && result.exitCode == 0)
  }

  @Test(arguments: [
    (["sek", "1"], "unknown action 'sek'; did you mean 'seek'?; use pause"),
    (["seek"], "seek needs a fraction, such as 0.3"),
    (["seek", "much"], "'much' is not a number; write a fraction, such as 0.3"),
    (["pause", "1"], "'pause' takes no value, but got '1'"),
    (["finish", "middle"], "'middle' is not a position; write start, current or end"),
    (["add"], "add needs a document: its id or file"),
    (["continue", "--velocity", "fast"], "'fast' is not a velocity; write X,Y in px/s"),
  ])
  func invalidActionsAreRefused(arguments: [String], message: String) throws {
    let result = try Program.parallax.run(
      ["animate", "drawer"] + arguments + ["--control", server.path])
    #expect(result.exitCode == 64)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  @Test func theDaemonsErrorIsReported() throws {
    let program = try Program.parallax.start(
      ["animate", "drawer", "seek", "1", "--control", server.path])
    let peer = try server.accept()
    _ = try peer.hear()
    try peer.say(
      #"{"class":"ERROR","tag":1,"message":"animation 'drawer' is not paused; pause it before a seek","#
        + #""code":"unavailable"}"#)
    let result = try program.finish()
    #expect(result.exitCode == 69)
    #expect(result.errors == "parallax: animation 'drawer' is not paused; pause it before a seek\n")
  }

  @Test(arguments: [
    (["a", "b"], #""chain":["a","b"]"#),
    (["a", "--repeat", "3"], #""chain":["a"],"repeat":3"#),
    (["a", "--repeat", "forever", "--take", "5"], #""chain":["a"],"repeat":"forever","take":5"#),
    (
      ["a", "b", "--parallel", "--delay", "0.5"],
      #""chain":["a","b"],"order":"parallel","delay":0.5"#
    ),
    (
      ["a", "b", "--layer", "card"],
      #""chain":[{"id":"a","layer":"card"},{"id":"b","layer":"card"}]"#
    ),
    (
      ["a", "--as", "x", "--paused", "--pause-at-end"],
      #""id":"a","as":"x","paused":true,"pauses_at_end":true"#
    ),
  ])
  func severalAnimationsAreAChain(arguments: [String], fields: String) throws {
    let program = try Program.parallax.start(["play"] + arguments + ["--control", server.path])
    let peer = try server.accept()
    _ = try peer.hear()
    #expect(try peer.hear() == #"{"class":"PLAY","tag":1,\#(fields)}"#)
    try peer.say(
      #"{"class":"ACK","tag":1,"id":"chain"}"#,
      #"{"class":"ANIMATION","tag":1,"id":"chain","event":"failed","position":"current","#
        + #""message":"b.json: broken"}"#)
    let result = try program.finish()
    #expect(result.exitCode == 69)
    #expect(result.errors == "parallax: chain: b.json: broken\n")
  }

  @Test(arguments: [
    (["--sequence", "--parallel"], "exclude each other"), (["--delay=-1"], "--delay"),
    (["--repeat", "often"], "'often' is not a count"),
    (["--take", "0"], "--take must be at least 1"),
  ])
  func invalidChainsAreRefused(options: [String], message: String) throws {
    let result = try Program.parallax.run(["play", "a", "b"] + options)
    #expect(result.exitCode == 64)
    #expect(result.errors.contains(message), "\(result.errors)")
  }
}
