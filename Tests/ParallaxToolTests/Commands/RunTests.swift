// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

/// `parallax run`, which becomes parallaxd.
@Suite("parallax run", .timeLimit(.minutes(10)))
struct RunTests {
  private func offsetTimes(_ line: Substring) -> Double? {
    guard let place = line.firstRange(of: "\"time\":") else { return nil }
    return Double(line[place.upperBound...].prefix { $0 != "," })
  }

  /// Settings on the command line, and the interval of frames in seconds.
  @Test(arguments: [
    (["--set", "sampling.rate=50"], 0.02),
    (["--set", "motion.mode=tilt", "--set", "sampling.rate=100", "--set=sampling.rate=20"], 0.05),
    (["--set", "sampling.rate=50", "--rate", "40"], 0.025),
  ])
  func settingsReachTheDaemon(options: [String], interval: Double) throws {
    let folder = try TemporaryFolder()
    let socket = folder("s")
    let daemon = try Program.parallax.start(
      ["run", "--config", "/dev/null", "--source", "synthetic", "--socket", socket] + options,
      environment: [
        "XDG_RUNTIME_DIR": folder.path, "PARALLAX_CONTROL": nil,
        "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder("no-bus"))",
        "DBUS_SESSION_BUS_ADDRESS": nil,
      ])
    try waitUntil("parallaxd listens") { access(socket, F_OK) == 0 }
    let result = try Program.parallax.run([
      "subscribe", "--socket", socket, "--class", "OFFSET", "--count", "3",
    ])
    let times = result.outputLines.compactMap { offsetTimes($0) }
    try #require(times.count == 3, "\(result.output) \(result.errors)")
    for (before, after) in zip(times, times.dropFirst()) {
      #expect(abs(after - before - interval) < 1e-6, "\(times)")
    }
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish().exitCode == 0)
  }
}
