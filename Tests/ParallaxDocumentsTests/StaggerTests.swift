// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxDocuments
import ParallaxMotion
import Testing

/// One animation on several layers, each a little later than the one before.
@Suite struct StaggerTests {
  private func document(
    _ stagger: String,
    _ animation: String = #"{"fade": {"to": 0}, "duration": 1, "curve": "linear"}"#
  ) throws -> AnimationDocument {
    try read(#"{"parallax": 1, "stagger": \#(stagger), "animation": \#(animation)}"#)
  }

  @Test func everyLayerIsLaterThanTheOneBefore() throws {
    let document = try document(#"{"layers": ["a", "b", "c"], "delay": 0.5}"#)
    #expect(
      document.stagger == AnimationDocument.Stagger(layers: ["a", "b", "c"], delaySeconds: 0.5))
    let parts = document.parts
    #expect(parts.map(\.layer) == ["a", "b", "c"])
    for (place, part) in parts.enumerated() {
      let timeline = Timeline(part.animation)
      #expect(timeline.durationSeconds == 2)
      for quarter in 0...8 {
        let seconds = Double(quarter) / 4
        let opacity = 1 - min(max(seconds - Double(place) / 2, 0), 1)
        #expect(timeline.pose(at: seconds).opacity == opacity, "\(place) at \(seconds) s")
      }
    }
  }

  /// A card that is dealt later is not seen before.
  @Test func aLayerWaitsWhereItStarts() throws {
    let document = try document(
      #"{"layers": ["a", "b"], "delay": 0.5}"#,
      #"{"parallel": [{"fade": {"from": 0, "to": 1}, "duration": 1, "curve": "linear"}, {"move": {"by": [8, 0]}, "duration": 1, "curve": "linear"}]}"#
    )
    let timeline = Timeline(document.parts[1].animation)
    let rows: [(seconds: Double, opacity: Double, x: Double)] = [
      (0, 0, 0), (0.25, 0, 0), (0.5, 0, 0), (1, 0.5, 4), (1.5, 1, 8),
    ]
    for row in rows {
      let pose = timeline.pose(at: row.seconds, from: Pose(opacity: 0.7))
      #expect(pose.opacity == row.opacity && pose.offset.x == row.x, "\(row): \(pose)")
    }
  }

  /// The parts of the outermost sequence are reported as before.
  @Test func partsStayParts() throws {
    let document = try document(
      #"{"layers": ["a", "b"], "delay": 1}"#, #"{"sequence": [{"delay": 1}, {"delay": 2}]}"#)
    let timeline = Timeline(document.parts[0].animation)
    #expect(timeline.nextStepEnd(after: 0) == 1 && timeline.nextStepEnd(after: 1) == 3)
  }

  @Test func anEndlessAnimationHasNoPauseAfterIt() throws {
    let document = try document(
      #"{"layers": ["a", "b"], "delay": 1}"#, #"{"fade": {"to": 0}, "repeat": "forever"}"#)
    let last = Timeline(document.parts[1].animation)
    #expect(last.durationSeconds == .infinity && last.pose(at: 0.9).opacity == 1)
  }

  @Test func withoutItThereIsOnePart() throws {
    let parts = try read(#"{"parallax": 1, "layer": "a", "animation": {"delay": 1}}"#).parts
    #expect(parts.count == 1 && parts[0].layer == "a" && parts[0].animation == .delay(.seconds(1)))
  }

  @Test(arguments: [
    (#"{"layers": [], "delay": 1}"#, ".layers: expected 1 to 16 layers, got 0"),
    (#"{"layers": ["a"]}"#, #": "delay" is missing"#),
    (#"{"layers": ["a", "a"], "delay": 1}"#, #".layers[1]: the layer "a" is in the list twice"#),
    (#"{"layers": ["a", 2], "delay": 1}"#, ".layers[1]: expected a string, got a number"),
    (
      #"{"layers": ["a"], "delay": -1}"#, ".delay: expected a number from 0 to 86400 (s), got -1"
    ),
    (
      #"{"layers": ["a"], "dealy": 1}"#,
      #".dealy: unknown key; did you mean "delay"? allowed: "layers", "delay""#
    ),
    (#"["a"]"#, ": expected an object, got an array"),
  ])
  func errorsSayWhere(stagger: String, error: String) {
    #expect {
      _ = try document(stagger)
    } throws: {
      withoutPosition($0) == "test.json: $.stagger\(error)"
    }
  }

  @Test func limits() throws {
    let layers = (0..<17).map { "\"l\($0)\"" }
    func list(_ count: Int) -> String { layers.prefix(count).joined(separator: ",") }
    #expect(try document(#"{"layers": [\#(list(16))], "delay": 1}"#).parts.count == 16)
    #expect(throws: DocumentError.self) { try document(#"{"layers": [\#(list(17))], "delay": 1}"#) }
    let steps = Array(repeating: #"{"delay":1}"#, count: 4999).joined(separator: ",")
    #expect(
      try document(#"{"layers": ["a", "b"], "delay": 1}"#, #"{"sequence": [\#(steps)]}"#).parts
        .count == 2)
    #expect {
      _ = try document(#"{"layers": ["a", "b", "c"], "delay": 1}"#, #"{"sequence": [\#(steps)]}"#)
    } throws: {
      withoutPosition($0)
        == "test.json: $.stagger.layers: 3 layers with 5000 animations and keyframes each; "
        + "the limit is 10000 together"
    }
    #expect(throws: DocumentError.self) {
      try read(
        ##"{"parallax": 1, "layer": "a", "stagger": {"layers": ["b"], "delay": 1}, "animation": {"delay": 1}}"##
      )
    }
  }
}
