// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

/// `parallax feed` and a running parallaxd.
@Suite("A feed to a daemon", .timeLimit(.minutes(10)))
struct LiveFeedTests {
  private func feed(_ daemon: LiveDaemon, _ arguments: String...) throws -> RunningProgram {
    try Program.parallax.start(["feed"] + arguments + ["--socket", daemon.socket, "--verbose"])
  }

  private func waitUntil(_ program: RunningProgram, says text: String) throws {
    // It prints nothing; reading its output also reads what it reports.
    while !program.errorsSoFar.contains(text) {
      _ = try? program.nextLine(timeoutSeconds: 0.01)
    }
  }

  @Test func theRowsOfAPipeMoveThePicture() throws {
    let daemon = try LiveDaemon(["source.kind=auto", "source.device=none-of-this-name"])
    let subscription = try Program.parallax.start([
      "subscribe", "--class", "DEVICE", "--socket", daemon.socket,
    ])
    let program = try feed(daemon, "-", "--name", "a program")
    try program.type("t,x,y,z\n")
    var index = 0
    // `auto` takes the feed with its first sample.
    var line = ""
    while !line.contains(#""driver":"feed","name":"a program","state":"streaming""#) {
      try program.type("\(Double(index) / 100),0.5,0.5,0\n")
      index += 1
      if let next = try? subscription.nextLine(timeoutSeconds: 0.01) { line = next }
    }
    try waitUntil(program, says: "the daemon uses the samples of 'a program'")
    let result = try program.finish()
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.errorLines.last == "parallax: a program: \(index) samples sent")
    // Without the feed, the daemon goes back to its own source.
    while !line.contains(#""driver":"synthetic""#) {
      line = try #require(try subscription.nextLine())
    }
  }

  @Test func theLastRowsOfABurstDoNotWaitForMore() throws {
    let folder = try TemporaryFolder()
    let server = try FakeServer(at: folder("control.sock"))
    let program = try Program.parallax.start(["feed", "-", "--control", server.path])
    // More rows at once than are taken at a time; the pipe stays open, and the daemon says nothing.
    let rows = (0..<3000).map { "\(Double($0) / 10_000),0,0,0\n" }
    try program.type("t,x,y,z\n\(rows.joined())")
    let peer = try server.accept()
    _ = try peer.hear()
    try peer.say(#"{"class":"ACK","tag":1}"#)
    var line = ""
    while !line.contains("[0.299900000,0,0,0]") { line = try #require(try peer.hear()) }
    #expect(try program.finish().exitCode == 0)
  }

  @Test func oneProgramFeedsAtATime() throws {
    let daemon = try LiveDaemon(["source.kind=feed"])
    let first = try feed(daemon, "-", "--name", "Pixel 8")
    try first.type("t,x,y,z\n0,1,2,3\n")
    try waitUntil(first, says: "Pixel 8")
    let trace = try daemon.folder.write("t,x,y,z\n0,1,2,3\n0.1,1,2,3\n", to: "walk.csv")
    let second = try Program.parallax.run(["feed", trace, "--socket", daemon.socket])
    #expect(second.exitCode == 69)
    #expect(second.errors == "parallax: 'Pixel 8' already sends samples; end it first\n")
    first.send(signal: SIGINT)
    let result = try first.finish()
    #expect(result.exitCode == 0, "\(result.errors)")
  }

  @Test func aFeedOutlivesItsDaemon() throws {
    let folder = try TemporaryFolder()
    var daemon = try LiveDaemon(["source.kind=feed"], in: folder)
    let program = try feed(daemon, "-", "--name", "g")
    try program.type("t,x,y,z\n")
    try waitUntil(program, says: "the samples of 'g'")
    #expect(try daemon.end().exitCode == 0)
    try waitUntil(program, says: "the feed continues when the daemon answers again")
    daemon = try LiveDaemon(["source.kind=feed"], in: folder)
    try waitUntil(program, says: "the daemon answers again; the feed continues")
    #expect(try program.finish(input: Array("0,1,2,3\n".utf8)).exitCode == 0)
  }

  @Test func aFileIsSentToItsEnd() throws {
    let daemon = try LiveDaemon(["source.kind=feed"])
    let rows = (0..<40).map { "\(Double($0) / 100),0.5,0.5,0\n" }.joined()
    let trace = try daemon.folder.write("t,x,y,z\n\(rows)", to: "walk.csv")
    let result = try Program.parallax.run([
      "feed", trace, "--socket", daemon.socket, "--verbose",
    ])
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.errorLines.last == "parallax: walk.csv: 40 samples sent")
  }
}
