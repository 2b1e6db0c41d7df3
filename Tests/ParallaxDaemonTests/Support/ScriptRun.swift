// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxConfig
import ParallaxDaemon
import ParallaxGates
import ParallaxLoop
import ParallaxProtocol
import ParallaxTestSupport
import Testing

/// Performs a script.
///
///     document ID JSON        a document that PLAY finds, besides those of `Rig.documents`
///     rig WORDS SETTINGS      `animated`: as `Rig.animated`; `sensor`: with a `ScriptSource`; `late`: its
///                             first `start` has no result; `slow`: documents wait for `answer`
///     NAME = subscribe [UID [GROUPS]], NAME = control [UID [GROUPS]]
///     run SECONDS             advances the time; `run idle`: until nothing is scheduled
///     session UID active      or `inactive`, `none`
///     gate + REASON, gate - REASON
///     sensor still, sensor lost REASON, sensor streams, sensor waits
///     reload SETTINGS         a changed configuration; `shut down`; `answer`: slow documents arrive
///     repeat COUNT LINE       the line COUNT times, with % for 0, 1, ...
///
///     NAME > LINE             sends a line
///     NAME feeds SECONDS      sends 100 samples per second, those of `ScriptSource`, as the time passes
///     NAME CLASS [ARGUMENT]... MEMBERS   forgets what was received, and sends a message. Arguments are words
///                             without quotation marks, in the order of `argumentNames`.
///     NAME skip, NAME hang up, NAME room BYTES, NAME writable
///     NAME ends input [LINE]   after this line, without a line feed
///
/// All other lines are expectations (`ScriptExpectations`).
final class ScriptRun {
  struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// A client, and what it has received.
  final class Peer {
    let client: Client
    /// What came since the last look before the last action.
    var lines: [Line] = []
    var isCurrent = false
    /// The next line to be expected.
    var position = 0
    /// The last frame of the earlier looks.
    var lastFrame: Line?

    init(_ client: Client) { self.client = client }

    func look() {
      guard !isCurrent else { return }
      lastFrame = lines.frames.last ?? lastFrame
      (lines, position, isCurrent) = (client.lines(), 0, true)
    }
  }

  /// The members that arguments without names are for.
  private static let argumentNames = [
    "PLAY": ["id"], "STOP": ["id"], "SET": ["key", "value"], "ANIMATE": ["id", "action"],
    "INHIBIT": ["reason"],
  ]

  private(set) var peers: [String: Peer] = [:]
  private(set) var source = ScriptSource()
  private var texts = Rig.documents
  private var documents = FakeDocuments([:])
  private var daemon: Rig?
  private var settings: [String] = []

  func rig() throws -> Rig {
    guard let daemon else { throw Failure("there is no rig yet") }
    return daemon
  }

  func perform(_ script: Script) {
    for line in script.test.lines {
      do {
        try perform(line.text)
      } catch {
        Issue.record("\(line.text)\n\(error)", sourceLocation: script.place(of: line))
        return
      }
    }
  }

  private func perform(_ line: String) throws {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    if try expects(line, words) { return }
    for peer in peers.values { peer.isCurrent = false }
    let rest = words.dropFirst().joined(separator: " ")
    switch words[0] {
    case "document": texts[words[1]] = words[2]
    case "rig": try start(rest.split(separator: " ").map(String.init))
    case "run" where rest == "idle": try rig().runUntilIdle()
    case "run": try rig().run(seconds: try Self.number(rest))
    case "session":
      let presences: [String: SessionPresence] = [
        "active": .active, "inactive": .inactive, "none": .none,
      ]
      guard let uid = UInt32(words[1]), let presence = presences[words[2]] else {
        throw Failure("unknown session")
      }
      try rig().sessions.set(presence, ofUser: uid)
    case "gate": try changeGate(adds: words[1] == "+", words[2])
    case "sensor": try changeSensor(words[1], reason: words.count > 2 ? words[2] : "")
    case "reload":
      let new = try Rig.configuration(
        Array(settings.prefix(1)) + rest.split(separator: " ").map(String.init))
      try rig().core.hub.reconfigure(new, at: try rig().now)
      try rig().run(seconds: 0)
    case "shut": try rig().core.shutDown(at: try rig().now)
    case "answer": documents.answer()
    case "repeat":
      for number in 0..<Int(try Self.number(words[1])) {
        try perform(words[2].replacing("%", with: "\(number)"))
      }
    default: try act(words[0], words[1], words.count > 2 ? words[2] : "")
    }
  }

  private func start(_ words: [String]) throws {
    let flags: Set = ["animated", "sensor", "late", "slow"]
    let isAnimated = words.contains("animated")
    documents = FakeDocuments(texts)
    documents.isSlow = words.contains("slow")
    if words.contains("late") { source.outcome = nil }
    settings = words.filter { !flags.contains($0) }
    if !isAnimated, !words.contains("sensor"),
      !settings.contains(where: { $0.hasPrefix("source.kind=") })
    {
      settings.insert("source.kind=synthetic", at: 0)
    }
    let makeSource: ((Configuration) -> any MotionSource)? =
      words.contains("sensor") ? { [source] _ in source } : nil
    if isAnimated {
      daemon = try Rig.animated(settings, documents: documents, source: makeSource)
    } else {
      daemon = try Rig(settings, documents: documents, source: makeSource)
    }
  }

  private func changeGate(adds: Bool, _ name: String) throws {
    guard let reason = GateReason(rawValue: name) else { throw Failure("unknown reason") }
    try rig().core.hub.update(at: try rig().now) { inputs in
      if adds {
        inputs.gates.global.formUnion(GateReasons(reason))
      } else {
        inputs.gates.global.subtract(GateReasons(reason))
      }
    }
  }

  private func changeSensor(_ change: String, reason: String) throws {
    switch change {
    case "still": source.isMoving = false
    case "waits": source.outcome = .waiting(.none, reason: reason)
    case "late": source.outcome = nil
    case "lost":
      source.isMoving = false
      source.events = [.failed(.lost, reason: reason)]
    case "streams": source.events = [.streaming(SourceStart(rateHertz: 100, isLive: true))]
    default: throw Failure("unknown change of the sensor")
    }
    if daemon != nil { try rig().core.hub.advance(at: try rig().now) }
  }

  private func act(_ name: String, _ verb: String, _ text: String) throws {
    if verb == "=" { return try connect(name, text.split(separator: " ").map(String.init)) }
    guard let peer = peers[name] else { throw Failure("unknown line") }
    let client = peer.client
    switch verb {
    case ">": client.send(text)
    case "feeds":
      for _ in 0..<Int(try Self.number(text) * 100) {
        try rig().run(seconds: 0.01)
        let time = try rig().now
        // A clock that began with the test.
        client.send(
          bytes: SampleRequest(
            time: .zero + (time - Rig.startTime),
            rateRadPerSec: ScriptSource.sample(at: time).rateRadPerSec
          ).line())
      }
    case "skip": _ = client.lines()
    case "hang": client.hangUp()
    case "ends":
      client.send(bytes: Array(text.dropFirst("input ".count).utf8))
      client.endInput()
    case "room": client.connection.room = Int(try Self.number(text))
    case "writable":
      client.connection.room = .max
      client.becomeWritable()
    case _ where verb.allSatisfy(\.isUppercase):
      _ = client.lines()
      client.send(Self.message(verb, text))
    default: throw Failure("unknown line")
    }
  }

  private func connect(_ name: String, _ words: [String]) throws {
    let uid = words.count > 1 ? UInt32(try Self.number(words[1])) : 0
    // Without groups of the process, the kernel reports those of the user.
    let groups: [UInt32]? =
      words.count > 2
      ? (words[2] == "unknown" ? nil : words[2].split(separator: ",").compactMap { UInt32($0) })
      : []
    switch words.first {
    case "subscribe": peers[name] = Peer(try rig().subscribe(uid, groups: groups))
    case "control": peers[name] = Peer(try rig().control(uid, groups: groups))
    default: throw Failure("expected subscribe or control")
    }
  }

  /// A message of this class: arguments without names first, then members.
  private static func message(_ name: String, _ text: String) -> String {
    var members = "\"class\":\"\(name)\""
    var rest = text[...]
    for key in argumentNames[name] ?? [] {
      guard let first = rest.first, first != "\"" else { break }
      let word = rest.prefix { $0 != " " }
      members += ",\"\(key)\":\"\(word)\""
      rest = rest[word.endIndex...].drop { $0 == " " }
    }
    return "{\(members)\(rest.isEmpty ? "" : ",")\(rest)}"
  }

  static func number(_ text: some StringProtocol) throws -> Double {
    guard let number = Double(String(text)) else { throw Failure("'\(text)' is not a number") }
    return number
  }
}
