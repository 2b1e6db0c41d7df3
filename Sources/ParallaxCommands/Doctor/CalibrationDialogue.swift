import ParallaxMotion

/// Leads a person through four poses of the device: flat on a table, on its bottom edge, on its right
/// edge, and flat again a quarter turn on. The three turns between them tell how the sensor is built
/// in; one that tells nothing is made again.
struct CalibrationDialogue {
  enum Event: Equatable {
    /// A line for the person.
    case say(String)
    case done(MountCalibration)
  }

  static let greeting = [
    "This finds out how the gyroscope is built into the device: three quarter turns, from the table.",
    "Before and behind each one the device has to be still for a second. Ctrl-C ends it.",
    "",
    "Lay the device flat on a table, the screen up, as you look at it.",
  ]

  private enum Step {
    /// Waits for this turn.
    case turn(GuidedTurn)
    /// Waits until the device was laid back on the table.
    case back
  }

  private var measured: [MeasuredTurn] = []
  private var step = Step.turn(.standUp)
  private var watcher = TurnWatcher()

  mutating func take(_ sample: GyroSample) -> [Event] {
    guard let event = watcher.take(sample) else { return [] }
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
      return [.say("That was no single turn. Hold the device still, then make it again.")]
    }
  }

  /// Enter: the device lies on the table already.
  mutating func takeEnter() -> [Event] {
    guard case .back = step else { return [] }
    // Wherever it was still last, it is now on the table.
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
    // A turn on the table leaves it there.
    if turn == .turnLeft { return events + next() }
    step = .back
    return events + [.say("   Lay it flat on the table again, the screen up.")]
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

  /// Asks for the next turn that is missing; the device is at rest.
  private mutating func next() -> [Event] {
    let missing = GuidedTurn.allCases.first { turn in !measured.contains { $0.turn == turn } }
    let turn = missing ?? .standUp
    step = .turn(turn)
    return [Self.prompt(turn)]
  }
}
