// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxDocuments
import Testing

/// The messages for documents that cannot be played: where, what is wrong, and what is allowed.
@Suite struct DocumentErrorTests {
  /// An animation, and the error after `$.animation`.
  static let animations: [(json: String, error: String)] = [
    (
      "3",
      ": expected an object, got a number"
    ),
    (
      "{}",
      #": not an animation; expected one of "move", "rotate", "scale", "fade", "delay", "keyframes", "sequence", "parallel""#
    ),
    (
      #"{"mvoe": {"by": [1, 0]}}"#,
      #".mvoe: unknown key; did you mean "move"? allowed: "move", "rotate", "scale", "fade", "delay", "keyframes", "sequence", "parallel", "of", "duration", "curve", "repeat", "loop", "reverse", "autoreverse", "speed""#
    ),
    (
      #"{"move": {"by": [1, 0]}, "fade": {"to": 1}}"#,
      #": "move", "fade" in one object; put each in a separate object, in "parallel" or "sequence""#
    ),
    (
      #"{"repeat": 3}"#,
      #": "repeat" needs an animation; add "of": {...} or one of "move", "rotate", "scale", "fade", "delay", "keyframes", "sequence", "parallel""#
    ),
    (
      #"{"move": [1, 0]}"#,
      #".move: expected {"by": [12, 0]} or {"to": [12, 0]} (px), got an array"#
    ),
    (
      #"{"rotate": 45}"#,
      #".rotate: expected {"by": 90} or {"to": 90} (degrees clockwise), got a number"#
    ),
    (#"{"move": {}}"#, #".move: empty; expected "by" or "to""#),
    (
      #"{"move": {"by": [1, 0], "to": [1, 0]}}"#,
      #".move: both "by" and "to"; use one of them"#
    ),
    (
      #"{"fade": {"by": 0.5}}"#,
      #".fade.by: unknown key; allowed: "to""#
    ),
    (#"{"move": {"by": [1]}}"#, ".move.by: expected [x, y] in px, got 1 value"),
    (#"{"move": {"by": 1}}"#, ".move.by: expected [x, y] in px, got 1"),
    (
      #"{"move": {"by": [1, "2"]}}"#,
      ".move.by[1]: expected a number from -1000000 to 1000000 (px), got a string"
    ),
    (
      #"{"rotate": {"by": 1e7}}"#,
      ".rotate.by: expected a number from -1000000 to 1000000 (degrees clockwise), got 10000000"
    ),
    (#"{"fade": {"to": 1.5}}"#, ".fade.to: expected a number from 0 to 1, got 1.5"),
    (#"{"scale": {"to": null}}"#, ".scale.to: expected a number from -1000 to 1000, got null"),
    (
      #"{"delay": -1}"#, ".delay: expected a number from 0 to 86400 (s), got -1"
    ),
    (
      #"{"fade": {"to": 0}, "duration": "1s"}"#,
      ".duration: expected a number from 0 to 86400 (s), got a string"
    ),
    (
      #"{"delay": 1, "curve": "ease"}"#,
      #".curve: not allowed with "delay"; allowed with "move", "rotate", "scale", "fade", "keyframes""#
    ),
    (
      #"{"sequence": [], "duration": 2}"#,
      #".duration: not allowed with "sequence"; allowed with "move", "rotate", "scale", "fade", "keyframes"; use "speed" to make all of it faster or slower"#
    ),
    (#"{"sequence": {"delay": 1}}"#, ".sequence: expected an array, got an object"),
    (
      #"{"sequence": [{"delay": 1}, {"parallel": [{"delay": true}]}]}"#,
      ".sequence[1].parallel[0].delay: expected a number from 0 to 86400 (s), got a boolean"
    ),
    (
      #"{"repeat": 2.5, "of": {"delay": 1}}"#,
      #".repeat: expected a whole number from 0 to 1000000000, or "forever", got 2.5"#
    ),
    (
      #"{"repeat": "ever", "of": {"delay": 1}}"#,
      #".repeat: expected a whole number from 0 to 1000000000, or "forever", got "ever""#
    ),
    (#"{"speed": 0, "of": {"delay": 1}}"#, ".speed: expected a number from 0.001 to 1000, got 0"),
    (
      #"{"delay": 1, "autoreverse": "yes"}"#,
      ".autoreverse: expected true, false or an animation, got a string"
    ),
    (#"{"keyframes": [{"fade": 1}]}"#, #".keyframes[0]: "at" is missing"#),
    (
      #"{"keyframes": [{"at": 0.5}]}"#,
      #".keyframes[0]: empty keyframe; expected "move", "rotate", "scale" or "fade""#
    ),
    (
      #"{"keyframes": [{"at": 0.5, "fade": 1}, {"at": 0.2, "fade": 0}]}"#,
      #".keyframes[1].at: before the previous keyframe; sort the keyframes by "at""#
    ),
    (
      #"{"keyframes": [{"at": 50, "fade": 1}]}"#,
      ".keyframes[0].at: expected a number from 0 to 1 (a share of the duration), got 50"
    ),
    (
      #"{"keyframes": [{"at": 0, "move": {"to": [0, 0]}}]}"#,
      ".keyframes[0].move: expected [x, y] in px, got an object"
    ),
  ]

  private static let curves =
    "allowed: linear, ease, ease-in, ease-out, ease-in-out, step-start, step-end, spring, smooth, snappy, "
    + "bouncy, cubic-bezier(x1, y1, x2, y2), steps(n, position), linear(...), spring(response, damping)"

  /// A curve, and the error after `$.animation.curve`.
  static let wrongCurves: [(json: String, error: String)] = [
    (#""ease-otu""#, #": unknown curve "ease-otu"; did you mean "ease-out"? \#(curves)"#),
    (#""wobble(1)""#, #": unknown curve "wobble(1)"; \#(curves)"#),
    (
      "3",
      #": expected a curve such as "ease-out", or an object with one of "cubic-bezier", "steps", "linear", "spring", got a number"#
    ),
    ("{}", #": expected exactly one of "cubic-bezier", "steps", "linear", "spring""#),
    (
      #"{"bezier": [0, 0, 1, 1]}"#,
      #".bezier: unknown key; allowed: "cubic-bezier", "steps", "linear", "spring""#
    ),
    (
      #"{"cubic-bezier": [0, 0, 1]}"#, ".cubic-bezier: expected [x1, y1, x2, y2], got 3 values"
    ),
    (
      #"{"cubic-bezier": [1.5, 0, 1, 1]}"#,
      ".cubic-bezier[0]: expected a number from 0 to 1, got 1.5"
    ),
    (#""cubic-bezier(0, 0, 1)""#, ": cubic-bezier() takes x1, y1, x2, y2, not 3 values"),
    (
      #""cubic-bezier(0, 0, 2, 1)""#, #": expected a number from 0 to 1, got "2""#
    ),
    (
      #"{"steps": [0, "jump-end"]}"#,
      ".steps[0]: expected a whole number from 1 to 1000000, got 0"
    ),
    (
      #"{"steps": [1, "jump-none"]}"#,
      ".steps[0]: expected a whole number from 2 to 1000000, got 1"
    ),
    (
      #"{"steps": [2, "middle"]}"#,
      #".steps[1]: unknown step position "middle"; allowed: jump-start, jump-end, jump-none, jump-both, start, end"#
    ),
    (
      #""steps(x)""#, #": steps(): expected a whole number from 1 to 1000000, got "x""#
    ),
    (#"{"linear": [1]}"#, ".linear: expected 2 to 10000 points, got 1"),
    (#""linear(0)""#, ": linear() takes 2 to 10000 points, got 1"),
    (
      #""linear(0, 1 2)""#,
      #": linear(): "1 2" is not a point; expected a number and at most two percentages, as in linear(0, 0.8 25%, 1)"#
    ),
    (
      #"{"spring": {"response": 0}}"#,
      ".spring.response: expected a number from 0.001 to 1000 (s), got 0"
    ),
    (
      #"{"spring": {"dampng": 1}}"#,
      #".spring.dampng: unknown key; did you mean "damping"? allowed: "response", "damping", "velocity""#
    ),
  ]

  /// A document, and its error.
  static let documents: [(text: String, error: String)] = [
    ("", "test.json:1:1: invalid JSON: empty; expected a JSON value"),
    (
      "[1, 2]",
      #"test.json: $: expected an object, got an array; expected "parallax": 1 with "animation", or a Lottie file with "layers""#
    ),
    (
      #"{"name": "x"}"#,
      #"test.json: $: not an animation; expected "parallax": 1 with "animation", or a Lottie file with "layers""#
    ),
    (
      #"{"animation": {"delay": 1}}"#,
      #"test.json: $: "parallax" is missing; add "parallax": 1"#
    ),
    (
      #"{"parallax": 2, "animation": {"delay": 1}}"#,
      "test.json: $.parallax: expected 1, the only version"
    ),
    (#"{"parallax": 1}"#, #"test.json: $: "animation" is missing"#),
    (
      #"{"parallax": 1, "id": "a/b", "animation": {"delay": 1}}"#,
      #"test.json: $.id: invalid animation id "a/b"; use 1 to 128 characters of A-Z, a-z, 0-9, '.', '_' and '-'"#
    ),
    (
      #"{"parallax": 1, "layer": "a b", "animation": {"delay": 1}}"#,
      "test.json: $.layer: invalid layer name 'a b'; use 1 to 64 bytes without spaces, quotes, backslash, comma or ="
    ),
    (
      #"{"parallax": 1, "reduced-motion": true, "animation": {"delay": 1}}"#,
      #"test.json: $.reduced-motion: expected "none", the id of another animation or an animation, got a boolean"#
    ),
    (
      #"{"parallax": 1, "reduced_motion": "none", "animation": {"delay": 1}}"#,
      #"test.json: $.reduced_motion: unknown key; did you mean "reduced-motion"? allowed: "parallax", "id", "layer", "stagger", "variables", "reduced-motion", "animation""#
    ),
  ]

  @Test(arguments: animations)
  func errorsInAnimations(json: String, error: String) {
    expect(#"{"parallax": 1, "animation": \#(json)}"#, "test.json: $.animation" + error)
  }

  @Test(arguments: wrongCurves)
  func errorsInCurves(json: String, error: String) {
    expect(
      #"{"parallax": 1, "animation": {"fade": {"to": 0}, "curve": \#(json)}}"#,
      "test.json: $.animation.curve" + error)
  }

  @Test(arguments: documents)
  func errorsInDocuments(text: String, error: String) {
    expect(text, error)
  }

  private func expect(_ text: String, _ error: String) {
    do {
      let document = try read(text)
      Issue.record("read as \(document)")
    } catch let thrown {
      #expect(thrown.meaning == .badData)
      #expect(withoutPosition(thrown) == error)
    }
  }
}
