// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxDocuments
import ParallaxTestSupport
import Testing

/// Documents with bytes changed, removed and repeated. Each is read or refused, and those that are
/// read have finite poses.
@Suite struct HostileDocumentTests {
  private static let examples = [
    "bounce", "breathe", "deal", "nudge", "pendulum", "shake", "signpost", "swing",
  ]

  /// All constructs.
  private static let seeds: [String] =
    (NativeDocumentTests.steps + NativeDocumentTests.compositions + NativeDocumentTests.keyframes)
    .map { #"{"parallax": 1, "animation": \#($0.json)}"# }
    + CurveTests.table.map {
      #"{"parallax": 1, "animation": {"fade": {"to": 0}, "curve": \#($0.json)}}"#
    }
    + examples.compactMap {
      try? text(ofFile: "\(TestEnvironment.packageRoot)/examples/animations/\($0).json")
    }

  /// Inserted text: the vocabulary of JSON and of documents.
  private static let pieces: [String] = [
    "{", "}", "[", "]", ",", ":", "\"", "-", "1e308", "-1e308", "0", "1e-308", "null", "true",
    "\"forever\"", "\"to\"", "\"by\"", "\"of\"", "\"repeat\": 1000000000, ", "\"speed\": 0.001, ",
    "\"speed\": 1000, ", "\"reverse\": true, ", "\"autoreverse\": true, ", "\"duration\": 0, ",
    "\"duration\": 86400, ", "\"curve\": \"spring\", ", "(", ")", "%",
  ]

  @Test func mutatedDocumentsHaveFinitePoses() throws {
    var generator = SeededGenerator.forTest()
    var played = 0
    for _ in 0..<20_000 {
      let seed = Self.seeds.randomElement(using: &generator) ?? ""
      let text = Self.mutated(Array(seed.utf8), using: &generator)
      guard let document = try? DocumentReader.read(text, name: "hostile.json") else { continue }
      played += 1
      let timeline = Timeline(document.animation)
      for _ in 0..<4 {
        let seconds = Double.random(in: -1...20, using: &generator)
        let pose = timeline.pose(at: seconds)
        let velocity = timeline.velocity(at: seconds)
        #expect(
          PoseChannel.allCases.allSatisfy { pose[$0].isFinite && velocity[$0].isFinite },
          "at \(seconds) s: \(String(decoding: text, as: UTF8.self)); \(generator.note)")
      }
    }
    // Enough documents are valid for the test to mean something.
    #expect(played > 1_000, "\(generator.note)")
  }

  private static func mutated(
    _ seed: [UInt8], using generator: inout SeededGenerator
  ) -> [UInt8] {
    var text = seed
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let place = Int.random(in: 0...text.count, using: &generator)
      let end = min(text.count, place + Int.random(in: 0...12, using: &generator))
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: text.removeSubrange(place..<end)
      case 1: text.insert(contentsOf: Array(text[place..<end]), at: place)
      case 2:
        text.insert(
          contentsOf: Array((pieces.randomElement(using: &generator) ?? "").utf8), at: place)
      case 3:
        if place < text.count { text[place] = UInt8.random(in: 0...255, using: &generator) }
      default:
        // Another number, or more digits.
        let digits = text.indices.filter { (0x30...0x39).contains(text[$0]) }
        guard let digit = digits.randomElement(using: &generator) else { continue }
        let count = Int.random(in: 1...7, using: &generator)
        text.replaceSubrange(
          digit...digit,
          with: (0..<count).map { _ in UInt8.random(in: 0x30...0x39, using: &generator) })
      }
    }
    return text
  }
}
