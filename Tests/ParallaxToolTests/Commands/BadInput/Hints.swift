// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport

private let good = "t,x,y,z\n0,1,2,3\n0.05,1,2,3\n0.1,1,2,3\n"
private let badZ = "t,x,y,z\n0,1,2,3\n0.01,1,2,3x\n0.02,1,2,3\n"
private let badZMessage =
  "walk.csv:3: column 4: '3x' in 'z' is not a number; fix the row or add --skip-bad-rows"
private let lottie = #"""
  {"v": "5.7.0", "fr": 30, "ip": 0, "op": 30, "layers": [
  {"ty": 4, "nm": "card", "ind": 1, "ip": 0, "op": 30, "ks": {"s": {"a": 1, "k": [
  {"t": 0, "s": [100, 100], "i": {"x": [1], "y": [1]}, "o": {"x": [0], "y": [0]}},
  {"t": 30, "s": [200, SY]}]}}},
  {"ty": 3, "nm": "bg", "ind": 2, "ip": 0, "op": 30, "ks": {}}]}
  """#

extension BadInput {
  /// Input that works, or nearly, with a message that says what to do.
  static let hints: [BadInput] = zRates + withoutEffect + packed + layers + missing

  // A bad z is the same error whatever uses z.
  private static let zRates: [BadInput] = [
    [], ["--mount-matrix", "0,1,0;0,0,-1;-1,0,0"], ["--mode", "tilt"], ["--bias", "auto"],
  ].map { .trace("a bad z \($0)", badZ, options: $0, badZMessage) }

  private static let withoutEffect: [BadInput] = [
    .ordinary(
      "recenter in rate mode", good, options: ["--recenter", "3"], counts: ["kept": 3],
      messages: ["--recenter: has no effect in rate mode; add --mode tilt"]),
    .ordinary(
      "recenter in tilt mode", good, options: ["--recenter", "3", "--mode", "tilt"],
      counts: ["kept": 3]),
    .ordinary(
      "resampling of every sample", good, options: ["--resample", "mean", "--rate", "native"],
      counts: ["kept": 3],
      messages: ["--resample: has no effect with the rate native; add --rate HZ"]),
    .ordinary(
      "oversampling of a recording", good, options: ["--oversample", "2"], counts: ["kept": 3],
      messages: ["--oversample: has no effect on a recording; it asks a gyroscope"]),
    .ordinary(
      "velocities of lines that have them", good, options: ["--velocity", "--format", "ndjson"],
      counts: ["kept": 3],
      messages: [
        "--velocity: has no effect with --format ndjson, which always has velocities"
      ]),
  ]

  private static let packed: [BadInput] = [
    (
      "doc.lottie", [0x50, 0x4B, 3, 4, 20, 0],
      "is a zip archive (.lottie), not JSON; extract its "
        + "animation: unzip -p FILE.lottie 'a*/*.json' > FILE.json"
    ),
    ("doc.json.gz", [0x1F, 0x8B, 8, 0], "is compressed; decompress it: zcat FILE > FILE.json"),
  ].flatMap { file, bytes, message in
    [
      ["preview", file], ["preview", file, "--tracks"], ["play", "./\(file)", "--control", "none"],
    ]
    .map { arguments in
      BadInput(
        name: arguments.joined(separator: " "), files: [file: .bytes(bytes)],
        arguments: arguments, isReplay: false, exitCode: 65,
        messages: ["\(arguments[1]): \(message)"])
    }
  }

  private static func preview(
    _ document: String, _ options: [String], exit code: Int32, _ messages: String...
  ) -> BadInput {
    BadInput(
      name: "preview \(options) \(messages.first ?? "")", files: ["doc.json": .text(document)],
      arguments: ["preview", "doc.json", "--rate", "1"] + options, isReplay: false, exitCode: code,
      messages: messages)
  }

  private static let shapes = "doc.json: left out: the shapes of 1 layer"

  private static let layers: [BadInput] = [
    preview(
      lottie.replacing("SY", with: "50"), ["--layer", "nope"], exit: 65,
      #"doc.json: $.layers: no layer is named "nope"; the layers are "card", "bg""#),
    preview(
      #"{"parallax": 1, "animation": {"delay": 1}}"#, ["--layer", "nope"], exit: 65,
      #"doc.json: $: a parallax document has no layer "nope" to follow; omit --layer"#),
    preview(lottie.replacing("SY", with: "200"), ["--layer", "card"], exit: 0, shapes),
    // Different scales of both axes are played.
    preview(lottie.replacing("SY", with: "50"), [], exit: 0, shapes),
  ]

  private static func check(_ name: String, _ text: String, _ messages: String...) -> BadInput {
    BadInput(
      name: "config check: \(name)",
      files: [
        "c.toml": .text(text), "folder": .folder, "walk.csv": .text(good),
      ], arguments: ["config", "check", "--config", "c.toml"], isReplay: false, exitCode: 0,
      messages: messages.map { "warning: c.toml:\($0)" })
  }

  /// Files and animations that may appear later.
  private static let missing: [BadInput] = [
    check(
      "a missing folder", "[animations]\ndirectory = \"none\"\nidle = \"wait\"\n",
      "2:13: animations.directory: there is no folder none; create it or change the path"),
    check(
      "a missing document", "[animations]\ndirectory = \"folder\"\non-connect = \"hello\"\n",
      "3:14: animations.on-connect: hello: no such animation: folder has no hello.json"),
    check(
      "a document that a server may have",
      "[animations]\ndirectory = \"folder\"\nidle = \"wait\"\nurl = \"http://localhost:1\"\n"),
    check(
      "a missing recording", "[source]\nkind = \"trace\"\ntrace = \"none.csv\"\n",
      "3:9: source.trace: there is no file none.csv; check the path"),
    check("a recording", "[source]\nkind = \"trace\"\ntrace = \"walk.csv\"\n"),
  ]
}
