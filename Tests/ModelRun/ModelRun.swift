// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxDaemonModel

/// Runs the model test of the daemon: `ModelRun [OPERATIONS [SEED]]`, or `ModelRun FILE` with a script.
@main
enum ModelRun {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    if let path = arguments.first, Int(path) == nil { return runScript(path) }
    let operations = arguments.first.flatMap { Int($0) } ?? 1_000_000
    let seed = arguments.dropFirst().first.flatMap { UInt64($0) } ?? 20_070_629
    var runner = ModelRunner(seed: seed, operations: operations)
    // After a crash the last one is the one.
    let shows = arguments.contains("--seeds")
    runner.begins = { if shows { print("seed \($0)") } }
    if let place = arguments.firstIndex(of: "--ignore"), place + 1 < arguments.endIndex {
      runner.ignoredRules = Set(arguments[place + 1].split(separator: ",").map(String.init))
    }
    let begin = seconds()
    let report = runner.run()
    let took = seconds() - begin
    if let failure = report.failure {
      print("model: FAILED after \(report.operations) operations: \(failure)")
      exit(1)
    }
    print(
      "model: \(report.operations) operations in \(report.scripts) scripts, \(report.frames) frames, "
        + "seeds from \(seed), \(Int(took.rounded())) s, no violation")
  }

  private static func runScript(_ path: String) {
    guard let text = text(path), let script = ModelScript(text) else {
      print("model: cannot read \(path)")
      exit(64)
    }
    let result = script.run { print($0) }
    guard let violation = result.violation else { return print("model: no violation") }
    print("model: \(violation.rule): \(violation.text)")
    exit(1)
  }

  private static func text(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&block, 1, block.count, file)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += block.prefix(count)
    }
  }

  private static func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
