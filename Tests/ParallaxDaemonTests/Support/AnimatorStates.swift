// SPDX-License-Identifier: Apache-2.0

import Testing

/// The states of UIViewPropertyAnimator on an animation that plays, with what each action leads to.
enum AnimatorStates {
  /// An action in a state, and the state after it or its error.
  struct Row: CustomTestStringConvertible, Sendable {
    let state: String
    let action: String
    /// The members of ANIMATE besides its id and action.
    let arguments: String
    /// As in `running 0.5 reversed`: the state, the fraction and the direction; or the message of an ERROR.
    let expected: String

    var testDescription: String { "\(action) while \(state)" }
  }

  /// What is half of its way: 100 px in an hour, which real time does not change by a thousandth.
  private static let document =
    #"{"parallax":1,"animation":{"move":{"by":[100,0]},"duration":3600,"curve":"linear"}}"#
  private static let lift = #"{"parallax":1,"animation":{"move":{"by":[0,8]},"duration":1}}"#

  /// The lines of a control connection that lead an animation "drawer", half of its way, to a state.
  static func requests(entering state: String) -> [String] {
    [
      #"{"class":"PLAY","document":\#(document),"as":"drawer","paused":true}"#,
      animate("seek", #""fraction":0.5"#),
    ] + (entries[state] ?? [])
  }

  static func animate(_ action: String, _ arguments: String = "") -> String {
    #"{"class":"ANIMATE","id":"drawer","action":"\#(action)"\#(arguments.isEmpty ? "" : ",")\#(arguments)}"#
  }

  /// The state in an answer, its fraction to three decimals, or the ERROR's text.
  static func text(of lines: [Line]) -> String {
    guard let answer = lines.first(where: { ["ACK", "ERROR"].contains($0.name) }) else {
      return "\(lines)"
    }
    if answer.name == "ERROR" { return answer["message"] ?? "" }
    let thousandths = ((answer.number("fraction") ?? -1) * 1000).rounded()
    let fraction =
      thousandths.remainder(dividingBy: 1000) == 0
      ? "\(Int(thousandths) / 1000)" : "\(thousandths / 1000)"
    return "\(answer["state"] ?? "") \(fraction)"
      + (answer.object["reversed"] == .bool(true) ? " reversed" : "")
  }

  private static let entries = [
    "running": [animate("resume")],
    "waiting": [animate("resume", #""delay":600"#)],
    "stopped": [animate("stop")],
    "ended": [animate("finish")],
  ]

  private static let seek = "animation 'drawer' is not paused; pause it before a seek"
  private static let proceed =
    "animation 'drawer' is not paused; only a paused animation continues with another timing"
  private static let stopped = "animation 'drawer' is stopped; only finish is possible"
  private static let gone = "no animation 'drawer' plays"

  static let table: [Row] = [
    Row(state: "paused", action: "pause", arguments: "", expected: "paused 0.5"),
    Row(state: "paused", action: "resume", arguments: "", expected: "running 0.5"),
    Row(state: "paused", action: "reverse", arguments: "", expected: "paused 0.5 reversed"),
    Row(state: "paused", action: "seek", arguments: #""fraction":0.2"#, expected: "paused 0.2"),
    Row(state: "paused", action: "speed", arguments: #""speed":2"#, expected: "paused 0.5"),
    Row(state: "paused", action: "continue", arguments: "", expected: "running 0.5"),
    Row(state: "paused", action: "stop", arguments: "", expected: "stopped 0.5"),
    Row(state: "paused", action: "finish", arguments: "", expected: "ended 1"),
    Row(state: "paused", action: "add", arguments: #""document":\#(lift)"#, expected: "paused 0.5"),

    Row(state: "running", action: "pause", arguments: "", expected: "paused 0.5"),
    Row(state: "running", action: "resume", arguments: "", expected: "running 0.5"),
    Row(state: "running", action: "reverse", arguments: "", expected: "running 0.5 reversed"),
    Row(state: "running", action: "seek", arguments: #""fraction":0.2"#, expected: seek),
    Row(state: "running", action: "speed", arguments: #""speed":2"#, expected: "running 0.5"),
    Row(state: "running", action: "continue", arguments: "", expected: proceed),
    Row(state: "running", action: "stop", arguments: "", expected: "stopped 0.5"),
    Row(state: "running", action: "finish", arguments: "", expected: "ended 1"),
    Row(
      state: "running", action: "add", arguments: #""document":\#(lift)"#, expected: "running 0.5"),

    Row(state: "waiting", action: "pause", arguments: "", expected: "paused 0.5"),
    Row(state: "waiting", action: "resume", arguments: "", expected: "running 0.5"),
    Row(state: "waiting", action: "reverse", arguments: "", expected: "waiting 0.5 reversed"),
    Row(state: "waiting", action: "seek", arguments: #""fraction":0.2"#, expected: seek),
    Row(state: "waiting", action: "speed", arguments: #""speed":2"#, expected: "waiting 0.5"),
    Row(state: "waiting", action: "continue", arguments: "", expected: proceed),
    Row(state: "waiting", action: "stop", arguments: "", expected: "stopped 0.5"),
    Row(state: "waiting", action: "finish", arguments: "", expected: "ended 1"),
    Row(
      state: "waiting", action: "add", arguments: #""document":\#(lift)"#, expected: "waiting 0.5"),

    Row(state: "stopped", action: "pause", arguments: "", expected: stopped),
    Row(state: "stopped", action: "resume", arguments: "", expected: stopped),
    Row(state: "stopped", action: "reverse", arguments: "", expected: stopped),
    Row(state: "stopped", action: "seek", arguments: #""fraction":0.2"#, expected: stopped),
    Row(state: "stopped", action: "speed", arguments: #""speed":2"#, expected: stopped),
    Row(state: "stopped", action: "continue", arguments: "", expected: stopped),
    Row(state: "stopped", action: "stop", arguments: "", expected: "stopped 0.5"),
    Row(state: "stopped", action: "finish", arguments: "", expected: "ended 1"),
    Row(state: "stopped", action: "add", arguments: #""document":\#(lift)"#, expected: stopped),

    Row(state: "ended", action: "pause", arguments: "", expected: gone),
    Row(state: "ended", action: "resume", arguments: "", expected: gone),
    Row(state: "ended", action: "reverse", arguments: "", expected: gone),
    Row(state: "ended", action: "seek", arguments: #""fraction":0.2"#, expected: gone),
    Row(state: "ended", action: "speed", arguments: #""speed":2"#, expected: gone),
    Row(state: "ended", action: "continue", arguments: "", expected: gone),
    Row(state: "ended", action: "stop", arguments: "", expected: gone),
    Row(state: "ended", action: "finish", arguments: "", expected: gone),
    Row(state: "ended", action: "add", arguments: #""document":\#(lift)"#, expected: gone),
  ]
}
