// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxDocuments
import ParallaxMotion
import Testing

/// Percentages, `from`, `loop` and the presets of springs: what each one means in the terms of others.
@Suite struct DesignFeatureTests {
  static let constructs = [
    Construct(
      #"{"keyframes": [{"at": "0%", "fade": 0}, {"at": "62.5%", "fade": 1}], "duration": 1}"#,
      .keyframes(
        Keyframes(
          [
            .init(share: 0, pose: Pose(opacity: 0), channels: .opacity),
            .init(share: 0.625, pose: Pose(opacity: 1), channels: .opacity),
          ], durationSeconds: 1))),
    Construct(
      #"{"move": {"from": [0, -20], "to": [4, 0]}, "duration": 0.5, "curve": "ease-out"}"#,
      .move(
        from: PixelOffset(x: 0, y: -20), to: PixelOffset(x: 4, y: 0), duration: .seconds(0.5),
        curve: .easeOut)),
    Construct(
      #"{"move": {"from": [1, 2], "by": [3, 4]}}"#,
      .move(from: PixelOffset(x: 1, y: 2), to: PixelOffset(x: 4, y: 6))),
    Construct(#"{"rotate": {"from": -90, "by": 30}}"#, .rotate(from: -90, to: -60)),
    Construct(#"{"scale": {"from": 2, "by": 0.25}}"#, .scale(from: 2, to: 0.5)),
    Construct(#"{"fade": {"from": 0, "to": 1}}"#, .fade(from: 0, to: 1)),
    Construct(
      #"{"rotate": {"by": 30, "anchor": [0, -40]}, "duration": 2}"#,
      .rotate(by: 30, about: PixelOffset(x: 0, y: -40), duration: .seconds(2))),
    Construct(
      #"{"rotate": {"anchor": [5, 6], "to": 30}}"#,
      .rotate(to: 30, about: PixelOffset(x: 5, y: 6))),
    Construct(#"{"scale": {"to": [1.2, 0.8]}}"#, .scale(toX: 1.2, y: 0.8)),
    Construct(#"{"scale": {"by": [2, 0.5]}}"#, .scale(byX: 2, y: 0.5)),
    Construct(#"{"scale": {"by": [2, 2]}}"#, .scale(by: 2)),
    Construct(
      #"{"keyframes": [{"at": 1, "scale": [2, 3]}], "duration": 1}"#,
      .keyframes(
        Keyframes(
          [.init(share: 1, pose: Pose(scale: 2, scaleY: 3), channels: .scale)],
          durationSeconds: 1))),
    // A spring takes as long as it needs.
    Construct(
      #"{"fade": {"from": 0, "to": 1}, "curve": "smooth"}"#,
      .keyframes(
        Keyframes(
          [
            .init(share: 0, pose: Pose(opacity: 0), channels: .opacity),
            .init(share: 1, pose: Pose(opacity: 1), channels: .opacity, curve: .smooth),
          ], durationSeconds: Curve.smooth.naturalSeconds(for: .fadeTo(1))))),
    Construct(
      #"{"fade": {"to": 0}, "loop": {"count": 3, "pause": 0.5}}"#,
      .sequence([
        .sequence([.fade(to: 0), .delay(.seconds(0.5))]).repeated(2), .fade(to: 0),
      ])),
    Construct(
      #"{"of": {"fade": {"to": 0}}, "loop": {"pause": 0.5}}"#,
      Animation.sequence([.fade(to: 0), .delay(.seconds(0.5))]).repeatedForever()),
    Construct(
      #"{"delay": 1, "loop": {"count": 1, "pause": 2}}"#, Animation.delay(.seconds(1)).repeated(1)),
    Construct(
      #"{"delay": 1, "loop": {"count": 0, "pause": 2}}"#, Animation.delay(.seconds(1)).repeated(0)),
    // The pause is outside of the other modifiers.
    Construct(
      #"{"delay": 1, "speed": 2, "autoreverse": true, "loop": {"pause": 1}}"#,
      Animation.sequence([
        Animation.delay(.seconds(1)).speed(2).autoreversed(), .delay(.seconds(1)),
      ])
      .repeatedForever()),
  ]

  @Test(arguments: constructs)
  func constructsAreRead(_ construct: Construct) throws {
    let document = try read(#"{"parallax": 1, "animation": \#(construct.json)}"#)
    #expect(document == AnimationDocument(animation: construct.animation))
  }

  /// Apple: a duration of 0.5 s and a bounce of 0, 0.15 and 0.3; the bounce is 1 - damping.
  @Test(arguments: [("smooth", 1.0), ("snappy", 0.85), ("bouncy", 0.7)])
  func presetsAreThoseOfSwiftUI(name: String, damping: Double) throws {
    let document = try read(
      #"{"parallax": 1, "animation": {"fade": {"to": 0}, "curve": "\#(name)"}}"#)
    #expect(
      document.animation == .fade(to: 0, curve: .spring(response: .seconds(0.5), damping: damping)))
  }

  /// Three passes of 1 s with two pauses of 0.5 s: time and fade.
  @Test func aLoopPausesBetweenItsPasses() throws {
    let timeline = Timeline(
      try read(
        #"{"parallax": 1, "animation": {"fade": {"from": 1, "to": 0}, "duration": 1, "curve": "linear", "loop": {"count": 3, "pause": 0.5}}}"#
      ).animation)
    #expect(timeline.durationSeconds == 4)
    let rows: [(seconds: Double, opacity: Double)] = [
      (0, 1), (0.25, 0.75), (1, 0), (1.25, 0), (1.5, 1), (1.75, 0.75), (2.5, 0), (2.99, 0),
      (3, 1), (3.5, 0.5), (4, 0),
    ]
    for row in rows {
      #expect(
        abs(timeline.pose(at: row.seconds).opacity - row.opacity) < 1e-12, "\(row.seconds) s")
    }
  }

  /// A loop with an end contains its subject twice; nested ones reach the limit and are refused.
  @Test func nestedLoopsAreBounded() throws {
    func nested(_ depth: Int) -> String {
      #"{"parallax": 1, "animation": "# + String(repeating: #"{"of": "#, count: depth)
        + #"{"delay": 1}"#
        + String(repeating: #", "loop": {"count": 2, "pause": 1}}"#, count: depth) + "}"
    }
    #expect(try Timeline(read(nested(11)).animation).durationSeconds == 2048 + 2047)
    #expect {
      _ = try read(nested(60))
    } throws: {
      "\($0)".hasSuffix("too many animations and keyframes; the limit is 10000")
    }
  }

  static let errors: [(json: String, error: String)] = [
    (
      #"{"keyframes": [{"at": "60", "fade": 0}]}"#,
      #".keyframes[0].at: expected a percentage from "0%" to "100%" or a number from 0 to 1, got "60""#
    ),
    (
      #"{"keyframes": [{"at": "101%", "fade": 0}]}"#,
      #".keyframes[0].at: expected a percentage from "0%" to "100%" or a number from 0 to 1, got "101%""#
    ),
    (#"{"move": {"from": [0, 0]}}"#, #".move: "from" alone; add "by" or "to""#),
    (#"{"fade": {"from": 0}}"#, #".fade: "from" alone; add "to""#),
    (
      #"{"rotate": {"from": 0, "by": 1, "to": 2}}"#,
      #".rotate: both "by" and "to"; use one of them"#
    ),
    (
      #"{"fade": {"from": 2, "to": 1}}"#, ".fade.from: expected a number from 0 to 1, got 2"
    ),
    (#"{"rotate": {"anchor": [0, 1]}}"#, #".rotate: expected "by" or "to""#),
    (
      #"{"rotate": {"from": 1, "by": 3, "anchor": [0, 1]}}"#,
      #".rotate.anchor: unknown key; allowed: "from", "by", "to""#
    ),
    (#"{"rotate": {"by": 3, "anchor": 4}}"#, ".rotate.anchor: expected [x, y] in px, got 4"),
    (
      #"{"move": {"by": [1, 2], "anchor": [0, 1]}}"#,
      #".move.anchor: unknown key; allowed: "by", "to""#
    ),
    (#"{"scale": {"to": [1]}}"#, ".scale.to: expected a number or [x, y], got 1 value"),
    (
      #"{"scale": {"to": [1, 2000]}}"#,
      ".scale.to[1]: expected a number from -1000 to 1000, got 2000"
    ),
    (
      #"{"delay": 1, "loop": 3}"#,
      #".loop: expected {"count": 3, "pause": 0.5}, got 3; without a pause, use "repeat""#
    ),
    (#"{"delay": 1, "loop": {"count": 3}}"#, #".loop: "pause" is missing"#),
    (
      #"{"delay": 1, "loop": {"pause": 1}, "repeat": 2}"#,
      #".loop: both "loop" and "repeat"; use one of them"#
    ),
    (
      #"{"delay": 1, "loop": {"count": -1, "pause": 1}}"#,
      #".loop.count: expected a whole number from 0 to 1000000000, or "forever", got -1"#
    ),
    (
      #"{"delay": 1, "loop": {"cuont": 1, "pause": 1}}"#,
      #".loop.cuont: unknown key; did you mean "count"? allowed: "count", "pause""#
    ),
  ]

  @Test(arguments: errors)
  func errorsSayWhereAndWhatIsAllowed(json: String, error: String) {
    #expect {
      _ = try read(#"{"parallax": 1, "animation": \#(json)}"#)
    } throws: {
      withoutPosition($0) == "test.json: $.animation\(error)"
    }
  }
}
