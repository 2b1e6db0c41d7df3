// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport

private let smoothings =
  "auto[:calm], none, ema:TAU, one-euro:MINCUTOFF,BETA[,DCUTOFF] or spring:RESPONSE[,DAMPING], as in ema:0.12, "
  + "one-euro:1,0.2 or spring:0.5,0.825"

/// One error of each kind: a value, a type, a key, a number, a table.
private let bad = """
  [motion]
  smoothing = "wobbly"
  scale = [1]
  rannge-x = "-5:5"
  [sampling]
  rate = 0
  [extras]
  a = 1
  """

private let errors = [
  "bad.toml:2:13: motion.smoothing: invalid smoothing 'wobbly'; use \(smoothings)",
  "bad.toml:3:9: motion.scale: expected a number, got an array; use a number from -1000000 "
    + "to 1000000, \"SX,SY\" as in \"5,-5\", or \"auto\"",
  "bad.toml:4:1: motion.rannge-x: unknown key; did you mean range-x? [motion] has mode, recenter, "
    + "bias, scale, range-x, range-y, smoothing, mount-matrix",
  "bad.toml:6:8: sampling.rate: 0 is out of range; use 0.1 to 1000, or \"native\"",
  "bad.toml:7:2: extras: unknown table; the tables are [source], [sampling], [motion], "
    + "[orientation], [gates], [layers], [animations], [socket]",
]

private let longPath = String(repeating: "p", count: 108)

extension BadInput {
  private static func configured(
    _ name: String, _ arguments: [String], by program: Program = .parallax,
    files: [String: Content] = ["bad.toml": .text(bad)], user: UInt32? = nil,
    exit code: Int32 = 78, _ messages: [String]
  ) -> BadInput {
    BadInput(
      name: name, program: program, files: files, arguments: arguments, isReplay: false,
      user: user, exitCode: code, messages: messages)
  }

  /// Configuration files.
  static let configurations: [BadInput] = [
    configured(
      "all errors at once: check", ["config", "check", "--config", "bad.toml"], errors),
    configured("all errors at once: daemon", ["--config", "bad.toml"], by: .parallaxd, errors),
    configured("all errors at once: run", ["run", "--config", "bad.toml"], errors),
    BadInput(
      name: "all errors at once: replay",
      files: ["bad.toml": .text(bad), "walk.csv": .text("t,x,y\n0,1,2\n")],
      arguments: ["replay", "walk.csv", "--config", "bad.toml"], exitCode: 78, messages: errors),
    configured(
      "no TOML", ["--config", "bad.toml"], by: .parallaxd, files: ["bad.toml": .text("[motion\n")],
      ["bad.toml:1:8: invalid table header; write it as [NAME]"]),
    configured(
      "no such file", ["--config", "bad.toml"], by: .parallaxd, files: [:], exit: 66,
      ["bad.toml: no such file; check the path"]),
    configured(
      "a folder", ["config", "check", "--config", "bad.toml"], files: ["bad.toml": .folder],
      exit: 66, ["bad.toml: is a folder; name a file in it"]),
    configured(
      "another user's file", ["--config", "bad.toml"], by: .parallaxd,
      files: ["bad.toml": .locked("", mode: 0o600)], user: 4711, exit: 77,
      ["bad.toml: permission denied; give this user read access to it"]),
    BadInput(
      name: "replay: no such file", files: ["walk.csv": .text("t,x,y\n0,1,2\n")],
      arguments: ["replay", "walk.csv", "--config", "none.toml"], exitCode: 66,
      messages: ["none.toml: no such file; check the path"]),
  ]

  /// Invalid places for sockets.
  static let sockets: [BadInput] = [
    configured(
      "a socket's path over 107 bytes, configured", ["--config", "long.toml"], by: .parallaxd,
      files: ["long.toml": .text("[socket]\npath = \"\(longPath)\"\n")],
      [
        "long.toml:2:8: socket.path: the socket path '\(longPath)' has 108 bytes, but Unix sockets "
          + "allow 107; use a shorter one"
      ]),
    configured(
      "a socket's path over 107 bytes, as an option",
      ["run", "--source", "synthetic", "--socket", longPath], files: [:], exit: 64,
      [
        "--socket: the socket path '\(longPath)' has 108 bytes, but Unix sockets allow 107; use a "
          + "shorter one"
      ]),
    configured(
      "a socket in a missing folder", ["--set", "socket.path=none/s"], by: .parallaxd,
      files: [:], exit: 73,
      ["none/s: the folder none does not exist; create it or choose another path"]),
    configured(
      "a socket's folder that is a file", ["--set", "socket.path=file/s"], by: .parallaxd,
      files: ["file": .text("")], exit: 73,
      ["file/s: file is not a folder; choose another path"]),
    configured(
      "a file where the socket should be", ["--set", "socket.path=file"], by: .parallaxd,
      files: ["file": .text("")], exit: 73,
      ["file: exists and is not a socket; move it or choose another path"]),
    configured(
      "a socket's folder that cannot be written", ["--set", "socket.path=/usr/lib/parallax.sock"],
      by: .parallaxd, files: [:], user: 4711, exit: 77,
      [
        "/usr/lib/parallax.sock: the folder /usr/lib is not writable; change its permissions or "
          + "choose another path"
      ]),
  ]

  /// Environments without a place for sockets.
  static let environments: [BadInput] = [
    BadInput(
      name: "a socket's path over 107 bytes, in the environment", program: .parallaxd,
      arguments: [], environment: ["PARALLAX_SOCKET": longPath], isReplay: false, exitCode: 78,
      messages: [
        "PARALLAX_SOCKET: the socket path '\(longPath)' has 108 bytes, but Unix sockets allow 107; "
          + "use a shorter one"
      ]),
    BadInput(
      name: "no folder for sockets", program: .parallaxd, arguments: [],
      environment: ["XDG_RUNTIME_DIR": nil], isReplay: false, user: 4711, exitCode: 78,
      messages: [
        "no folder for the sockets: XDG_RUNTIME_DIR is not set and /run/user/4711 does not exist; "
          + "choose a path with --socket PATH (parallax run) or --set socket.path=PATH (parallaxd)"
      ]),
  ]

  /// Invalid places for tables.
  static let outputs: [BadInput] = [
    written("a missing folder", to: "none/out.csv", exit: 73) {
      "\($0): cannot be created: its folder does not exist; create it or write elsewhere"
    },
    written("a folder that is a file", to: "walk.csv/out.csv", exit: 73) {
      "\($0): cannot be created: Not a directory; write elsewhere"
    },
    written("a folder that cannot be written", to: "/usr/lib/out.csv", user: 4711, exit: 77) {
      "\($0): cannot be created: Permission denied; write to a folder that you may change"
    },
    written("a full disk", to: "/dev/full", exit: 74) {
      "\($0): the disk is full; free some space or write elsewhere with -o"
    },
  ]

  private static func written(
    _ name: String, to place: String, user: UInt32? = nil, exit code: Int32,
    message: (String) -> String
  ) -> BadInput {
    configured(
      name, ["replay", "walk.csv", "-o", place],
      files: ["walk.csv": .text("t,x,y\n0,1,2\n0.1,1,2\n")], user: user, exit: code,
      [message(place)])
  }
}
