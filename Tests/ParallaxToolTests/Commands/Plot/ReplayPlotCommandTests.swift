// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

/// `parallax replay --plot`.
@Suite("Plots of replays", .timeLimit(.minutes(10)))
struct ReplayPlotCommandTests {
  private let folder: TemporaryFolder
  private let trace: String

  /// 4 s at 100 Hz.
  init() throws {
    folder = try TemporaryFolder()
    let rows = (0..<400).map {
      "\(Double($0) / 100),\(Double($0 % 40) / 40),\(Double($0 % 70) / 70 - 0.5),0.1\n"
    }
    trace = try folder.write("t,x,y,z\n" + rows.joined(), to: "walk.csv")
  }

  private func replay(_ options: String...) throws -> ProgramResult {
    try Program.parallax.run(["replay", trace] + options)
  }

  @Test func svgAndPngAreDrawnWithTheSameBytesAgain() throws {
    for name in ["plot.svg", "plot.PNG"] {
      var documents: [[UInt8]] = []
      for _ in 0..<2 {
        let result = try replay("--plot", folder.path + "/\(name)", "--plot-size", "640x480")
        #expect(result.exitCode == 0 && result.output.isEmpty && result.errors.isEmpty)
        documents.append(try contents(ofFile: folder.path + "/\(name)"))
      }
      #expect(documents[0] == documents[1])
      if name.hasSuffix("svg") {
        let text = String(decoding: documents[0], as: UTF8.self)
        #expect(text.contains("width=\"640px\" height=\"480px\""), "\(text.prefix(300))")
        #expect(text.hasSuffix("</svg>\n"))
      } else {
        #expect(documents[0].starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        // Width and height, big-endian.
        #expect(documents[0][16..<24] == [0, 0, 2, 128, 0, 0, 1, 224])
      }
    }
  }

  /// A page has the frames of the table, with or without a plot of the same replay, and marks where they begin
  /// after a gap.
  @Test func thePageHasTheFrames() throws {
    let rows = [0.0, 0.5, 1, 1.5, 9, 9.5, 10].map { "\($0),1,0.5\n" }.joined()
    let trace = try folder.write("t,x,y\n" + rows, to: "gap.csv")
    let options = ["replay", trace, "--rate", "2", "--from", "0.5"]
    let pages = try ["", "plot.svg"].map { plot in
      let path = folder.path + "/page.html"
      let drawing = plot.isEmpty ? [] : ["--plot", folder.path + "/" + plot]
      let result = try Program.parallax.run(options + ["--html", path] + drawing)
      #expect(result.exitCode == 0 && result.output.isEmpty, "\(result.errors)")
      return try text(ofFile: path)
    }
    #expect(pages[0] == pages[1])
    let table = try Program.parallax.run(options).outputLines.dropFirst().map {
      $0.split(separator: ",").compactMap { Double($0) }
    }
    let data = pages[0].split(separator: "id=\"data\">")[1].split(separator: "</script>")[0]
    let query =
      "(.times | map(tostring) | join(\" \")), (.starts | map(tostring) | join(\" \")), "
      + "(.channels[] | map(tostring) | join(\" \"))"
    let lines = try Program(path: "/usr/bin/jq").run(["-r", query], input: String(data))
      .outputLines.map { $0.split(separator: " ").compactMap { Double($0) } }
    #expect(lines[0] == table.map { $0[0] } && lines[0].contains(1.5) && lines[0].contains(9))
    #expect(lines[1] == [Double(lines[0].firstIndex(of: 9) ?? -1)])
    for (list, column) in zip(lines[2...], 1...2) {
      #expect(zip(list, table).allSatisfy { ($0 - $1[column]).magnitude <= 0.00006 })
    }
    #expect(lines.count == 4)
  }

  @Test func aPageOfTooManyFramesIsRefused() throws {
    let page = folder.path + "/page.html"
    let rows = (0...36_001).map { "\(Double($0) / 1000),1,2\n" }.joined()
    let long = try folder.write("t,x,y\n" + rows, to: "long.csv")
    let result = try Program.parallax.run(["replay", long, "--rate", "1000", "--html", page])
    #expect(result.exitCode == 64 && result.errors.contains("--html: a page has at most 36000"))
    let part = ["replay", long, "--rate", "1000", "--to", "35.999", "--html", page]
    #expect(try Program.parallax.run(part).exitCode == 0)
    let after = try Program.parallax.run(["replay", trace, "--from", "100", "--html", page])
    #expect(after.exitCode == 65 && after.errors.contains("no frame"), "\(after.errors)")
  }

  @Test func themesDiffer() throws {
    for theme in ["light", "dark", "auto"] {
      let result = try replay("--plot", "\(folder.path)/\(theme).svg", "--plot-theme", theme)
      #expect(result.exitCode == 0)
    }
    let light = try text(ofFile: folder.path + "/light.svg")
    #expect(try light != text(ofFile: folder.path + "/dark.svg"))
    #expect(try light == text(ofFile: folder.path + "/auto.svg"))
  }

  /// The table is the same as without a plot, and is written only if it is requested.
  @Test func theTableIsUnchanged() throws {
    let plain = try replay("--summary")
    let table = folder.path + "/table.csv"
    let plotted = try replay("--plot", folder.path + "/plot.svg", "-o", table, "--summary")
    #expect(try text(ofFile: table) == plain.output)
    #expect(plotted.errors == plain.errors)
  }

  @Test func theTraceAndOtherFilesAreSafe() throws {
    let link = folder.path + "/walk.svg"
    try #require(symlink(trace, link) == 0)
    let before = try text(ofFile: trace)
    let result = try replay("--plot", link)
    #expect(result.exitCode == 64 && result.errors.contains("into another one"), "\(result.errors)")
    #expect(try text(ofFile: trace) == before)
    // An invalid row: the plot that was there stays.
    let bad = try folder.write("t,x,y,z\n0,1,1,1\n0.1,a,1,1\n0.2,1,1,1\n", to: "bad.csv")
    let plot = try folder.write("before", to: "bad.svg")
    let failed = try Program.parallax.run(["replay", bad, "--plot", plot])
    #expect(failed.exitCode == 65)
    #expect(try text(ofFile: plot) == "before")
  }
}
