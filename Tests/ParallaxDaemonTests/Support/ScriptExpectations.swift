// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDaemon
import ParallaxTestSupport

/// What a script expects. Expectations look at what a client has received since the last look before the last
/// action; several of them look at the same lines.
///
///     NAME < JSON             the next line has these members; `<= TEXT`: it is this text; `<~ PART`: it
///                             contains this; `< end`: no line is left
///     NAME has PART           a line contains this; `lacks PART`: none does
///     NAME names A B ...      the classes in order; a last `...` for any others
///     NAME story A, B         the ANIMATION lines, as in `nudge started, nudge completed end`; `parts`: those
///                             of a chain, as in `part-started 0 right`. `...` first or last for any others
///     NAME marbles TEXT       frames and events (`[Line].marbles`)
///     NAME state TEXT         the state in an answer to ANIMATE (`AnimatorStates.text`)
///     NAME silent, NAME closed, NAME open
///     NAME LINES count VALUE  LINES: `frames`, `lines` or a class in lower case; `onward`: frames, from the
///                             last one of the earlier looks on
///     NAME LINES zero VALUE   how many have x and y 0
///     NAME LINES first PATH VALUE [PATH VALUE]...   also `last`, `every`, `any`; a path is `layers.card.y`
///     NAME LINES list PATH VALUE VALUE...           one value for each line
///     NAME LINES steps PATH VALUE                   each difference of consecutive lines
///     NAME LINES same OTHER   both clients have the same of these lines
///     NAME LINES ends OTHER [PATH]   the last ones are the same, or have the same value
///
///     idle                    nothing is scheduled; `due SECONDS`: the next is due after them
///     starts N, stops N       of the sensor; `watches N`: of sessions
///     reasons UID [A,B]       the gate of a user
///     device STATE            of the hub; `demand NAME`: of recordings
///     users [A,B]             those who have a gate, in the order of their arrival
///     log COUNT PART          the number of log lines that contain this
///     logged N TEXT           log line N, from 1, is this text
///
/// A VALUE is a number, `LO..HI` with either end left out, `!VALUE` for any other, `none`, `some`, `true`,
/// `false`, a word, `[A,B]` for texts in an array, `~PART` up to the end of the line, or `"TEXT"` up to the end
/// of the line.
extension ScriptRun {
  /// Checks a line.
  ///
  /// - Returns: Whether it is an expectation.
  func expects(_ line: String, _ words: [String]) throws -> Bool {
    let rest = String(line.dropFirst(words[0].count + 1))
    switch words[0] {
    case "idle":
      try check(
        try rig().core.deadline == nil, "the next deadline is \(try rig().core.deadline as Any)")
    case "due":
      let due = try rig().core.deadline.map { ($0 - (try rig().now)).seconds }
      try check(try due == Self.number(rest), "due in \(due as Any) s")
    case "starts":
      try check(try Double(source.starts) == Self.number(rest), "started \(source.starts) times")
    case "stops":
      try check(try Double(source.stops) == Self.number(rest), "stopped \(source.stops) times")
    case "watches":
      let count = try rig().sessions.watchCount
      try check(try Double(count) == Self.number(rest), "\(count) watches")
    case "reasons":
      let reasons = try rig().core.hub.gates.message(for: UInt32(try Self.number(words[1]))).reasons
      try check("[\(reasons.joined(separator: ","))]" == words[2], "\(reasons)")
    case "device":
      let state = try rig().core.hub.device.state
      try check("\(state)" == rest, "\(state)")
    case "demand":
      let demand = try rig().core.control.demand
      try check("\(demand)" == rest, "\(demand)")
    case "users":
      let users = try rig().core.hub.audience.users.map { "\($0.uid)" }
      try check("[\(users.joined(separator: ","))]" == rest, "\(users)")
    case "log":
      let log = try rig().log
      let part = words.count > 2 ? words[2] : ""
      let count = log.count { part.isEmpty || $0.contains(part) }
      try check(try Self.matches(.integer(Int64(count)), words[1]), "\(log)")
    case "logged":
      let log = try rig().log
      try check(
        words.count > 2 && log.dropFirst(Int(Self.number(words[1])) - 1).first == words[2], "\(log)"
      )
    default:
      guard words.count > 1, let peer = peers[words[0]], words[1] != "=" else { return false }
      return try expects(peer, words[1], words.count > 2 ? words[2] : "")
    }
    return true
  }

  private func expects(_ peer: Peer, _ verb: String, _ text: String) throws -> Bool {
    let verbs: Set = [
      "<", "<=", "<~", "has", "lacks", "names", "story", "parts", "marbles", "state", "silent",
      "closed", "open",
    ]
    let ends = ["first", "last", "every", "any", "count", "zero", "list", "steps", "same", "ends"]
    let query = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard
      verbs.contains(verb) || ends.contains(query.first ?? "") && verb.first?.isLowercase == true
    else {
      return false
    }
    if verb == "closed" || verb == "open" {
      try check(peer.client.isClosed == (verb == "closed"), "isClosed is \(peer.client.isClosed)")
      return true
    }
    peer.look()
    let lines = peer.lines
    switch verb {
    case "<", "<=", "<~": try expectNext(peer, verb, text)
    case "has": try check(lines.contains { $0.text.contains(text) }, "\(lines)")
    case "lacks": try check(!lines.contains { $0.text.contains(text) }, "\(lines)")
    case "names": try expectList(lines.map(\.name), text.split(separator: " ").map(String.init))
    case "story":
      try expectList(
        lines.story, text.split(separator: ",").map { $0.drop { $0 == " " } }.map(String.init))
    case "parts":
      try expectList(
        lines.parts, text.split(separator: ",").map { $0.drop { $0 == " " } }.map(String.init))
    case "marbles": try check(lines.marbles == text, lines.marbles)
    case "state": try check(AnimatorStates.text(of: lines) == text, AnimatorStates.text(of: lines))
    case "silent": try check(lines.isEmpty, "\(lines)")
    default: try expect(selected(peer, verb), of: verb, query[0], query.count > 1 ? query[1] : "")
    }
    return true
  }

  private func selected(_ peer: Peer, _ name: String) -> [Line] {
    switch name {
    case "lines": peer.lines
    case "frames": peer.lines.frames
    case "onward": [peer.lastFrame].compactMap(\.self) + peer.lines.frames
    default: peer.lines.filter { $0.name == name.uppercased() }
    }
  }

  private func expectNext(_ peer: Peer, _ verb: String, _ text: String) throws {
    guard peer.position < peer.lines.count else {
      return try check(text == "end", "no line is left of \(peer.lines)")
    }
    let line = peer.lines[peer.position]
    peer.position += 1
    switch verb {
    case "<=": try check(line.text == text, line.text)
    case "<~": try check(line.text.contains(text), line.text)
    default:
      guard let pattern = Line(text) else {
        throw Failure("the pattern is not an object; the line is \(line)")
      }
      try check(pattern.object.members.allSatisfy { line.object[$0.key] == $0.value }, line.text)
    }
  }

  private func expectList(_ found: [String], _ expected: [String]) throws {
    let isEqual =
      switch (expected.first, expected.last) {
      case ("...", _): found.suffix(expected.count - 1).elementsEqual(expected.dropFirst())
      case (_, "..."): found.prefix(expected.count - 1).elementsEqual(expected.dropLast())
      default: found == expected
      }
    try check(isEqual, "\(found)")
  }

  private func expect(_ lines: [Line], of kind: String, _ verb: String, _ text: String) throws {
    let words = text.split(separator: " ").map(String.init)
    switch verb {
    case "count":
      try check(try Self.matches(.integer(Int64(lines.count)), text), "\(lines.count): \(lines)")
    case "zero":
      try check(
        try Self.matches(.integer(Int64(lines.count { $0.isZero })), text),
        "\(lines.map { ($0.x, $0.y) })")
    case "list":
      let values = lines.map { Self.value(words[0], of: $0) }
      let isEqual =
        try values.count == words.count - 1
        && zip(values, words.dropFirst()).allSatisfy { try Self.matches($0, $1) }
      try check(isEqual, "\(values.map(Self.text))")
    case "steps":
      let values = lines.map { Self.number(Self.value(words[0], of: $0)) ?? .nan }
      let isWithin = try zip(values, values.dropFirst()).allSatisfy {
        try Self.matches(.double($1 - $0), words[1])
      }
      try check(isWithin && values.count > 1, "\(values)")
    case "same":
      guard let other = peers[text] else { throw Failure("unknown client") }
      other.look()
      try check(
        lines == selected(other, kind) && !lines.isEmpty, "\(lines)\n\(selected(other, kind))")
    case "ends":
      guard let other = peers[words[0]] else { throw Failure("unknown client") }
      other.look()
      let last = [lines.last, selected(other, kind).last]
      let values = last.map { line in
        line.flatMap { words.count > 1 ? Self.value(words[1], of: $0) : .object($0.object) }
      }
      try check(values[0] != nil && values[0] == values[1], "\(last)")
    default:
      let chosen =
        switch verb {
        case "first": Array(lines.prefix(1))
        case "last": Array(lines.suffix(1))
        default: lines
        }
      let matching = try chosen.count { line in
        try Self.pairs(text).allSatisfy { try Self.matches(Self.value($0, of: line), $1) }
      }
      try check(
        verb == "any" ? matching > 0 : matching == chosen.count && !chosen.isEmpty, "\(chosen)")
    }
  }

  // MARK: - Values

  private func check(_ isMet: Bool, _ found: String) throws {
    if !isMet { throw Failure("found: \(found)") }
  }

  private static func pairs(_ text: String) -> [(path: String, value: String)] {
    var pairs: [(path: String, value: String)] = []
    var rest = text[...]
    while let space = rest.firstIndex(of: " ") {
      let path = String(rest[..<space])
      rest = rest[space...].dropFirst()
      let value = "~\"".contains(rest.first ?? " ") ? rest : rest.prefix { $0 != " " }
      pairs.append(
        (path, value.first == "\"" ? String(value.dropFirst().dropLast()) : String(value)))
      rest = rest[value.endIndex...].dropFirst()
    }
    return pairs
  }

  private static func value(_ path: String, of line: Line) -> JSONValue? {
    path.split(separator: ".").reduce(JSONValue.object(line.object)) { (value: JSONValue?, key) in
      if case .object(let object)? = value { object[String(key)] } else { nil }
    }
  }

  private static func number(_ value: JSONValue?) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  private static func text(_ value: JSONValue?) -> String {
    switch value {
    case nil: "none"
    case .string(let text): text
    case .bool(let bool): "\(bool)"
    case .array(let values): "[\(values.map(text).joined(separator: ","))]"
    default: number(value).map { "\($0)" } ?? "some"
    }
  }

  private static func matches(_ value: JSONValue?, _ pattern: String) throws -> Bool {
    if pattern == "none" { return value == nil }
    if pattern == "some" { return value != nil }
    if pattern.first == "!" {
      return try value != nil && !matches(value, String(pattern.dropFirst()))
    }
    if pattern.first == "~" { return text(value).contains(pattern.dropFirst()) }
    if let number = number(value) {
      guard let dots = pattern.firstRange(of: "..") else { return number == Double(pattern) }
      let (low, high) = (pattern[..<dots.lowerBound], pattern[dots.upperBound...])
      return try (low.isEmpty || number >= Self.number(low))
        && (high.isEmpty || number <= Self.number(high))
    }
    return value != nil && text(value) == pattern
  }
}

extension [Line] {
  /// The ANIMATION lines of a chain, as in `part-started 0 right`.
  fileprivate var parts: [String] {
    filter { $0.name == "ANIMATION" }.map { line in
      let part = line.number("part").map { " \(Int($0)) \(line["document"] ?? "")" } ?? ""
      return (line["event"] ?? "") + part + (line["message"].map { ": " + $0 } ?? "")
    }
  }
}
