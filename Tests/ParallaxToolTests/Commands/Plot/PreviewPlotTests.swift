// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

/// `parallax preview --plot`, `--html` and `--watch`.
@Suite("Pictures of animations", .timeLimit(.minutes(10)))
struct PreviewPlotTests {
  private let folder: TemporaryFolder
  private let nudge = TestEnvironment.packageRoot + "/examples/animations/nudge.json"

  init() throws {
    folder = try TemporaryFolder()
  }

  private func preview(_ options: String...) throws -> ProgramResult {
    try Program.parallax.run(["preview"] + options)
  }

  @Test func animationsAreDrawn() throws {
    for name in ["plot.svg", "plot.png"] {
      let path = folder.path + "/\(name)"
      var documents: [[UInt8]] = []
      for _ in 0..<2 {
        let result = try preview(nudge, "--plot", path)
        #expect(result.exitCode == 0 && result.output.isEmpty, "\(result.errors)")
        documents.append(try contents(ofFile: path))
      }
      #expect(documents[0] == documents[1] && documents[0].count > 1000)
    }
    let text = try preview(nudge, "--plot", "-").output
    #expect(text.hasPrefix("nudge.json\n") && text.contains("Offset, px"), "\(text)")
  }

  /// The page has what the table prints, and nothing that a browser would load.
  @Test func thePageHasThePoses() throws {
    let path = folder.path + "/page.html"
    let document = try folder.write(try text(ofFile: nudge), to: "a<b&\".json")
    #expect(try preview(document, "--html", path, "--rate", "30").exitCode == 0)
    let page = try text(ofFile: path)
    #expect(page.contains("<h1>a&lt;b&amp;&quot;.json</h1>"))
    #expect(page.contains("default-src 'none'"))
    for part in ["http:", "https:", "url(", "@import", "src=\"", "href", "fetch"] {
      #expect(!page.contains(part), "\(part)")
    }
    for part in ["prefers-reduced-motion", "aria-label", "lang=\"en\"", "ArrowLeft"] {
      #expect(page.contains(part), "\(part)")
    }
    let table = try numbers(
      in: preview(nudge, "--rate", "30").output, columns: "t,x,y,rotation,scale,opacity")
    let lists = page.split(separator: "\"channels\":[")[1].split(separator: "]}")[0]
      .split(separator: "[").map { list in
        list.split { !"-.0123456789e".contains($0) }.compactMap { Double($0) }
      }
    #expect(lists.count == 5)
    for (channel, list) in lists.enumerated() {
      #expect(list.count == table.count)
      for (value, row) in zip(list, table) {
        #expect((value - row[channel + 1]).magnitude <= 0.00006)
      }
    }
  }

  /// A change in place, a replaced file, an error, a missing file: the watch goes on.
  @Test func aWatchFollowsTheDocument() throws {
    func document(_ x: Int) -> String {
      "{\"parallax\":1,\"animation\":{\"move\":{\"to\":[\(x),0]},\"duration\":0.1}}"
    }
    let path = try folder.write(document(1), to: "a.json")
    let running = try Program.parallax.start(["preview", path, "--watch", "--rate", "10"])
    func expect(x: Int) throws {
      while true {
        let line = try #require(try running.nextLine())
        if line.hasPrefix("0.100000000,\(x).000000,") { return }
      }
    }
    try expect(x: 1)
    try folder.write(document(2), to: "a.json")
    try expect(x: 2)
    try folder.write(document(3), to: "other.json")
    #expect(rename(folder.path + "/other.json", path) == 0)
    try expect(x: 3)
    try folder.write("{", to: "a.json")
    unlink(path)
    try folder.write(document(4), to: "a.json")
    try expect(x: 4)
    running.send(signal: SIGINT)
    #expect(try running.finish().exitCode == 0)
  }
}
