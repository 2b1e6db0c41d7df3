// SPDX-License-Identifier: Apache-2.0

import ParallaxConfig
import ParallaxMotion
import Testing

@Suite("Configuration errors")
struct ErrorTests {
  @Test func allErrorsAreReportedWithTheirPositions() {
    let text = """
      [motion]
      mode = 3
        smothing = "none"
      recenter = -1

      [gates]
      reduced = true
      """
    #expect(
      errors(in: text) == [
        "p.toml:2:8: motion.mode: expected a string in quotes, got 3; use \"rate\" or \"tilt\"",
        "p.toml:3:3: motion.smothing: unknown key; did you mean smoothing? [motion] has mode, "
          + "recenter, bias, scale, range-x, range-y, smoothing, mount-matrix",
        "p.toml:4:12: motion.recenter: -1 is out of range; use 0.05 to 3600",
        "p.toml:7:11: gates.reduced: expected a string in quotes, got true; use \"still\" or "
          + "\"subtle\"",
      ])
  }

  @Test func errorsAreInTheOrderOfTheirSources() throws {
    var builder = ConfigurationBuilder()
    builder.set(key: "motion.smoothing", text: "emma", origin: .option("--smoothing"))
    builder.set(assignment: "motion.mode=x")
    builder.add(file: "a.toml", bytes: Array("[gates]\nfade = 99\n[motion]\nmode = 1".utf8))
    builder.add(environment: { $0 == "PARALLAX_SOCKET" ? "/run/" : nil })
    builder.add(file: "b.toml", bytes: Array("[motion]\nmode = 2".utf8))
    let error = #expect(throws: ConfigurationErrors.self) { try builder.build() }
    let lines = try #require(error).lines
    let starts = [
      "a.toml:2:8: gates.fade: 99 is out of range", "a.toml:4:8: motion.mode: expected a string",
      "b.toml:2:8: motion.mode: expected a string", "PARALLAX_SOCKET: '/run/' is a folder",
      "--smoothing: invalid smoothing 'emma'; use auto[:calm], none, ema:TAU",
      "--set motion.mode: unknown value 'x'; use",
    ]
    #expect(lines.count == starts.count)
    for (line, start) in zip(lines, starts) { #expect(line.hasPrefix(start), "\(line)") }
  }

  @Test(
    arguments: [
      ("[motoin]\na = 1\nb = 2", "p.toml:1:2: motoin: unknown table; did you mean [motion]? The"),
      ("[network]", "p.toml:1:2: network: unknown table; the tables are [source], [sampling]"),
      ("rate = 60", "p.toml:1:1: rate: a key needs its table; did you mean sampling.rate?"),
      ("motion = 3", "p.toml:1:1: motion: expected the table [motion], got 3"),
      ("[[motion]]\nmode = 1", "p.toml:1:3: motion: expected the table [motion], got an array"),
      (
        "[motion]\nreduce-motion = 1",
        "p.toml:2:1: motion.reduce-motion: unknown key; "
          + "reduce-motion is a key of [gates]."
      ),
      ("[motion]\nrange_x = 1", "p.toml:2:1: motion.range_x: unknown key; did you mean range-x?"),
      (
        "[motion]\nmountMatrix = 1",
        "p.toml:2:1: motion.mountMatrix: unknown key; did you mean mount-matrix?"
      ),
      ("[motion]\n\"\" = 1", "p.toml:2:1: motion.: unknown key; [motion] has mode, recenter"),
      ("motion.reverse.x = 1", "p.toml:1:8: motion.reverse: unknown key; [motion] has mode"),
      ("[motion.smoothing]", "p.toml:1:1: motion.smoothing: expected a string in quotes, got"),
      ("motion = { scael = 3 }", "p.toml:1:12: motion.scael: unknown key; did you mean scale?"),
    ])
  func unknownNamesAreExplained(text: String, start: String) {
    let lines = errors(in: text)
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix(start) == true, "\(lines)")
  }

  @Test(
    arguments: [
      ("motion.scale", "--set: invalid assignment 'motion.scale'; write TABLE.KEY=VALUE"),
      ("=3", "--set: invalid assignment '=3'; write TABLE.KEY=VALUE"),
      ("", "--set: invalid assignment ''; write TABLE.KEY=VALUE"),
      ("scale=3", "--set scale: a key needs its table; did you mean motion.scale?"),
      ("motion=3", "--set motion: this is a table; set one of its keys, as in motion.mode"),
      ("motion.scael=3", "--set motion.scael: unknown key; did you mean scale? [motion] has"),
      ("motoin.scale=3", "--set motoin.scale: unknown table; did you mean [motion]?"),
      (
        "motion.recenter=nan",
        "--set motion.recenter: expected a number, got 'nan'; use 0.05 to 3600"
      ),
      ("motion.recenter=", "--set motion.recenter: expected a number, got ''; use 0.05 to 3600"),
      (
        "sampling.rate=inf", "--set sampling.rate: invalid rate 'inf'; use native or 0.1 to 1000 Hz"
      ),
      (
        "source.loop=maybe", "--set source.loop: expected a boolean, got 'maybe'; use true or false"
      ),
      ("layers.bg=far", "--set layers.bg: expected a number, got 'far'; use a depth, -10 to 10"),
      ("layers=bg", "--set layers: invalid layer 'bg'; write NAME=DEPTH, as in bg=0.2,fg=1"),
    ])
  func wrongAssignments(assignment: String, start: String) {
    let lines = errors(set: [assignment])
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix(start) == true, "\(lines)")
  }

  @Test(
    arguments: [
      (
        "[motion]\nmode = \"tilt\nrecenter = 3",
        "p.toml:2:13: a string must end on its line; close its quote"
      ),
      (
        "[motion]\nmode = \"rate\"\nmode = \"tilt\"",
        "p.toml:3:8: 'mode' is set twice; remove one of the two"
      ),
      (
        "[motion]\n[motion]",
        "p.toml:2:1: duplicate table [motion]; write all its keys below one header"
      ),
      ("[motion\nmode = 1", "p.toml:1:8: invalid table header; write it as [NAME]"),
      ("[motion]\nmode", "p.toml:2:5: a key needs a value; write KEY = VALUE"),
      (
        "[motion]\nmode = tilt",
        "p.toml:2:9: invalid value; write a string in quotes, a boolean as true or false"
      ),
      (
        "[motion]\nscale = 1 2",
        "p.toml:2:11: only a comment may follow a value; write each key on its own line"
      ),
      ("[motion]\nmode = \"é\", x", "p.toml:2:11: only a comment may follow a value"),
      ("[motion]\nmode = [[[[[1]]]]]", "p.toml:2:12: invalid array; each key takes a single value"),
      ("[motion]\nmode =", "p.toml:2:7: a key needs a value; write KEY = VALUE"),
      (
        "[motion]\nmode = \"\"\"a\nscale = 3",
        "p.toml:3:10: a string or array further up is not closed; close it on its line"
      ),
      ("[motion]\nmode = \"\\q\"", "p.toml:2:10: invalid TOML: Error while parsing string"),
      ("\0", "p.toml:1:1: invalid TOML: "),
    ])
  func syntaxErrors(text: String, start: String) {
    let lines = errors(in: text)
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix(start) == true, "\(lines)")
  }

  @Test func readingContinuesAfterSyntaxErrors() {
    let text = """
      [motion]
      mode = tilt
      recenter = 0
      recenter = 1
      [gates]
      fade = 99
      [socket
      path = 3
      """
    let places = errors(in: text).map { $0.prefix { $0 != " " } }
    #expect(
      places == ["p.toml:2:9:", "p.toml:3:12:", "p.toml:4:12:", "p.toml:6:8:", "p.toml:7:8:"])
  }

  @Test func unclosedArrayIsOneError() {
    let lines = errors(in: "[motion]\nmode = [\n\"tilt\"\nscale = 1\nscale = 2\nrecenter = 3\n")
    #expect(lines.count == 1, "\(lines)")
  }

  @Test func controlCharactersAreEscaped() {
    let text = "[motion]\nmode = \"a\\u001b[31m\\nb\"\n\"sca\\u0007le\\u202e\" = 1"
    let lines = errors(in: text)
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 } })
    #expect(lines[0].contains("unknown value 'a\\u{1b}[31m\\u{a}b'"))
    #expect(lines[1].contains("motion.sca\\u{7}le\\u{202e}: unknown key; [motion] has"))
  }

  @Test(
    arguments: [
      ("[source]\nkind = \"trace\"", "p.toml:2:8: source.kind: \"trace\" needs a recording"),
      ("[socket]\ncontrol = \"/a\"\npath = \"/a\"", "p.toml:2:11: socket.control: both sockets"),
      ("[socket]\npath = \"/tmp/control.sock\"", "p.toml:2:8: socket.path: both sockets have"),
      (
        "[socket]\npath = \"/\(String(repeating: "p", count: 107))\"",
        "p.toml:2:8: socket.path: the socket path '/ppp"
      ),
      (
        "[socket]\npath = \"/\(String(repeating: "p", count: 100))/s\"",
        "p.toml:2:8: socket.path: the control socket beside it"
      ),
    ])
  func inconsistentKeys(text: String, start: String) {
    let lines = errors(in: text)
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix(start) == true, "\(lines)")
  }

  @Test func keyWithAnErrorIsNotMissing() {
    #expect(errors(in: "[source]\nkind = \"trace\"\ntrace = 3").count == 1)
    #expect(errors(in: "[source]\nkind = \"trace\"\ntrace = walk.csv").count == 1)
  }

  @Test func socketPathHasAtMost107Bytes() throws {
    let longest = "/" + String(repeating: "p", count: 106)
    let text = "[socket]\npath = \"\(longest)\"\ncontrol = \"/c\""
    #expect(try load(text).configuration.socket.path == longest)
    #expect(errors(in: "[socket]\npath = \"\(longest)p\"\ncontrol = \"/c\"").count == 1)
  }

  @Test(
    arguments: [
      (ConfigurationError.Kind.content, SettingOrigin.file(path: "a", position: nil), Int32(78)),
      (.content, .environment("PARALLAX_SOCKET"), 78), (.content, .builtIn, 78),
      (.content, .assignment, 64), (.content, .option("--smoothing"), 64),
      (.missing, .file(path: "a", position: nil), 66),
      (.denied, .file(path: "a", position: nil), 77),
      (.unreadable, .file(path: "a", position: nil), 74),
    ])
  func exitStatusIsThatOfTheFirstError(
    kind: ConfigurationError.Kind, origin: SettingOrigin, status: Int32
  ) {
    let first = ConfigurationError(kind: kind, origin: origin, key: "a.b", message: "m")
    let later = ConfigurationError(origin: .builtIn, key: nil, message: "n")
    #expect(ConfigurationErrors([first, later]).exitStatus == status)
  }
}
