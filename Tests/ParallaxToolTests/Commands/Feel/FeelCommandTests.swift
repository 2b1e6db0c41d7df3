// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

@Suite("parallax feel")
struct FeelCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Writes a recording at 100 Hz: it moves until `restFrom`, then lies still.
  private func trace(
    seconds: Double = 8, restFrom: Double = 5, hasZ: Bool = true
  ) throws -> String {
    var lines = [hasZ ? "t,x,y,z" : "t,x,y"]
    for index in 0..<Int(seconds * 100) {
      let t = Double(index) / 100
      let (x, y) = t < restFrom ? (0.6 * sin(4 * t), 0.5 * sin(3 * t)) : (0.001, 0)
      lines.append("\(t),\(x),\(y)" + (hasZ ? ",0" : ""))
    }
    return try folder.write(lines.joined(separator: "\n") + "\n", to: "trace.csv")
  }

  @Test func everyFigureHasAValueAndItsMeaning() throws {
    let result = try Program.parallax.run(["feel", try trace(), "--smoothing", "ema:0.1"])
    #expect(result.exitCode == 0)
    #expect(result.errors == "")
    #expect(result.output.contains("8.0 s, 100.0 samples a second, 3.0 s of it at rest"))
    #expect(result.output.contains("smoothing ema:0.1"))
    let rows = result.outputLines.dropFirst(3)
    #expect(rows.count == 13)
    for row in rows { #expect(!row.contains(" - "), "\(row)") }
  }

  @Test func comparisonsHaveOneRowEach() throws {
    let result = try Program.parallax.run([
      "feel", try trace(), "--mode", "tilt", "--compare", "none", "ema:0.1", "spring:0.4",
    ])
    #expect(result.exitCode == 0)
    let rows = result.outputLines.dropFirst(4).map { $0.split(separator: " ") }
    #expect(rows.map { $0.first } == ["none", "ema:0.1", "spring:0.4,1"])
    for row in rows { #expect(row.count == 16) }
  }

  @Test func jsonHasAnObjectPerSmoothing() throws {
    let result = try Program.parallax.run([
      "feel", try trace(restFrom: 100), "--format", "json", "--compare", "none", "ema:0.1",
    ])
    let query = "[.smoothing, (.lag | type), (.rest | type), (.over | type)] | join(\" \")"
    let parsed = try Program(path: "/usr/bin/jq").run(["-r", query], input: result.output)
    #expect(parsed.output == "none number null number\nema:0.1 number null number\n")
  }

  /// A client with a tolerance gets as many frames as it needs, another one each frame; a picture that is drawn ahead
  /// is later.
  @Test func theClientIsAnOption() throws {
    func figures(_ options: [String]) throws -> (frames: Double, lag: Double) {
      let result = try Program.parallax.run(["feel", try trace(), "--format", "json"] + options)
      #expect(result.exitCode == 0, "\(result.errors)")
      let query = "[.frames, .lag] | map(tostring) | join(\" \")"
      let parsed = try Program(path: "/usr/bin/jq").run(["-r", query], input: result.output)
      let numbers = parsed.output.split { " \n".contains($0) }.compactMap { Double($0) }
      try #require(numbers.count == 2)
      return (numbers[0], numbers[1])
    }
    let standard = try figures([])
    let plain = try figures(["--on-change", "off"])
    let coarse = try figures(["--on-change", "0.5"])
    #expect((plain.frames - 30).magnitude < 0.1 && plain.lag > standard.lag + 5)
    #expect(coarse.frames < standard.frames && standard.frames < 60.1)
    #expect(try figures(["--ahead", "8.3333333"]) == standard)
    #expect(try figures(["--ahead", "0"]).lag < standard.lag)
    #expect(try figures(["--ahead", "33"]).lag > standard.lag)
    // Its own delay, and the smoothed slope.
    let delayed = try figures(["--sensor-delay", "10"]).lag - standard.lag
    #expect((8...16).contains(delayed), "\(delayed)")
    #expect(try figures(["--on-change", "off", "--lose", "3"]).frames < 20.5)
    for (option, allowed) in [
      ("--ahead", "0 to 100 ms"), ("--on-change", "off or 0 to 1000 px"), ("--lose", "2 to 1000"),
    ] {
      let wrong = try Program.parallax.run(["feel", try trace(), option, "-1"])
      #expect(wrong.exitCode == 64)
      #expect(wrong.errors == "parallax: \(option): invalid value '-1'; use \(allowed)\n")
    }
  }

  @Test func missingFiguresSayWhy() throws {
    let moving = try Program.parallax.run(["feel", try trace(restFrom: 100)])
    #expect(moving.exitCode == 0)
    #expect(moving.output.contains("no rest of 1.5 s in this recording"))
    let still = try Program.parallax.run(["feel", try trace(restFrom: 0)])
    #expect(still.exitCode == 0)
    #expect(still.output.contains("no motion in this recording"))
    let table = try Program.parallax.run(["feel", try trace(restFrom: 0), "--compare", "none"])
    #expect(table.output.hasSuffix("-: no motion in this recording\n"))
  }

  @Test func rateModeNeedsNoZ() throws {
    let path = try trace(hasZ: false)
    let result = try Program.parallax.run(["feel", path])
    #expect(result.exitCode == 0)
    #expect(
      result.errors == "parallax: \(path): no column with z rates: rotation about z counts as 0\n")
  }

  @Test func picturesAreWritten() throws {
    let file = folder("pictures.csv")
    let result = try Program.parallax.run(["feel", try trace(), "--pictures", file])
    #expect(result.exitCode == 0)
    let lines = try Program(path: "/bin/cat").run([file]).outputLines
    #expect(lines.first == "t,x,y,ideal-x,ideal-y")
    // 8 s without the first second and the last 0.3 s, at 119.88 Hz.
    #expect((800...804).contains(lines.count - 1))
    for line in lines { #expect(line.split(separator: ",").count == 5) }
    let nowhere = try Program.parallax.run([
      "feel", try trace(), "--pictures", folder("no/such/folder.csv"),
    ])
    #expect(nowhere.exitCode == 73)
  }

  /// The pictures of a part are those of the whole recording, since the filters have the same past.
  @Test func aPartIsMeasured() throws {
    func pictures(_ options: String...) throws -> [String] {
      let file = folder("pictures.csv")
      let result = try Program.parallax.run(["feel", try trace(), "--pictures", file] + options)
      #expect(result.exitCode == 0, "\(result.errors)")
      return try Program(path: "/bin/cat").run([file]).outputLines.dropFirst().map(String.init)
    }
    let all = try pictures()
    let part = try pictures("--from", "2", "--to", "4.5")
    let wanted = all.filter { line in
      (2...4.5).contains(Double(line.prefix { $0 != "," }) ?? 0)
    }
    #expect(part == wanted && (298...301).contains(part.count))
    let result = try Program.parallax.run(["feel", try trace(), "--from", "2", "--to", "4.5"])
    #expect(result.output.contains("from 2 s to 4.5 s: 2.5 s, 100.0 samples a second, no rest\n"))
    #expect(result.output.contains("no rest of 1.5 s in this part"))
    // The rest alone has no motion.
    let rest = try Program.parallax.run(["feel", try trace(), "--from", "5.5"])
    #expect(
      rest.output.contains("from 5.5 s: 2.5 s") && rest.output.contains("2.5 s of it at rest"))
    #expect(rest.output.contains("no motion in this part"))
  }

  @Test func aPartWithoutPicturesIsRefused() throws {
    for command in [["feel"], ["replay", "--compare", "none"]] {
      let result = try Program.parallax.run(
        command.prefix(1) + [try trace(), "--from", "7.8"] + command.dropFirst())
      #expect(result.exitCode == 65 && result.output.isEmpty)
      #expect(
        result.errors.contains("nothing to measure in this part: the recording ends at 7.99 s"),
        "\(result.errors)")
    }
  }

  @Test func picturesAreDrawnOverTheIdeal() throws {
    let one = try Program.parallax.run(["feel", try trace(), "--plot", "-", "--from", "2"])
    #expect(one.exitCode == 0)
    for text in ["Offset x (right), px", "shown", "ideal", "Error: shown less ideal, px"] {
      #expect(one.output.contains(text), "\(text)")
    }
    let file = folder("feel.svg")
    let several = try Program.parallax.run([
      "feel", try trace(), "--compare", "none", "ema:0.1", "--plot", file,
    ])
    #expect(several.exitCode == 0 && several.output.contains("ema:0.1"))
    let drawing = try Program(path: "/bin/cat").run([file]).output
    #expect(drawing.hasPrefix("<?xml") && drawing.count > 10_000)
    let many = try Program.parallax.run(
      ["feel", try trace(), "--plot", file, "--compare"] + Array(repeating: "none", count: 7))
    #expect(many.exitCode == 64 && many.errors.contains("a plot has at most 6 smoothings"))
    let same = try Program.parallax.run([
      "feel", try trace(), "--plot", folder("a.svg"), "--pictures", folder("a.svg"),
    ])
    #expect(same.exitCode == 64 && same.errors.contains("draw into another one"))
  }

  @Test func standardInputIsRead() throws {
    let bytes = try Program(path: "/bin/cat").run([try trace()]).output
    let result = try Program.parallax.run(["feel", "-"], input: bytes)
    #expect(result.exitCode == 0)
    #expect(result.output.hasPrefix("standard input: "))
  }
}
