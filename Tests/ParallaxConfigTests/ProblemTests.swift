import ParallaxConfig
import ParallaxMotion
import Testing

@Suite("Configuration problems")
struct ProblemTests {
  @Test("a wrong type, an unknown key and an impossible value, all in one go with their places")
  func allAtOnce() {
    let text = """
      [motion]
      mode = 3
        smothing = "none"
      recenter = -1

      [gates]
      reduced = true
      """
    #expect(
      problems(in: text) == [
        "p.toml:2:8: motion.mode: 3 is no string; write a string in quotes: \"rate\" or \"tilt\"",
        "p.toml:3:3: motion.smothing: unknown key; did you mean smoothing? [motion] has mode, "
          + "recenter, bias, scale, range-x, range-y, smoothing, mount-matrix",
        "p.toml:4:12: motion.recenter: -1 is out of range; use 0.05 to 3600",
        "p.toml:7:11: gates.reduced: true is no string; write a string in quotes: \"still\" or "
          + "\"subtle\"",
      ])
  }

  @Test("several files and the command line, in their order")
  func severalSources() throws {
    var builder = ConfigurationBuilder()
    builder.set(key: "motion.smoothing", text: "emma", origin: .option("--smoothing"))
    builder.set(assignment: "motion.mode=x")
    builder.add(file: "a.toml", bytes: Array("[gates]\nfade = 99\n[motion]\nmode = 1".utf8))
    builder.add(environment: { $0 == "PARALLAX_SOCKET" ? "/run/" : nil })
    builder.add(file: "b.toml", bytes: Array("[motion]\nmode = 2".utf8))
    let error = #expect(throws: ConfigError.self) { try builder.build() }
    let lines = try #require(error).lines
    let starts = [
      "a.toml:2:8: gates.fade: 99 is out of range", "a.toml:4:8: motion.mode: 1 is no string",
      "b.toml:2:8: motion.mode: 2 is no string", "PARALLAX_SOCKET: '/run/' is a folder",
      "--smoothing: 'emma' is no smoothing; use none, ema:TAU", "--set motion.mode: 'x' is not",
    ]
    #expect(lines.count == starts.count)
    for (line, start) in zip(lines, starts) { #expect(line.hasPrefix(start), "\(line)") }
  }

  @Test(
    "names that are not there",
    arguments: [
      ("[motoin]\na = 1\nb = 2", "p.toml:1:2: motoin: unknown table; did you mean [motion]? There"),
      ("[network]", "p.toml:1:2: network: unknown table; there are [source], [sampling], [motion]"),
      ("rate = 60", "p.toml:1:1: rate: a key belongs to its table; did you mean sampling.rate?"),
      ("motion = 3", "p.toml:1:1: motion: 3 where the table [motion] belongs"),
      ("[[motion]]\nmode = 1", "p.toml:1:3: motion: an array where the table [motion] belongs"),
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
      ("[motion.smoothing]", "p.toml:1:1: motion.smoothing: a table is no string;"),
      ("motion = { scael = 3 }", "p.toml:1:12: motion.scael: unknown key; did you mean scale?"),
    ])
  func unknownNames(text: String, start: String) {
    let lines = problems(in: text)
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix(start) == true, "\(lines)")
  }

  @Test(
    "on the command line",
    arguments: [
      ("motion.scale", "--set: 'motion.scale' sets nothing; write TABLE.KEY=VALUE"),
      ("=3", "--set: '=3' sets nothing; write TABLE.KEY=VALUE"),
      ("", "--set: '' sets nothing; write TABLE.KEY=VALUE"),
      ("scale=3", "--set scale: a key belongs to its table; did you mean motion.scale?"),
      ("motion=3", "--set motion: this is a table; name a key of it, as in motion.mode"),
      ("motion.scael=3", "--set motion.scael: unknown key; did you mean scale? [motion] has"),
      ("motoin.scale=3", "--set motoin.scale: unknown table; did you mean [motion]?"),
      ("motion.recenter=nan", "--set motion.recenter: 'nan' is no number; use 0.05 to 3600"),
      ("motion.recenter=", "--set motion.recenter: '' is no number; use 0.05 to 3600"),
      ("sampling.rate=inf", "--set sampling.rate: 'inf' is no rate; use native or 0.1 to 1000 Hz"),
      ("source.loop=maybe", "--set source.loop: 'maybe' is no boolean; use true or false"),
      ("layers.bg=far", "--set layers.bg: 'far' is no number; use a depth, -10 to 10"),
      ("layers=bg", "--set layers: 'bg' is no layer; write NAME=DEPTH, as in bg=0.2,fg=1"),
    ])
  func commandLine(assignment: String, start: String) {
    let lines = problems(set: [assignment])
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix(start) == true, "\(lines)")
  }

  @Test(
    "text that is no TOML, with what to do",
    arguments: [
      (
        "[motion]\nmode = \"tilt\nrecenter = 3",
        "p.toml:2:13: a string has to end on its line; close it with its quote"
      ),
      (
        "[motion]\nmode = \"rate\"\nmode = \"tilt\"",
        "p.toml:3:8: 'mode' is set twice; take one of them away"
      ),
      (
        "[motion]\n[motion]",
        "p.toml:2:1: the table [motion] is there twice; write all its keys below one of them"
      ),
      ("[motion\nmode = 1", "p.toml:1:8: this table header is no TOML: expected ']'"),
      ("[motion]\nmode", "p.toml:2:5: the file ends in the middle of this key-value pair"),
      (
        "[motion]\nmode = tilt",
        "p.toml:2:9: this is no value; a string stands in quotes, a boolean is true or false"
      ),
      (
        "[motion]\nscale = 1 2",
        "p.toml:2:11: this key-value pair is no TOML: expected a comment or whitespace, saw '2'"
      ),
      ("[motion]\nmode = \"é\", x", "p.toml:2:11: this key-value pair is no TOML: expected a"),
      ("[motion]\nmode = [[[[[1]]]]]", "p.toml:2:12: arrays in arrays are too deep"),
      ("\0", "p.toml:1:1: this line is no TOML"),
    ])
  func syntax(text: String, start: String) {
    let lines = problems(in: text)
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix(start) == true, "\(lines)")
  }

  @Test("one slip of the pen does not hide other errors")
  func behindSyntaxErrors() {
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
    let places = problems(in: text).map { $0.prefix { $0 != " " } }
    #expect(
      places == ["p.toml:2:9:", "p.toml:3:12:", "p.toml:4:12:", "p.toml:6:8:", "p.toml:7:8:"])
  }

  @Test("an array that is never closed is one error, not one a line")
  func openArray() {
    let lines = problems(in: "[motion]\nmode = [\n\"tilt\"\nscale = 1\nscale = 2\nrecenter = 3\n")
    #expect(lines.count == 1, "\(lines)")
  }

  @Test("control characters of a file reach no terminal")
  func controlCharacters() {
    let text = "[motion]\nmode = \"a\\u001b[31m\\nb\"\n\"sca\\u0007le\\u202e\" = 1"
    let lines = problems(in: text)
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 } })
    #expect(lines[0].contains("'a\\u{1b}[31m\\u{a}b' is not known"))
    #expect(lines[1].contains("motion.sca\\u{7}le\\u{202e}: unknown key; [motion] has"))
  }

  @Test(
    "what only several keys can get wrong, at the key to change",
    arguments: [
      ("[source]\nkind = \"trace\"", "p.toml:2:8: source.kind: \"trace\" needs a recording"),
      ("[socket]\ncontrol = \"/a\"\npath = \"/a\"", "p.toml:2:11: socket.control: both sockets"),
      ("[socket]\npath = \"/tmp/control.sock\"", "p.toml:2:8: socket.path: both sockets would be"),
      (
        "[socket]\npath = \"/\(String(repeating: "p", count: 107))\"",
        "p.toml:2:8: socket.path: the socket path '/ppp"
      ),
      (
        "[socket]\npath = \"/\(String(repeating: "p", count: 100))/s\"",
        "p.toml:2:8: socket.path: the control socket beside it"
      ),
    ])
  func together(text: String, start: String) {
    let lines = problems(in: text)
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix(start) == true, "\(lines)")
  }

  @Test("a key that was not understood is not called missing")
  func noFollowingErrors() {
    #expect(problems(in: "[source]\nkind = \"trace\"\ntrace = 3").count == 1)
    #expect(problems(in: "[source]\nkind = \"trace\"\ntrace = walk.csv").count == 1)
  }

  @Test("107 bytes are a socket's path, 108 are none")
  func longestPath() throws {
    let longest = "/" + String(repeating: "p", count: 106)
    let text = "[socket]\npath = \"\(longest)\"\ncontrol = \"/c\""
    #expect(try load(text).configuration.socket.path == longest)
    #expect(problems(in: "[socket]\npath = \"\(longest)p\"\ncontrol = \"/c\"").count == 1)
  }

  @Test(
    "exit codes: the first problem's",
    arguments: [
      (ConfigProblem.Kind.content, SettingOrigin.file(path: "a", position: nil), Int32(78)),
      (.content, .environment("PARALLAX_SOCKET"), 78), (.content, .builtIn, 78),
      (.content, .assignment, 64), (.content, .option("--smoothing"), 64),
      (.missing, .file(path: "a", position: nil), 66),
      (.denied, .file(path: "a", position: nil), 77),
      (.unreadable, .file(path: "a", position: nil), 74),
    ])
  func exitStatus(kind: ConfigProblem.Kind, origin: SettingOrigin, status: Int32) {
    let problem = ConfigProblem(kind: kind, origin: origin, key: "a.b", message: "m")
    let later = ConfigProblem(origin: .builtIn, key: nil, message: "n")
    #expect(ConfigError([problem, later]).exitStatus == status)
  }
}
