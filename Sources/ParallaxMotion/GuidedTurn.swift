/// A quarter turn that a person makes so that the mounting of the gyroscope shows. Each is about
/// one axis of the device's frame, in the positive sense of the right-handed rule.
package enum GuidedTurn: Int, CaseIterable, Equatable, Sendable {
  /// About +x: the y axis turns toward z, so the top edge comes up.
  case standUp
  /// About +y: the z axis turns toward x, so the left edge comes up.
  case raiseLeftEdge
  /// About +z: the x axis turns toward y.
  case turnLeft

  /// What to do, in the imperative, without a point at the end.
  package var instruction: String {
    switch self {
    case .standUp: "lift the top edge until the device stands upright on its bottom edge"
    case .raiseLeftEdge: "raise the left edge until the device stands upright on its right edge"
    case .turnLeft: "turn the device a quarter turn counter-clockwise, flat on the table"
    }
  }

  /// The turn's name within a sentence.
  package var name: String {
    switch self {
    case .standUp: "standing up"
    case .raiseLeftEdge: "raising the left edge"
    case .turnLeft: "the quarter turn on the table"
    }
  }
}

/// Why the turns tell no mounting, and which of them to make again.
package enum CalibrationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Too few samples to tell anything.
  case tooFewSamples(GuidedTurn, count: Int)
  /// Samples are missing between two of the turn.
  case gap(GuidedTurn, seconds: Double)
  case notStillBefore(GuidedTurn)
  case notStillAfter(GuidedTurn)
  case tooSmall(GuidedTurn, degrees: Double)
  case tooLarge(GuidedTurn, degrees: Double)
  /// The axis of the turn stands at this angle to another's.
  case notAtRightAngles(GuidedTurn, other: GuidedTurn, degrees: Double)
  /// Together they are left-handed: one of the turns, or all, went the wrong way round.
  case wrongWay

  /// The turn to make again; nil: all of them.
  package var turn: GuidedTurn? {
    switch self {
    case .tooFewSamples(let turn, _), .gap(let turn, _), .notStillBefore(let turn),
      .notStillAfter(let turn), .tooSmall(let turn, _), .tooLarge(let turn, _),
      .notAtRightAngles(let turn, _, _):
      turn
    case .wrongWay: nil
    }
  }

  package var description: String {
    switch self {
    case .tooFewSamples(let turn, let count):
      "\(turn.name) gave only \(count) samples; make it again and take a second or two for it"
    case .gap(let turn, let seconds):
      "\(turn.name) lacks the samples of \(whole(seconds * 1000)) ms; make it again"
    case .notStillBefore(let turn):
      "the device did not lie still before \(turn.name); keep it still for a second, then make "
        + "the turn again"
    case .notStillAfter(let turn):
      "the device was not held still behind \(turn.name); make the turn again and hold the device "
        + "still at its end for a second"
    case .tooSmall(let turn, let degrees):
      "\(turn.name) came to \(whole(degrees)) degrees only; make it again, by about 90"
    case .tooLarge(let turn, let degrees):
      "\(turn.name) came to \(whole(degrees)) degrees; make it again, by about 90"
    case .notAtRightAngles(let turn, let other, let degrees):
      "the axis of \(turn.name) stands at \(whole(degrees)) degrees to that of \(other.name) "
        + "instead of about 90; make \(turn.name) again, and both if it stays so"
    case .wrongWay:
      "one of the turns went the wrong way round, or all of them: no device turns like that; make "
        + "all three again"
    }
  }

  private func whole(_ value: Double) -> String {
    value.magnitude < 1e6 ? "\(Int(value.rounded()))" : "\(value)"
  }
}
