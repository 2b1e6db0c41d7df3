// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Runs a day of synthetic motion through the daemon's core with a settable clock: `DayRun [HOURS]`. Prints a
/// row for each day, and fails if a frame's time drifts or the memory grows.
@main
enum DayRun {
  static func main() throws {
    let hours = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 24
    var passed = 0
    var failed = 0
    for (name, settings, rate) in [
      ("a frame a sample", ["sampling.rate=30"], 30.0),
      ("60 Hz, linear", ["sampling.rate=60", "sampling.resample=linear"], 60.0),
      ("7 Hz, mean", ["sampling.rate=7", "sampling.resample=mean"], 7.0),
    ] {
      let day = try DayOfMotion(settings: settings, rateHertz: rate)
      let begin = seconds()
      let report = day.run(hours: hours)
      let took = seconds() - begin
      print(
        "day: \(name), \(hours) h in \(fixed(took, 1)) s: \(report.frames) frames, "
          + "greatest drift \(report.driftNanoseconds) ns, heap \(report.heap.first) -> \(report.heap.last) bytes, "
          + "RssAnon \(report.anonymous.first) -> \(report.anonymous.last) kB")
      for fault in report.faults { print("day: FAILED: \(name): \(fault)") }
      if report.faults.isEmpty { passed += 1 } else { failed += 1 }
    }
    print("test-day: \(passed) passed, \(failed) failed, 0 skipped")
    if failed > 0 { exit(1) }
  }

  private static func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func fixed(_ value: Double, _ places: Int32) -> String {
    let scale = pow(10, Double(places))
    return "\((value * scale).rounded() / scale)"
  }
}
