// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import ParallaxProtocol
import ParallaxTestSupport
import Testing

@testable import ParallaxClient

/// The table that clients in any language are tested with: Tests/Conformance/offset-at.jsonl, which
/// make_offsets.py writes.
@Suite struct OffsetTableTests {
  struct Row: Decodable, CustomTestStringConvertible, Sendable {
    var name: String
    /// Seconds.
    var at: [Double]
    var ahead: Double?
    var x: [Double]
    var y: [Double]
    var bg: [[Double]]?
    /// Of animations; nil where none drives it.
    var rotation: [Double?]?
    var scale: [Double?]?
    var opacity: [Double?]?
    var scaleY: [Double?]?
    var testDescription: String { name }

    enum CodingKeys: String, CodingKey {
      case name, at, ahead, x, y, bg, rotation, scale, opacity
      case scaleY = "scale_y"
    }
  }

  static let rows: [(row: Row, messages: [StreamMessage])] = {
    let path = TestEnvironment.packageRoot + "/Tests/Conformance/offset-at.jsonl"
    guard let table = try? text(ofFile: path) else { return [] }
    let lines = table.split(separator: "\n")
    return lines.compactMap { line -> (row: Row, messages: [StreamMessage])? in
      guard let row = try? JSONDecoder().decode(Row.self, from: Data(line.utf8)) else { return nil }
      // The lines as they arrive: the objects between the brackets of `lines`.
      let begin = line.firstRange(of: "\"lines\":[")?.upperBound ?? line.startIndex
      let end = line.firstRange(of: "],\"at\":")?.lowerBound ?? line.startIndex
      let messages = line[begin..<end].replacing("},{\"class\"", with: "}\n{\"class\"")
        .split(separator: "\n").compactMap { StreamMessage(line: ArraySlice($0.utf8)) }
      return (row, messages)
    }
  }()

  @Test func everyRowIsRead() {
    #expect(Self.rows.count == 90)
    #expect(Self.rows.reduce(0) { $0 + $1.messages.count } > 300)
  }

  @Test(arguments: rows.map(\.row.name)) func theOffsetIsThatOfTheTable(_ name: String) throws {
    let (row, messages) = try #require(Self.rows.first { $0.row.name == name })
    var timeline = OffsetTimeline()
    for message in messages { timeline.add(message) }
    let ahead = Duration.nanoseconds(Int64(((row.ahead ?? 0) * 1e9).rounded()))
    for (index, seconds) in row.at.enumerated() {
      let instant = MotionInstant(nanoseconds: Int64((seconds * 1e9).rounded()))
      let offset = try #require(timeline.offset(at: instant, ahead: ahead))
      #expect((offset.x - row.x[index]).magnitude < 1e-6, "x at \(seconds): \(offset.x)")
      #expect((offset.y - row.y[index]).magnitude < 1e-6, "y at \(seconds): \(offset.y)")
      for (value, expected) in [
        (offset.rotation, row.rotation?[index]), (offset.scale, row.scale?[index]),
        (offset.scaleY, row.scaleY?[index]),
        (offset.opacity, row.opacity?[index]),
      ] {
        #expect((value == nil) == (expected == nil), "a pose at \(seconds)")
        #expect(((value ?? 0) - (expected ?? 0)).magnitude < 1e-6, "a pose at \(seconds)")
      }
      guard let bg = row.bg?[index] else { continue }
      let layer = try #require(offset.layer("bg"))
      #expect((layer.x - bg[0]).magnitude < 1e-6, "bg x at \(seconds): \(layer.x)")
      #expect((layer.y - bg[1]).magnitude < 1e-6, "bg y at \(seconds): \(layer.y)")
    }
  }
}
