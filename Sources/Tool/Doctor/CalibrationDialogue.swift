// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion

/// Guides the user through the calibration: three quarter turns of the device, from which the mount
/// matrix follows. A turn that measures nothing useful is repeated.
///
/// Pure: samples in, lines for the user out.
struct CalibrationDialogue {
  enum Event: Equatable {
    /// A line for the user.
    case say(String)
    case done(MountCalibration)
  }

  static let greeting = [
    "This finds out how the gyroscope is mounted in the device. It takes three turns of 90 degrees.",
    "Hold the device still for one second before and after each turn. Ctrl-C cancels.",
    "",
    "Lay the device flat on the table in front of you, with the screen up.",
  ]

  private enum Step {
    /// Waits for this turn.
    case turn(GuidedTurn)
    /// Waits until the device is back on the table.
    case back
  }

  private var measured: [MeasuredTurn] = []
  private var step = Step.turn(.standUp)
  private var watcher = TurnWatcher()

  init() {}

  mutating func handle(_ sample: GyroSample) -> [Event] {
    guard let event = watcher.receive(sample) else { return [] }
    switch (step, event) {
    case (.turn(let turn), .atRest):
      return [Self.prompt(turn)]
    case (.turn(let turn), .turned(let samples)):
      return finish(turn, samples)
    case (.back, .atRest):
      return []
    case (.back, .turned):
      return next()
    case (_, .tooLong):
      return [.say("That was not a single turn. Hold the device still, then repeat the turn.")]
    }
  }

  /// Handles Enter, which says that the device is on the table already.
  mutating func handleEnter() -> [Event] {
    guard case .back = step else { return [] }
    // The next rest is the one on the table.
    watcher = TurnWatcher()
    _ = next()
    return []
  }

  private static func prompt(_ turn: GuidedTurn) -> Event {
    let count = GuidedTurn.allCases.count
    return .say("\(turn.rawValue + 1) of \(count): \(turn.instruction), and hold it still.")
  }

  private mutating func finish(_ turn: GuidedTurn, _ samples: [GyroSample]) -> [Event] {
    var events: [Event] = []
    do throws(CalibrationError) {
      let one = try MeasuredTurn(turn, samples: samples)
      events.append(.say("   \(Int(one.angleDegrees.rounded())) degrees"))
      measured.append(one)
      if measured.count == GuidedTurn.allCases.count {
        return events + [.done(try calibration())]
      }
    } catch {
      events.append(.say("   \(error)."))
      measured.removeAll { error.turn == nil || error.turn == $0.turn }
    }
    // A turn on the table ends on the table.
    if turn == .turnLeft { return events + next() }
    step = .back
    return events + [.say("   Lay it flat on the table again, with the screen up.")]
  }

  private func calibration() throws(CalibrationError) -> MountCalibration {
    func one(_ turn: GuidedTurn) throws(CalibrationError) -> MeasuredTurn {
      guard let one = measured.first(where: { $0.turn == turn }) else {
        throw .tooFewSamples(turn, count: 0)
      }
      return one
    }
    return try MountCalibration(
      standUp: try one(.standUp), raiseLeftEdge: try one(.raiseLeftEdge),
      turnLeft: try one(.turnLeft))
  }

  /// Asks for the next missing turn. The device is at rest.
  private mutating func next() -> [Event] {
    let missing = GuidedTurn.allCases.first { turn in !measured.contains { $0.turn == turn } }
    let turn = missing ?? .standUp
    step = .turn(turn)
    return [Self.prompt(turn)]
  }
}
