// SPDX-License-Identifier: Apache-2.0

/// A quarter turn by hand that shows how the gyroscope is mounted. Each is about one axis of the
/// device, in the positive sense of the right-hand rule.
package enum GuidedTurn: Int, CaseIterable, Equatable, Sendable {
  /// About +x: the y axis turns toward z, so the top edge rises.
  case standUp
  /// About +y: the z axis turns toward x, so the left edge rises.
  case raiseLeftEdge
  /// About +z: the x axis turns toward y.
  case turnLeft

  /// The instruction to the user, in the imperative, without a period.
  package var instruction: String {
    switch self {
    case .standUp: "lift the top edge until the device stands upright on its bottom edge"
    case .raiseLeftEdge: "raise the left edge until the device stands upright on its right edge"
    case .turnLeft: "turn the device a quarter turn counterclockwise, flat on the table"
    }
  }

  /// The turn's name for use in a sentence.
  package var name: String {
    switch self {
    case .standUp: "standing up"
    case .raiseLeftEdge: "raising the left edge"
    case .turnLeft: "the quarter turn on the table"
    }
  }
}

/// The reason why turns do not yield a mount matrix, and the turn to repeat.
package enum CalibrationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Too few samples for a measurement.
  case tooFewSamples(GuidedTurn, count: Int)
  /// A gap between two samples of the turn.
  case gap(GuidedTurn, seconds: Double)
  case notStillBefore(GuidedTurn)
  case notStillAfter(GuidedTurn)
  case tooSmall(GuidedTurn, degrees: Double)
  case tooLarge(GuidedTurn, degrees: Double)
  /// The angle between the axes of two turns is too far from 90 degrees.
  case notAtRightAngles(GuidedTurn, other: GuidedTurn, degrees: Double)
  /// The turns are left-handed: one of them, or all, went the wrong way.
  case wrongWay

  /// The turn to repeat; nil for all of them.
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
      "\(turn.name): only \(count) samples; repeat it and take a second or two for it"
    case .gap(let turn, let seconds):
      "\(turn.name): no samples for \(whole(seconds * 1000)) ms; repeat it"
    case .notStillBefore(let turn):
      "the device moved before \(turn.name); hold it still for a second, then repeat the turn"
    case .notStillAfter(let turn):
      "the device moved after \(turn.name); repeat the turn, then hold the device still for a "
        + "second"
    case .tooSmall(let turn, let degrees):
      "\(turn.name): only \(whole(degrees)) degrees; repeat it by about 90"
    case .tooLarge(let turn, let degrees):
      "\(turn.name): \(whole(degrees)) degrees; repeat it by about 90"
    case .notAtRightAngles(let turn, let other, let degrees):
      "the axes of \(turn.name) and \(other.name) are at \(whole(degrees)) degrees to each other "
        + "instead of about 90; repeat \(turn.name), and both if it happens again"
    case .wrongWay:
      "one of the turns went the wrong way, or all of them; repeat all three"
    }
  }

  private func whole(_ value: Double) -> String {
    value.magnitude < 1e6 ? "\(Int(value.rounded()))" : "\(value)"
  }
}
