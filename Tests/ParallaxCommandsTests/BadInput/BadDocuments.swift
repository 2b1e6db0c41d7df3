import ParallaxTestSupport

private let subjects =
  #""move", "rotate", "scale", "fade", "delay", "keyframes", "sequence", "parallel""#
private let kinds =
  #"expected "parallax": 1 with "animation", or a Lottie file with "layers""#

/// A document of ours with this animation.
private func ours(_ animation: String) -> BadInput.Content {
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
  /// Animations that cannot be played: `preview` and `play` say the same of each, and `play` says it
  /// before it looks for a daemon.
  static let documents: [BadInput] = malformed.flatMap { name, content, message in
    [
      BadInput(
        name: "preview: \(name)", files: ["doc.json": content],
        arguments: ["preview", "doc.json"], isReplay: false, exitCode: 65, messages: [message]),
      BadInput(
        name: "play: \(name)", files: ["doc.json": content],
        arguments: ["play", "doc.json", "--control", "none.sock"], isReplay: false, exitCode: 65,
        messages: [message]),
    ]
  }

  /// Where, what is wrong, what is allowed.
  private static let malformed: [(name: String, content: Content, message: String)] = [
    // -- No JSON
    ("nothing", .text(""), "doc.json:1:1: empty, a JSON value is expected"),
    ("no JSON", .text("fade out"), "doc.json:1:4: invalid token near 'fade'"),
    (
      "a comma too many", .text("{\"parallax\": 1,\n \"animation\": {\"delay\": 1},\n}"),
      "doc.json:3:1: string or '}' expected near '}'"
    ),
    (
      "cut off", .text(#"{"parallax": 1, "animation": {"fade""#),
      "doc.json:1:36: ':' expected near end of file"
    ),
    (
      "a key twice", ours(#"{"delay": 1, "delay": 2}"#),
      #"doc.json:1:49: duplicate object key near '"delay"'"#
    ),
    (
      "not UTF-8", .bytes([0x22, 0xFF, 0x22]),
      "doc.json:1:1: unable to decode byte 0xff near '\"'"
    ),
    (
      "a number beyond all numbers", ours(#"{"delay": 1e400}"#),
      "doc.json:1:44: real number overflow near '1e400'"
    ),
    // -- Limits
    (
      "over 1 MiB", .text(#"{"parallax": 1}"# + String(repeating: " ", count: 1 << 20)),
      "doc.json: larger than 1048576 bytes, which is the limit"
    ),
    (
      "65 animations inside one another", ours(sequences(depth: 65)),
      "doc.json: $.animation\(String(repeating: ".sequence[0]", count: 64)): animations inside one "
        + "another more than 64 deep, which is not allowed"
    ),
    (
      "a million brackets", .text(String(repeating: "[", count: 1_000_000)),
      "doc.json:1:141: nested more than 140 deep, which is not allowed"
    ),
    (
      "10,001 animations",
      ours(
        #"{"parallel": ["#
          + [String](repeating: #"{"delay": 0}"#, count: 10_000).joined(separator: ",") + "]}"),
      "doc.json: $.animation.parallel[9999]: more than 10000 animations and keyframes, which is "
        + "not allowed"
    ),
    // -- Not what it should be
    (
      "no object", .text("[1, 2]"), "doc.json: $: expected an object, found an array; \(kinds)"
    ),
    ("something else", .text(#"{"name": "x"}"#), "doc.json: $: this is no animation; \(kinds)"),
    (
      "another version", .text(#"{"parallax": 2, "animation": {"delay": 1}}"#),
      "doc.json: $.parallax: expected 1, the only version there is"
    ),
    (
      "a misspelt key", .text(#"{"parallax": 1, "animaton": {"delay": 1}}"#),
      #"doc.json: $.animaton: unknown key; did you mean "animation"? allowed: "parallax", "id", "#
        + #""layer", "reduced-motion", "animation""#
    ),
    (
      "an id with a slash", .text(#"{"parallax": 1, "id": "../x", "animation": {"delay": 1}}"#),
      #"doc.json: $.id: "../x" is no animation's id; use 1 to 128 of A-Z, a-z, 0-9, '.', '_' and '-'"#
    ),
    (
      "no animation", ours("{}"),
      "doc.json: $.animation: this is no animation; expected one of \(subjects)"
    ),
    (
      "a way too short", ours(#"{"sequence": [{"delay": 1}, {"move": {"by": [12]}}]}"#),
      "doc.json: $.animation.sequence[1].move.by: expected [x, y] in px, found 1 values"
    ),
    (
      "an opacity above 1", ours(#"{"fade": {"to": 20}}"#),
      "doc.json: $.animation.fade.to: expected a number from 0 to 1, found 20"
    ),
    (
      "a duration below 0", ours(#"{"rotate": {"by": 90}, "duration": -0.5}"#),
      "doc.json: $.animation.duration: expected a number from 0 to 86400 (s), found -0.5"
    ),
    (
      "a duration as text", ours(#"{"rotate": {"by": 90}, "duration": "500ms"}"#),
      "doc.json: $.animation.duration: expected a number from 0 to 86400 (s), found a string"
    ),
    (
      "an unknown curve", ours(#"{"fade": {"to": 0}, "curve": "ease-inout"}"#),
      #"doc.json: $.animation.curve: "ease-inout" is no curve; did you mean "ease-in-out"? "#
        + "allowed: linear, ease, ease-in, ease-out, ease-in-out, step-start, step-end, spring, "
        + "cubic-bezier(x1, y1, x2, y2), steps(n, position), linear(...), spring(response, damping)"
    ),
    (
      "a curve that goes back in time",
      ours(#"{"fade": {"to": 0}, "curve": {"cubic-bezier": [1.2, 0, 0.5, 1]}}"#),
      "doc.json: $.animation.curve.cubic-bezier[0]: expected a number from 0 to 1, found 1.2"
    ),
    (
      "a spring without damping",
      ours(#"{"fade": {"to": 0}, "curve": {"spring": {"damping": 0}}}"#),
      "doc.json: $.animation.curve.spring.damping: expected a number from 0.001 to 1000, found 0"
    ),
    (
      "repeated -1 times", ours(#"{"repeat": -1, "of": {"delay": 1}}"#),
      #"doc.json: $.animation.repeat: expected a whole number from 0 to 1000000000, or "forever", "#
        + "found -1"
    ),
    (
      "two in one", ours(#"{"move": {"by": [1, 0]}, "fade": {"to": 0}}"#),
      #"doc.json: $.animation: "move", "fade" in one object; give each an object of its own, in "#
        + #""parallel" or "sequence""#
    ),
    (
      "keyframes in disorder",
      ours(#"{"keyframes": [{"at": 1, "fade": 0}, {"at": 0, "fade": 1}]}"#),
      #"doc.json: $.animation.keyframes[1].at: the keyframe before is later; write them in the "#
        + #"order of "at""#
    ),
    // -- Lottie
    (
      "Lottie without a frame rate", .text(#"{"v": "5.7.0", "layers": []}"#),
      #"doc.json: $: "fr" is missing"#
    ),
    (
      "Lottie where nothing moves", lottie(#"{"ty": 4, "ind": 1, "ip": 0, "op": 30, "ks": {}}"#),
      "doc.json: $.layers: no layer's transform is animated; shapes, images and texts are not played"
    ),
    (
      "Lottie with text for a number",
      lottie(#"{"ty": 4, "ind": 1, "ip": 0, "op": 30, "ks": {"r": {"a": 0, "k": "90"}}}"#),
      "doc.json: $.layers[0].ks.r.k: expected a number from -1000000 to 1000000, found a string"
    ),
    (
      "Lottie that ends before it begins", .text(#"{"fr": 30, "ip": 9, "op": 3, "layers": []}"#),
      #"doc.json: $.op: expected a frame behind "ip", 9"#
    ),
  ]
}
