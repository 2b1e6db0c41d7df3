// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

@testable import ParallaxTool

@Suite struct ReplayPlanTests {
  @Test(arguments: [
    (["a/walk.csv", "b/run.gcsv"], ["walk.csv", "run.csv"]),
    (
      ["s/walk/Gyroscope.csv", "s/run/Gyroscope.csv", "x.csv"],
      ["walk-Gyroscope.csv", "run-Gyroscope.csv", "x.csv"]
    ),
    (["-", "a.tar.gz", ".hidden"], ["stdin.csv", "a.tar.csv", ".hidden.csv"]),
  ])
  func tablesAreNamedAfterTheirTraces(traces: [String], names: [String]) throws {
    #expect(try ReplayPlan.outputNames(for: traces, suffix: "csv") == names)
  }

  @Test func tracesThatCannotBeToldApartAreRefused() {
    #expect(throws: CommandFailure.self) {
      try ReplayPlan.outputNames(for: ["a/w/g.csv", "b/w/g.csv"], suffix: "csv")
    }
    #expect(throws: CommandFailure.self) {
      try ReplayPlan.outputNames(for: ["g.csv", "./g.csv"], suffix: "csv")
    }
  }

  @Test func severalTracesNeedAFolder() {
    let error = #expect(throws: CommandFailure.self) {
      try ReplayPlan(traces: ["a", "b"], output: nil, format: .csv)
    }
    #expect(error?.exit == .usage)
    #expect(throws: CommandFailure.self) {
      try ReplayPlan(traces: ["-", "-"], output: "/tmp", format: .csv)
    }
  }

  @Test func aHyphenIsStandardOutput() throws {
    let plan = try ReplayPlan(traces: ["walk.csv"], output: "-", format: .csv)
    #expect(plan.items == [.init(trace: "walk.csv", output: nil, isNamed: true)])
    let error = #expect(throws: CommandFailure.self) {
      try ReplayPlan(traces: ["a", "b"], output: "-", format: .csv)
    }
    #expect(error?.message.hasPrefix("-o -: ") == true)
  }

  @Test func oneTraceGoesIntoAFolderThatIsThere() throws {
    let folder = try TemporaryFolder()
    let plan = try ReplayPlan(traces: ["x/walk.csv"], output: folder.path, format: .ndjson)
    #expect(plan.items == [.init(trace: "x/walk.csv", output: folder("walk.ndjson"))])
  }

  @Test func aTableNeverReplacesItsTrace() throws {
    let folder = try TemporaryFolder()
    let trace = try folder.write("t,x,y,z\n", to: "walk.csv")
    let error = #expect(throws: CommandFailure.self) {
      try ReplayPlan(traces: [trace], output: folder.path, format: .csv)
    }
    #expect(error?.exit == .usage)
  }
}
