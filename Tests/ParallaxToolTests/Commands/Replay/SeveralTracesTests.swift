// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

/// `parallax replay A B C -o FOLDER`.
@Suite("Several traces", .timeLimit(.minutes(10)))
struct SeveralTracesTests {
  private let folder: TemporaryFolder
  private let good = "t,x,y\n0,1,2\n0.05,3,1\n0.1,1,2\n"

  init() throws { folder = try TemporaryFolder() }

  private func replay(_ arguments: String...) throws -> ProgramResult {
    try Program.parallax.run(["replay"] + arguments, folder: folder.path)
  }

  @Test func tablesOfEqualNamesAreNamedAfterTheirFolders() throws {
    for place in ["walk", "run"] { try folder.write(good, to: "\(place)/Gyroscope.csv") }
    try folder.write(good, to: "tram.csv")
    let result = try replay("walk/Gyroscope.csv", "run/Gyroscope.csv", "tram.csv", "-o", "out")
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.output == "" && result.errors == "")
    #expect(
      try namesInFolder(folder("out")) == ["run-Gyroscope.csv", "tram.csv", "walk-Gyroscope.csv"])
    #expect(try folder.text(of: "out/run-Gyroscope.csv") == replay("tram.csv").output)
  }

  @Test func validTracesAreReplayedAndTheFirstFailureIsTheExitStatus()
    throws
  {
    for name in ["a", "c", "e"] { try folder.write(good, to: "\(name).csv") }
    try folder.write("t,x,y\n0,1,2\n0.1,one,2\n0.2,1,2\n", to: "b.csv")
    try folder.makeFolder("out")
    for name in ["a", "b"] { try folder.write("older", to: "out/\(name).csv") }
    let result = try replay("a.csv", "b.csv", "c.csv", "d.csv", "e.csv", "-o", "out")
    #expect(result.exitCode == 65)
    #expect(
      result.errors == """
        parallax: b.csv:3: column 2: 'one' in 'x' is not a number; fix the row or add --skip-bad-rows
        parallax: d.csv: no such file; check the path

        """)
    let table = try replay("a.csv").output
    #expect(try namesInFolder(folder("out")) == ["a.csv", "b.csv", "c.csv", "e.csv"])
    for name in ["a", "c", "e"] { #expect(try folder.text(of: "out/\(name).csv") == table) }
    #expect(try folder.text(of: "out/b.csv") == "older")
    #expect(try replay("d.csv", "b.csv", "a.csv", "-o", "out").exitCode == 66)
  }

  @Test func summariesNameTheirTraces() throws {
    for name in ["a", "b"] { try folder.write(good, to: "\(name).csv") }
    let lines = try replay("b.csv", "a.csv", "-o", "out", "--summary", "--format", "ndjson")
      .errorLines
    #expect(lines.count == 26)
    #expect(lines.first == "file: b.csv" && lines[13] == "file: a.csv")
    #expect(try namesInFolder(folder("out")) == ["a.ndjson", "b.ndjson"])
  }

  /// Several threads write the same tables as one.
  @Test func manyTraces() throws {
    var names: [String] = []
    for index in 0..<40 {
      let rows = (0..<200).map { "\(Double($0) / 100),\(($0 * index) % 7),\($0 % 3)\n" }.joined()
      names.append("trace\(index).csv")
      try folder.write("t,x,y\n" + rows, to: "trace\(index).csv")
    }
    let result = try Program.parallax.run(
      ["replay"] + names + ["-o", "out"], folder: folder.path)
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try namesInFolder(folder("out")) == names.sorted())
    for name in [names[0], names[17], names[39]] {
      #expect(try folder.text(of: "out/\(name)") == replay(name).output)
    }
  }
}
