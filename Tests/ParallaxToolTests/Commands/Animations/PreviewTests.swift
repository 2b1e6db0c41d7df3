// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

@Suite("parallax preview", .timeLimit(.minutes(10)))
struct PreviewTests {
  private func preview(
    _ document: String, _ options: String...
  ) throws -> ProgramResult {
    try Program.parallax.run(["preview", "-"] + options, input: Array(document.utf8))
  }

  private func native(_ animation: String) -> String {
    #"{"parallax": 1, "animation": \#(animation)}"#
  }

  /// A document, options, the number of frames.
  @Test(arguments: [
    (#"{"sequence": []}"#, [], 1),
    (#"{"delay": 1}"#, [], 31),
    (#"{"delay": 1}"#, ["--rate", "60"], 61),
    (#"{"delay": 1}"#, ["--rate", "0.5"], 2),
    // 0.1 + 0.2 is a little more than 0.3, but takes no extra frame.
    (#"{"sequence": [{"delay": 0.1}, {"delay": 0.2}]}"#, [], 10),
    (#"{"delay": 1}"#, ["--duration", "0.5"], 16),
    (#"{"repeat": "forever", "of": {"delay": 1}}"#, ["--duration", "2"], 61),
  ])
  func frameCounts(animation: String, options: [String], frames: Int) throws {
    let result = try Program.parallax.run(
      ["preview", "-"] + options, input: Array(native(animation).utf8))
    #expect(result.outputLines.count == 1 + frames)
    #expect(result.exitCode == 0)
  }

  @Test func opacityIsNotNegative() throws {
    let spring = #"{"fade": {"to": 0}, "curve": {"spring": {"response": 0.3, "damping": 0.2}}}"#
    let rows = try preview(native(spring)).outputLines.dropFirst()
    let opacities = rows.compactMap { $0.split(separator: ",").last.flatMap { Double($0) } }
    #expect(opacities.count == rows.count && opacities.min() == 0 && opacities.last == 0)
  }

  @Test func anEndlessAnimationIsPrintedFor10Seconds() throws {
    let result = try preview(
      native(#"{"repeat": "forever", "of": {"move": {"by": [1, 0]}, "duration": 1}}"#))
    #expect(result.outputLines.count == 1 + 301)
    #expect(
      result.errors
        == "parallax: standard input: plays forever; these are the first 10 s (--duration S for more)\n"
    )
  }

  @Test func tracksMatchTheGoldenTables()
    throws
  {
    for name in ["micro/micro_parent_chain", "micro/micro_spatial_arc", "spec_logo"] {
      let file = testDataPath("Lottie/samples/\(name).json")
      let result = try Program.parallax.run(["preview", file, "--tracks"])
      let base = name.split(separator: "/").last.map(String.init) ?? name
      let golden = try text(ofFile: testDataPath("Golden/lottie/\(base).csv"))
        .split(whereSeparator: \.isNewline).map(columns)
      let printed = result.outputLines.map { columns(Substring($0)) }
      #expect(printed.count == golden.count)
      #expect(printed.first == golden.first)
      for (row, expected) in zip(printed, golden).dropFirst() {
        let deviation =
          zip(row, expected)
          .map { ((Double($0) ?? .nan) - (Double($1) ?? .nan)).magnitude }.max() ?? .nan
        #expect(deviation <= 1e-4, "\(base): \(row) is not \(expected)")
      }
    }
  }

  /// Returns the columns that are compared: without the last two, which other implementations measure.
  private func columns(_ line: Substring) -> [String] {
    line.split(separator: ",", omittingEmptySubsequences: false).prefix(19).map(String.init)
  }

  @Test func tracksWithExpressionsAreLeftOutAndReported()
    throws
  {
    let file = testDataPath("Lottie/samples/lw_starfish.json")
    let result = try Program.parallax.run(["preview", file, "--tracks"])
    #expect(
      result.errorLines.first
        == #"parallax: \#(file): left out: layer "main": not among the tracks because of the expression of p (layers[3].ks.p.x)"#
    )
    #expect(result.exitCode == 0)
  }

  @Test func unsupportedFeaturesAreReported() throws {
    let file = testDataPath("Lottie/samples/ios_Switch.json")
    let result = try Program.parallax.run(["preview", file])
    #expect(
      result.errorLines.first
        == #"parallax: \#(file): plays layer "White BG Outlines" (layers[3])"#)
    #expect(
      result.errorLines.contains {
        $0.hasPrefix(
          #"parallax: \#(file): left out: the shapes of 5 layers: "Checkmark Outlines 2" (layers[0]), "#
        )
      })
    #expect(result.exitCode == 0)
  }

  @Test func layerSelectsTheLayerToFollow() throws {
    let file = testDataPath("Lottie/samples/micro/micro_parent_chain.json")
    let first = try Program.parallax.run(["preview", file])
    let named = try Program.parallax.run(["preview", file, "--layer", "L1"])
    #expect(first.output != named.output)
    #expect(named.exitCode == 0)
  }

  @Test func anEndlessInputIsNotReadToItsEnd() throws {
    let shell = Program(path: "/bin/sh")
    let result = try shell.run(
      ["-c", "yes | '\(Program.parallax.path)' preview -"], timeoutSeconds: 60)
    #expect(
      result.errors
        == "parallax: standard input: too large; the limit is 1048576 bytes\n")
    #expect(result.exitCode == 65)
  }

  // MARK: - The examples

  private static let examples = TestEnvironment.packageRoot + "/examples/animations"

  @Test func theExamplesAreThese() throws {
    #expect(
      try namesInFolder(Self.examples).sorted() == [
        "bounce.json", "breathe.json", "deal.json", "nudge.json", "pendulum.json", "shake.json",
        "signpost.json", "swing.json",
      ])
  }

  /// The example, its last row and the messages.
  @Test(arguments: [
    ("nudge", "0.000000,0.000000,0.000000,1.000000,1.000000", ""),
    (
      "swing", "2.000000000,0.000000,0.000000,0.000000,1.000000,1.000000",
      """
      plays layer "card" (layers[0])
      left out: the shapes of 1 layer: "card" (layers[0])
      """
    ),
    ("shake", "0.000000,0.000000,0.000000,1.000000,1.000000", ""),
    ("deal", "0.000000,0.000000,0.000000,1.000000,1.000000", ""),
    ("pendulum", "0.000000,0.000000,0.000000,1.000000,1.000000", ""),
    ("bounce", "10.000000000,", "plays forever; these are the first 10 s (--duration S for more)"),
    ("breathe", "10.000000000,", "plays forever; these are the first 10 s (--duration S for more)"),
  ])
  func theExamplesPlay(name: String, last: String, said: String) throws {
    let file = "\(Self.examples)/\(name).json"
    let result = try Program.parallax.run(["preview", file])
    #expect(result.exitCode == 0)
    #expect(result.outputLines.last?.contains(last) == true)
    let lines = said.split(separator: "\n").map { "parallax: \(file): \($0)" }
    #expect(result.errorLines.map(String.init) == lines)
  }
}
