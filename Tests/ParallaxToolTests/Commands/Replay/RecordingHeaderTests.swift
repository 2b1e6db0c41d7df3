// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

/// The values in a recording's header apply unless an option overrides them.
@Suite("A recording's header")
struct RecordingHeaderTests {
  /// Turning about y at 0.4 rad/s, about x at 0.2; 5 px per rad/s, no smoothing.
  private static let rows = (0..<12).map { "\(Double($0) / 30),0.2,0.4,0.1\n" }.joined()

  struct Case: Sendable, CustomTestStringConvertible {
    var header = ""
    var options: [String] = []
    var x: Double
    var y: Double
    var testDescription: String {
      header.split(separator: "\n").joined(separator: " ") + " " + options.joined(separator: " ")
    }
  }

  @Test(arguments: [
    Case(x: 2, y: 1),
    Case(header: "# orientation: left-up\n", x: -1, y: 2),
    Case(
      header: "# orientation: left-up\n", options: ["--orientation", "bottom-up"], x: -2, y: -1),
    Case(header: "# mount-matrix: 0,1,0;-1,0,0;0,0,1\n", x: -1, y: 2),
    Case(
      header: "# mount-matrix: 0,1,0;-1,0,0;0,0,1\n",
      options: ["--mount-matrix", "1,0,0;0,1,0;0,0,1"], x: 2, y: 1),
    Case(header: "# bias: auto,0.1,0.2,0.3\n", x: 1, y: 0.5),
    Case(header: "# bias: auto,0.1,0.2,0.3\n", options: ["--bias", "auto"], x: 1, y: 0.5),
    Case(header: "# bias: auto,0.1,0.2,0.3\n", options: ["--bias", "off"], x: 2, y: 1),
    Case(header: "# bias: off,0,0,0\n", x: 2, y: 1),
    Case(header: "# bias: off,0,0,0\n", options: ["--bias", "auto"], x: 2, y: 1),
    // The bias is in the device's frame, after the matrix.
    Case(
      header: "# mount-matrix: 0,1,0;-1,0,0;0,0,1\n# bias: auto,0.1,0.1,0\n", x: -1.5, y: 1.5),
    Case(header: "# note: hello\n# device: lsm6ds3_gyro\n", x: 2, y: 1),
  ])
  func optionsOverrideTheHeader(_ given: Case) throws {
    let result = try Program.parallax.run(
      ["replay", "-", "--smoothing", "none"] + given.options,
      input: given.header + "t,x,y,z\n" + Self.rows)
    #expect(result.exitCode == 0, "\(result.errors)")
    let table = try numbers(in: result.output)
    #expect(table.count == 12)
    for row in table {
      #expect((row[1] - given.x).magnitude < 1e-6 && (row[2] - given.y).magnitude < 1e-6, "\(row)")
    }
  }

  /// 100 Hz that the header states as 30 pass through: one frame per sample instead of 30 per second.
  @Test func theStatedRateDecidesOnResampling() throws {
    let rows = "t,x,y,z\n" + (0..<100).map { "\(Double($0) / 100),0.2,0.4,0.1\n" }.joined()
    func frames(_ header: String, _ options: String...) throws -> Int {
      try numbers(
        in: Program.parallax.run(["replay", "-"] + options, input: header + rows).output
      ).count
    }
    #expect(try frames("") == 30)
    #expect(try frames("# rate: 30\n") == 100)
    #expect(try frames("# rate: 30\n", "--resample", "mean") == 30)
    #expect(try frames("# rate: 30\n", "--rate", "50") == 50)
    let summary = try Program.parallax.run(
      ["replay", "-", "--summary"], input: "# rate: 30.25\n" + rows)
    #expect(summary.errors.hasSuffix("rate: 30.25 Hz\n"), "\(summary.errors)")
  }
}
