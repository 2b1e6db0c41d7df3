// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxDocuments
import ParallaxMotion
import Testing

/// The text of an animation and its value.
struct Construct: Sendable, CustomTestStringConvertible {
  let json: String
  let animation: Animation

  init(_ json: String, _ animation: Animation) {
    self.json = json
    self.animation = animation
  }

  var testDescription: String { json }
}

private let right = Animation.move(by: PixelOffset(x: 12, y: 0))
private let fade = Animation.fade(to: 0.2)

@Suite struct NativeDocumentTests {
  static let steps = [
    Construct(#"{"move": {"by": [12, 0]}}"#, right),
    Construct(#"{"move": {"to": [-1.5, 4]}}"#, .move(to: PixelOffset(x: -1.5, y: 4))),
    Construct(#"{"rotate": {"by": 180}}"#, .rotate(by: 180)),
    Construct(#"{"rotate": {"to": -90}}"#, .rotate(to: -90)),
    Construct(#"{"scale": {"by": 1.5}}"#, .scale(by: 1.5)),
    Construct(#"{"scale": {"to": 0}}"#, .scale(to: 0)),
    Construct(#"{"fade": {"to": 0.2}}"#, fade),
    Construct(#"{"fade": {"to": 0.2}, "duration": 0.3}"#, .fade(to: 0.2, duration: .seconds(0.3))),
    Construct(
      #"{"fade": {"to": 0.2}, "duration": 1, "curve": "ease-out"}"#,
      .fade(to: 0.2, duration: .seconds(1), curve: .easeOut)),
    Construct(#"{"delay": 0.05}"#, .delay(.seconds(0.05))),
  ]

  static let compositions = [
    Construct(#"{"sequence": []}"#, .sequence([])),
    Construct(
      #"{"sequence": [{"delay": 1}, {"fade": {"to": 0.2}}]}"#,
      .sequence([.delay(.seconds(1)), fade])),
    Construct(
      #"{"parallel": [{"delay": 1}, {"fade": {"to": 0.2}}]}"#,
      .parallel([.delay(.seconds(1)), fade])),
    Construct(#"{"repeat": 5, "of": {"fade": {"to": 0.2}}}"#, fade.repeated(5)),
    Construct(#"{"repeat": "forever", "of": {"fade": {"to": 0.2}}}"#, fade.repeatedForever()),
    Construct(#"{"fade": {"to": 0.2}, "repeat": 0}"#, fade.repeated(0)),
    Construct(#"{"reverse": {"fade": {"to": 0.2}}}"#, fade.reversed()),
    Construct(#"{"reverse": true, "of": {"fade": {"to": 0.2}}}"#, fade.reversed()),
    Construct(#"{"fade": {"to": 0.2}, "reverse": true}"#, fade.reversed()),
    Construct(#"{"autoreverse": {"fade": {"to": 0.2}}}"#, fade.autoreversed()),
    Construct(#"{"fade": {"to": 0.2}, "autoreverse": true}"#, fade.autoreversed()),
    Construct(#"{"fade": {"to": 0.2}, "autoreverse": false, "reverse": false}"#, fade),
    Construct(#"{"speed": 2, "of": {"fade": {"to": 0.2}}}"#, fade.speed(2)),
    Construct(
      #"{"sequence": [{"fade": {"to": 0.2}}], "speed": 0.5}"#,
      .speed(.sequence([fade]), factor: 0.5)),
    // From the inside out: speed, reverse, autoreverse, repeat.
    Construct(
      #"{"repeat": 3, "autoreverse": true, "reverse": true, "speed": 2, "of": {"fade": {"to": 0.2}}}"#,
      fade.speed(2).reversed().autoreversed().repeated(3)),
    Construct(
      #"{"repeat": 2, "of": {"repeat": 3, "of": {"fade": {"to": 0.2}}}}"#,
      fade.repeated(3).repeated(2)),
  ]

  static let keyframes = [
    Construct(
      #"{"keyframes": [{"at": 0, "move": [0, 0], "fade": 1}, {"at": 0.5, "rotate": 90, "scale": 2, "curve": "ease-in"}], "duration": 2}"#,
      .keyframes(
        Keyframes(
          [
            .init(share: 0, pose: Pose(), channels: [.offset, .opacity]),
            .init(
              share: 0.5, pose: Pose(rotationDegrees: 90, scale: 2), channels: [.rotation, .scale],
              curve: .easeIn),
          ], durationSeconds: 2))),
    // A default curve for the keyframes; the default duration of a step.
    Construct(
      #"{"keyframes": [{"at": 1, "fade": 0}], "curve": "ease"}"#,
      .keyframes(
        Keyframes(
          [.init(share: 1, pose: Pose(opacity: 0), channels: .opacity, curve: .ease)],
          durationSeconds: 0.25))),
    Construct(#"{"keyframes": []}"#, .keyframes(Keyframes([], durationSeconds: 0.25))),
  ]

  @Test(arguments: steps + compositions + keyframes)
  func constructsAreRead(_ construct: Construct) throws {
    let document = try read(#"{"parallax": 1, "animation": \#(construct.json)}"#)
    #expect(document == AnimationDocument(animation: construct.animation))
  }

  @Test func completeDocument() throws {
    let document = try read(
      """
      {"parallax": 1, "id": "nudge", "reduced-motion": "none", "layer": "card",
       "animation": {"sequence": [
          {"move": {"by": [12, 0]}, "duration": 0.1, "curve": "ease-out"},
          {"delay": 0.05},
          {"parallel": [{"rotate": {"by": 180}, "duration": 0.5}, {"fade": {"to": 0.2}, "duration": 0.3}]},
          {"repeat": 5, "of": {"move": {"by": [0, 4]}, "duration": 0.2, "autoreverse": true, "curve": {"spring": {"response": 0.3, "damping": 0.6}}}}
       ]}}
      """)
    let bounce = Animation.move(
      by: PixelOffset(x: 0, y: 4), duration: .seconds(0.2),
      curve: .spring(response: .seconds(0.3), damping: 0.6))
    #expect(
      document
        == AnimationDocument(
          id: "nudge", layer: "card",
          animation: .sequence([
            .move(by: PixelOffset(x: 12, y: 0), duration: .seconds(0.1), curve: .easeOut),
            .delay(.seconds(0.05)),
            .parallel([
              .rotate(by: 180, duration: .seconds(0.5)), .fade(to: 0.2, duration: .seconds(0.3)),
            ]),
            bounce.autoreversed().repeated(5),
          ])))
    #expect(
      abs(Timeline(document.animation).durationSeconds - (0.1 + 0.05 + 0.5 + 5 * 0.4)) < 1e-12)
  }

  @Test(arguments: [
    (#""none""#, AnimationDocument.ReducedMotion.none),
    (#""still-1.b_c""#, .document(id: "still-1.b_c")),
    (#"{"fade": {"to": 0.2}}"#, .animation(fade)),
  ])
  func reducedMotionIsRead(
    json: String, expected: AnimationDocument.ReducedMotion
  ) throws {
    let document = try read(
      #"{"parallax": 1, "reduced-motion": \#(json), "animation": {"delay": 1}}"#)
    #expect(document.reducedMotion == expected)
  }

  @Test func byteOrderMarkIsIgnored() throws {
    let text = Array("\u{FEFF}{\"parallax\": 1, \"animation\": {\"delay\": 1}}\n".utf8)
    #expect(try DocumentReader.read(text, name: "bom.json").animation == .delay(.seconds(1)))
  }
}

func read(_ text: String) throws(DocumentError) -> AnimationDocument {
  try DocumentReader.read(Array(text.utf8), name: "test.json")
}

/// Returns the message of an error without line and column of its path, which depend on more than the test
/// is about.
func withoutPosition(_ error: any Error) -> String {
  guard let error = error as? DocumentError, error.place.hasPrefix("$") else { return "\(error)" }
  return "\(error.name): \(error.place): \(error.message)"
}
