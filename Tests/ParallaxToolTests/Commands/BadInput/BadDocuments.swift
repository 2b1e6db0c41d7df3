// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport

private let subjects =
  #""move", "rotate", "scale", "fade", "delay", "keyframes", "sequence", "parallel""#
private let kinds =
  #"expected "parallax": 1 with "animation", or a Lottie file with "layers""#

/// A parallax document with this animation.
private func native(_ animation: String) -> BadInput.Content {
  .text(#"{"parallax": 1, "animation": \#(animation)}"#)
}

/// A Lottie file with this layer.
private func lottie(_ layer: String) -> BadInput.Content {
  .text(#"{"v": "5.7.0", "fr": 30, "ip": 0, "op": 30, "layers": [\#(layer)]}"#)
}

private func sequences(depth: Int) -> String {
  String(repeating: #"{"sequence": ["#, count: depth - 1) + #"{"delay": 1}"#
    + String(repeating: "]}", count: depth - 1)
}

extension BadInput {
  /// Invalid animations: `preview` and the daemon of `play` report the same errors.
  static func documents(_ command: String, _ options: [String] = []) -> [BadInput] {
    malformed.map { name, content, message in
      BadInput(
        name: "\(command): \(name)", files: ["doc.json": content],
        arguments: [command, "doc.json"] + options, isReplay: false, exitCode: 65,
        messages: [message])
    }
  }

  /// Messages with the place, the error and the allowed values.
  private static let malformed: [(name: String, content: Content, message: String)] = [
    // MARK: - Invalid JSON
    ("nothing", .text(""), "doc.json:1:1: invalid JSON: empty; expected a JSON value"),
    ("no JSON", .text("fade out"), "doc.json:1:4: invalid JSON: invalid token near 'fade'"),
    (
      "a comma too many", .text("{\"parallax\": 1,\n \"animation\": {\"delay\": 1},\n}"),
      "doc.json:3:1: invalid JSON: string or '}' expected near '}'"
    ),
    (
      "cut off", .text(#"{"parallax": 1, "animation": {"fade""#),
      "doc.json:1:36: invalid JSON: ':' expected near end of file"
    ),
    (
      "a key twice", native(#"{"delay": 1, "delay": 2}"#),
      #"doc.json:1:49: invalid JSON: duplicate object key near '"delay"'"#
    ),
    (
      "not UTF-8", .bytes([0x22, 0xFF, 0x22]),
      "doc.json:1:1: invalid JSON: unable to decode byte 0xff near '\"'"
    ),
    (
      "a number beyond all numbers", native(#"{"delay": 1e400}"#),
      "doc.json:1:44: invalid JSON: real number overflow near '1e400'"
    ),
    // MARK: - Limits
    (
      "over 1 MiB", .text(#"{"parallax": 1}"# + String(repeating: " ", count: 1 << 20)),
      "doc.json: too large; the limit is 1048576 bytes"
    ),
    (
      "65 animations inside one another", native(sequences(depth: 65)),
      "doc.json: $.animation\(String(repeating: ".sequence[0]", count: 64)): animations nested "
        + "too deep; the limit is 64 levels"
    ),
    (
      "a million brackets", .text(String(repeating: "[", count: 1_000_000)),
      "doc.json:1:141: invalid JSON: nested too deep; the limit is 140 levels"
    ),
    (
      "10,001 animations",
      native(
        #"{"parallel": ["#
          + [String](repeating: #"{"delay": 0}"#, count: 10_000).joined(separator: ",") + "]}"),
      "doc.json: $.animation.parallel[9999]: too many animations and keyframes; the limit is "
        + "10000"
    ),
    // MARK: - Invalid documents
    (
      "no object", .text("[1, 2]"), "doc.json: $: expected an object, got an array; \(kinds)"
    ),
    ("something else", .text(#"{"name": "x"}"#), "doc.json: $: not an animation; \(kinds)"),
    (
      "another version", .text(#"{"parallax": 2, "animation": {"delay": 1}}"#),
      "doc.json: $.parallax: expected 1, the only version"
    ),
    (
      "a misspelt key", .text(#"{"parallax": 1, "animaton": {"delay": 1}}"#),
      #"doc.json: $.animaton: unknown key; did you mean "animation"? allowed: "parallax", "id", "#
        + #""layer", "stagger", "variables", "reduced-motion", "animation""#
    ),
    (
      "an id with a slash", .text(#"{"parallax": 1, "id": "../x", "animation": {"delay": 1}}"#),
      #"doc.json: $.id: invalid animation id "../x"; use 1 to 128 characters of A-Z, a-z, 0-9, "#
        + "'.', '_' and '-'"
    ),
    (
      "no animation", native("{}"),
      "doc.json: $.animation: not an animation; expected one of \(subjects)"
    ),
    (
      "a way too short", native(#"{"sequence": [{"delay": 1}, {"move": {"by": [12]}}]}"#),
      "doc.json: $.animation.sequence[1].move.by: expected [x, y] in px, got 1 value"
    ),
    (
      "an opacity above 1", native(#"{"fade": {"to": 20}}"#),
      "doc.json: $.animation.fade.to: expected a number from 0 to 1, got 20"
    ),
    (
      "a duration below 0", native(#"{"rotate": {"by": 90}, "duration": -0.5}"#),
      "doc.json: $.animation.duration: expected a number from 0 to 86400 (s), got -0.5"
    ),
    (
      "a duration as text", native(#"{"rotate": {"by": 90}, "duration": "500ms"}"#),
      "doc.json: $.animation.duration: expected a number from 0 to 86400 (s), got a string"
    ),
    (
      "an unknown curve", native(#"{"fade": {"to": 0}, "curve": "ease-inout"}"#),
      #"doc.json: $.animation.curve: unknown curve "ease-inout"; did you mean "ease-in-out"? "#
        + "allowed: linear, ease, ease-in, ease-out, ease-in-out, step-start, step-end, spring, "
        + "smooth, snappy, bouncy, cubic-bezier(x1, y1, x2, y2), steps(n, position), linear(...), spring(response, damping)"
    ),
    (
      "a curve that goes back in time",
      native(#"{"fade": {"to": 0}, "curve": {"cubic-bezier": [1.2, 0, 0.5, 1]}}"#),
      "doc.json: $.animation.curve.cubic-bezier[0]: expected a number from 0 to 1, got 1.2"
    ),
    (
      "a spring without damping",
      native(#"{"fade": {"to": 0}, "curve": {"spring": {"damping": 0}}}"#),
      "doc.json: $.animation.curve.spring.damping: expected a number from 0.001 to 1000, got 0"
    ),
    (
      "repeated -1 times", native(#"{"repeat": -1, "of": {"delay": 1}}"#),
      #"doc.json: $.animation.repeat: expected a whole number from 0 to 1000000000, or "forever", "#
        + "got -1"
    ),
    (
      "two in one", native(#"{"move": {"by": [1, 0]}, "fade": {"to": 0}}"#),
      #"doc.json: $.animation: "move", "fade" in one object; put each in a separate object, in "#
        + #""parallel" or "sequence""#
    ),
    (
      "keyframes in disorder",
      native(#"{"keyframes": [{"at": 1, "fade": 0}, {"at": 0, "fade": 1}]}"#),
      #"doc.json: $.animation.keyframes[1].at: before the previous keyframe; sort the keyframes "#
        + #"by "at""#
    ),
    // MARK: - Lottie
    (
      "Lottie without a frame rate", .text(#"{"v": "5.7.0", "layers": []}"#),
      #"doc.json: $: "fr" is missing"#
    ),
    (
      "Lottie where nothing moves", lottie(#"{"ty": 4, "ind": 1, "ip": 0, "op": 30, "ks": {}}"#),
      "doc.json: $.layers: no layer has an animated transform; shapes, images and text are not played"
    ),
    (
      "Lottie with text for a number",
      lottie(#"{"ty": 4, "ind": 1, "ip": 0, "op": 30, "ks": {"r": {"a": 0, "k": "90"}}}"#),
      "doc.json: $.layers[0].ks.r.k: expected a number from -1000000 to 1000000, got a string"
    ),
    (
      "Lottie that ends before it begins", .text(#"{"fr": 30, "ip": 9, "op": 3, "layers": []}"#),
      #"doc.json: $.op: expected a frame after "ip", which is 9"#
    ),
  ]
}
