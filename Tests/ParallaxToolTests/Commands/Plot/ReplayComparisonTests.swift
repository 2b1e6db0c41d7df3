// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

/// `parallax replay --compare`.
@Suite("Comparisons of smoothings", .timeLimit(.minutes(10)))
struct ReplayComparisonTests {
  private let folder: TemporaryFolder
  private let trace: String

  /// 8 s at 100 Hz: still for 3 s, then a turn back and forth.
  init() throws {
    folder = try TemporaryFolder()
    let rows = (0..<800).map { index in
      let rate = index < 300 ? Double(index * 7 % 5) / 5000 : Double((index - 300) % 100) / 100
      return "\(Double(index) / 100),\(rate),\(-rate),0.1\n"
    }
    trace = try folder.write("t,x,y,z\n" + rows.joined(), to: "walk.csv")
  }

  private func run(_ command: String, _ options: [String]) throws -> ProgramResult {
    try Program.parallax.run([command, trace] + options)
  }

  /// The figures are those of `parallax feel`, whose formulas tests hold against a measure in Python.
  @Test func figuresAreThoseOfFeel() throws {
    let specs = ["--compare", "auto", "none", "ema:0.1"]
    func rows(_ command: String, columns: [Int]) throws -> [[Substring]] {
      let result = try run(command, specs)
      #expect(result.exitCode == 0, "\(result.errors)")
      return result.output.split(separator: "\n").drop { !$0.hasPrefix("auto") }.prefix(3)
        .map { line in
          let words = line.split(separator: " ")
          return columns.compactMap { $0 < words.count ? words[$0] : nil }
        }
    }
    let compared = try rows("replay", columns: [0, 1, 2, 3, 4])
    #expect(compared.count == 3 && compared.allSatisfy { $0.count == 5 })
    // smoothing, lag, slow, err, p99, judder, tremor, rest, step
    #expect(try compared == rows("feel", columns: [0, 1, 2, 7, 8]))
  }

  @Test func curvesAreDrawnWithTheTable() throws {
    let plot = folder.path + "/plot.svg"
    let plain = try run("replay", ["--compare", "none", "ema:0.1"])
    let drawn = try run("replay", ["--compare", "none", "ema:0.1", "--plot", plot])
    #expect(drawn.exitCode == 0 && drawn.output == plain.output, "\(drawn.errors)")
    #expect(try text(ofFile: plot).hasSuffix("</svg>\n"))
    let shown = try run("replay", ["--compare", "none", "ema:0.1", "--plot", "-"])
    #expect(shown.output.contains("Offset x, px") && shown.output.hasSuffix(plain.output))
  }
}
