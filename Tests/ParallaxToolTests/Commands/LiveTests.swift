// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

/// The tool and the daemon together, each as its own process.
@Suite("The tool against a daemon", .timeLimit(.minutes(10)))
struct LiveTests {
  private func parallax(_ daemon: LiveDaemon, _ arguments: String...) throws -> ProgramResult {
    try Program.parallax.run(arguments + ["--socket", daemon.socket])
  }

  private func number(_ key: String, in line: Substring) -> Double? {
    guard let place = line.firstRange(of: "\"\(key)\":") else { return nil }
    return Double(line[place.upperBound...].prefix { !",}".contains($0) })
  }

  @Test func offsetsAreConsecutive() throws {
    let daemon = try LiveDaemon()
    let result = try parallax(daemon, "subscribe", "--class", "OFFSET", "--count", "6")
    #expect(result.exitCode == 0, "\(result.errors)")
    let numbers = result.outputLines.compactMap { number("seq", in: $0) }
    #expect(numbers.count == 6)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(numbers)")
  }

  @Test func layersAreInEveryRow() throws {
    let daemon = try LiveDaemon()
    let result = try parallax(
      daemon, "subscribe", "--format", "csv", "--layers", "fg=1,bg=-0.5", "--count", "4")
    #expect(result.outputLines.first == "time,x,y,fg_x,fg_y,bg_x,bg_y")
    let rows = result.outputLines.dropFirst().map {
      $0.split(separator: ",").compactMap { Double($0) }
    }
    #expect(rows.count == 4)
    for row in rows {
      try #require(row.count == 7)
      #expect(row[3] == row[1] && row[4] == row[2])
      #expect(abs(row[5] + 0.5 * row[1]) < 0.0001 && abs(row[6] + 0.5 * row[2]) < 0.0001)
    }
  }

  private static let refusedSettings = [
    (["paused", "yes"], "invalid value 'yes' for paused; use on or off"),
    (["recenter", "0"], "recenter: '0' is out of range; use 0.05 to 3600"),
    (
      ["socket.path", "/x"],
      "socket.path cannot be set while the daemon runs: it decides who may connect; change it in the "
        + "configuration, then restart the daemon"
    ),
  ]

  @Test func statusSetAndReload() throws {
    let daemon = try LiveDaemon()
    #expect(try parallax(daemon, "status").output.contains("gate         open, gain 1\n"))
    #expect(try parallax(daemon, "set", "paused", "on").exitCode == 0)
    #expect(try parallax(daemon, "set", "orientation", "left-up").exitCode == 0)
    let status = try parallax(daemon, "status")
    #expect(status.output.contains("gate         closed: paused\n"), "\(status.output)")
    #expect(status.output.contains("orientation  left-up (set)\n"))
    for (words, message) in Self.refusedSettings {
      let result = try Program.parallax.run(["set"] + words + ["--socket", daemon.socket])
      #expect(result.errors == "parallax: \(message)\n")
      #expect(result.exitCode == 64)
    }
    #expect(try parallax(daemon, "reload").exitCode == 0)
    // SET lasts over reloads.
    #expect(try parallax(daemon, "status").output.contains("gate         closed: paused\n"))
    let json = try parallax(daemon, "status", "--json").output
    #expect(json.hasPrefix(#"{"class":"STATUS","tag":1,"release":"0.1.0","#))
  }

  @Test func anInvalidConfigurationIsReportedWithItsLines() throws {
    let daemon = try LiveDaemon()
    let file = try daemon.folder.write(
      "[motion]\nsped = 3\nscale = \"big\"\n", to: "parallax.toml")
    let result = try parallax(daemon, "reload")
    #expect(result.exitCode == 78)
    #expect(result.errors.contains("\(file):2:"), "\(result.errors)")
    #expect(result.errors.contains("\(file):3:"), "\(result.errors)")
    #expect(result.errorLines.allSatisfy { $0.hasPrefix("parallax: ") })
  }

  @Test func nothingMovesWhileACommandRunsUnderInhibit() throws {
    let daemon = try LiveDaemon()
    let inhibit = try Program.parallax.start([
      "inhibit", "--reason", "password", "--control", daemon.control, "--", "sh", "-c",
      "echo running; cat",
    ])
    #expect(try inhibit.nextLine() == "running")
    let status = try parallax(daemon, "status")
    #expect(status.output.contains("gate         closed: inhibit\n"), "\(status.output)")
    #expect(status.output.contains("inhibited    by uid \(geteuid()): password\n"))
    #expect(try inhibit.finish(input: Array("x\n".utf8)).exitCode == 0)
    try waitUntil("the gate opens again") {
      try parallax(daemon, "status").output.contains("gate         open, gain 1\n")
    }
  }

  @Test func theEndOfTheDaemonEndsASubscriptionWithExit0() throws {
    let daemon = try LiveDaemon()
    let subscription = try Program.parallax.start(["subscribe", "--socket", daemon.socket])
    #expect(try subscription.nextLine()?.contains("VERSION") == true)
    #expect(try daemon.end().exitCode == 0)
    let result = try subscription.finish()
    #expect(result.exitCode == 0)
    #expect(result.outputLines.last?.contains(#""state":"ended""#) == true)
    #expect(result.outputLines.last?.contains(#""reason":"shutdown""#) == true)
  }
}
