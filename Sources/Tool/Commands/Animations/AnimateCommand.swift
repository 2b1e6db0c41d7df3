// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxBase
import ParallaxProtocol

/// `parallax animate`: changes an animation that plays or is paused.
struct AnimateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "animate",
    abstract: "Pause, scrub, reverse or finish an animation that plays.",
    discussion: """
      ID is the id that 'parallax play' gave it (--as, or else the document's). Only the user who \
      began the animation may change it. The command prints the state after the change.

        parallax play drawer.json --as drawer --paused --detach
        parallax animate drawer seek 0.3
        parallax animate drawer continue --curve '{"spring":{"response":0.4}}' --velocity 900,0

      pause                 hold it where it is
      resume                play on, or begin to play
      reverse               turn its direction around
      seek FRACTION         move it to a share of its path, 0 to 1; it must be paused
      speed FACTOR          play at a multiple of its speed, 0.01 to 100
      continue              play on after a pause with another timing (--curve, --velocity, \
      --duration-factor)
      stop                  stop it where it is; only finish follows
      finish [POSITION]     end it at its start, current or end position; the default is end
      append DOCUMENT       add a part to the end of a chain
      add DOCUMENT          add the motion of another document for the time that is left
      """)

  @Argument(
    help: .init("Animation to change.", valueName: "ID"), completion: .runningAnimation)
  var id: String

  @Argument(
    help: .init("What to do.", valueName: "ACTION"),
    completion: .list(AnimateRequest.Action.names))
  var action: String

  @Argument(
    help: .init("Fraction, factor, position or document of the action.", valueName: "VALUE"))
  var value: String?

  @Option(help: .init("Only the animation on this layer.", valueName: "L"), completion: .layer)
  var layer: String?

  @Option(help: .init("Seconds to wait before it resumes.", valueName: "S"))
  var delay: Double = 0

  @Option(
    help: .init(
      "Curve of the rest, as in documents: ease-out, or JSON such as "
        + "{\"spring\":{\"response\":0.5}}.",
      valueName: "CURVE"))
  var curve: String?

  @Option(
    help: .init(
      "Velocity with which it continues, in px/s; needs a spring, the default with this option.",
      valueName: "X,Y"))
  var velocity: String?

  @Option(
    help: .init(
      "Time of the rest as a multiple of the whole duration; the default is what a spring takes, "
        + "or else the time that is left.",
      valueName: "F"))
  var durationFactor: Double?

  @OptionGroup var connection: ControlOptions

  func run() throws {
    let request = AnimateRequest(id, layer: layer, try request())
    let reply = try connection.ask(.animate(request))
    guard case .ack(let ack, _) = reply.answer, let progress = ack.progress else { return }
    try Console.print("\(id): \(Self.text(of: progress))")
  }

  /// As in `paused at 30 %, reversed`.
  static func text(of progress: AnimationProgress) -> String {
    var text = progress.state.rawValue
    if progress.state != .ended {
      text += " at \((progress.fraction * 1000).rounded() / 10) %"
      if progress.isReversed { text += ", reversed" }
      if progress.speed != 1 { text += ", speed \(progress.speed)" }
    }
    return text.replacing(".0 %", with: " %")
  }

  private func request() throws(CommandFailure) -> AnimateRequest.Action {
    switch action {
    case "pause": return try withoutValue(.pause)
    case "resume": return try withoutValue(.resume(delaySeconds: delay))
    case "reverse": return try withoutValue(.reverse())
    case "stop": return try withoutValue(.stop)
    case "seek": return .seek(fraction: try number("a fraction, such as 0.3"))
    case "speed": return .speed(try number("a factor, such as 2"))
    case "continue":
      return try withoutValue(
        .continue(
          .init(
            curve: try curve.map(Self.json), durationFactor: durationFactor,
            velocity: try velocity.map(Self.velocity))))
    case "finish":
      guard let value else { return .finish(.end) }
      guard let position = AnimationMessage.Position(rawValue: value) else {
        throw CommandFailure(
          .usage, "'\(value)' is not a position; write start, current or end")
      }
      return .finish(position)
    case "add":
      guard let value else { throw CommandFailure(.usage, "add needs a document: its id or file") }
      return .add(try PlaySubject(value).request(layer: layer).subject)
    case "append":
      guard let value else {
        throw CommandFailure(.usage, "append needs a document: its id or file")
      }
      return .append(try PlaySubject(value).request(layer: layer))
    default:
      let names = AnimateRequest.Action.names
      let guess = NearestName.of(action, among: names).map { "; did you mean '\($0)'?" } ?? ""
      throw CommandFailure(
        .usage, "unknown action '\(action)'\(guess); use \(names.joined(separator: ", "))")
    }
  }

  private func withoutValue(
    _ request: AnimateRequest.Action
  ) throws(CommandFailure) -> AnimateRequest.Action {
    guard let value else { return request }
    throw CommandFailure(.usage, "'\(action)' takes no value, but got '\(value)'")
  }

  private func number(_ what: String) throws(CommandFailure) -> Double {
    guard let value else { throw CommandFailure(.usage, "\(action) needs \(what)") }
    guard let number = Double(value), number.isFinite else {
      throw CommandFailure(.usage, "'\(value)' is not a number; write \(what)")
    }
    return number
  }

  /// An object is JSON; what else there is, is a name or CSS notation.
  private static func json(_ curve: String) throws(CommandFailure) -> JSONValue {
    guard curve.hasPrefix("{") else { return .string(curve) }
    do {
      return try JSONValue.parse(curve, limits: .controlLine)
    } catch {
      throw CommandFailure(
        .usage, "--curve:\(error.line):\(error.column): invalid JSON: \(error.message)")
    }
  }

  private static func velocity(_ text: String) throws(CommandFailure) -> [Double] {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    let finite = numbers.compactMap { $0.flatMap { $0.isFinite ? $0 : nil } }
    guard finite.count == numbers.count, (2...4).contains(finite.count) else {
      throw CommandFailure(.usage, "'\(text)' is not a velocity; write X,Y in px/s, as in 900,0")
    }
    return finite
  }
}
