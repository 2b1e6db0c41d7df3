// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxTool

/// A user who follows the instructions, with a device in which the sensor is mounted at an angle.
private struct User {
  let mount: MountMatrix
  var generator: SeededGenerator
  private var time = MotionInstant.zero
  private let hertz = 50.0

  init(mount: MountMatrix, salt: UInt64 = 0) {
    self.mount = mount
    generator = .forTest(salt: salt)
  }

  /// Holds the device still. A gyroscope at rest does not read 0.
  mutating func rest(seconds: Double) -> [GyroSample] {
    turn(about: AngularRate(x: 0, y: 0, z: 0), degrees: 0, seconds: seconds)
  }

  /// Turns about an axis of the device.
  mutating func turn(
    about axis: AngularRate, degrees: Double, seconds: Double = 1.2
  ) -> [GyroSample] {
    let count = Int(seconds * hertz)
    return (1...count).map { index in
      time += .nanoseconds(Int64(1e9 / hertz))
      // The turn starts and ends slowly.
      let share = (Double(index) - 0.5) / Double(count)
      let speed = 6 * share * (1 - share) * degrees * .pi / 180 / seconds
      let device = AngularRate(x: axis.x * speed, y: axis.y * speed, z: axis.z * speed)
      var sensor = mount.transposed.apply(device)
      sensor.x += 0.03 + .random(in: -0.01...0.01, using: &generator)
      sensor.y += -0.02 + .random(in: -0.01...0.01, using: &generator)
      sensor.z += 0.01 + .random(in: -0.01...0.01, using: &generator)
      return GyroSample(time: time, rateRadPerSec: sensor)
    }
  }

  /// Makes a guided turn, and rests.
  mutating func make(_ turn: GuidedTurn, degrees: Double = 90) -> [GyroSample] {
    self.turn(about: Self.axis(turn), degrees: degrees) + rest(seconds: 1.5)
  }

  /// Lays the device back on the table.
  mutating func goBack(from turn: GuidedTurn, degrees: Double = 90) -> [GyroSample] {
    make(turn, degrees: -degrees)
  }

  private static func axis(_ turn: GuidedTurn) -> AngularRate {
    switch turn {
    case .standUp: AngularRate(x: 1, y: 0, z: 0)
    case .raiseLeftEdge: AngularRate(x: 0, y: 1, z: 0)
    case .turnLeft: AngularRate(x: 0, y: 0, z: 1)
    }
  }
}

extension CalibrationDialogue {
  fileprivate mutating func handle(_ samples: [GyroSample]) -> [Event] {
    samples.flatMap { handle($0) }
  }
}

private let first = "1 of 3: \(GuidedTurn.standUp.instruction), and hold it still."
private let second = "2 of 3: \(GuidedTurn.raiseLeftEdge.instruction), and hold it still."
private let third = "3 of 3: \(GuidedTurn.turnLeft.instruction), and hold it still."
private let back = "   Lay it flat on the table again, with the screen up."

@Suite("Calibration dialogue")
struct CalibrationTests {
  private func matrix(_ text: String) throws -> MountMatrix { try MountMatrix(parsing: text) }

  private func lines(_ events: [CalibrationDialogue.Event]) -> [String] {
    events.map { event in
      switch event {
      case .say(let line): line
      case .done(let calibration): "done: \(calibration.matrix.text)"
      }
    }
  }

  @Test(arguments: [
    "1,0,0;0,1,0;0,0,1", "0,1,0;-1,0,0;0,0,1", "-1,0,0;0,-1,0;0,0,1", "0,0,1;1,0,0;0,1,0",
    "0,0,-1;0,1,0;1,0,0",
  ])
  func theTurnsYieldTheMatrix(mount: String) throws {
    var user = User(mount: try matrix(mount))
    var dialogue = CalibrationDialogue()
    #expect(lines(dialogue.handle(user.rest(seconds: 1.5))) == [first])
    #expect(lines(dialogue.handle(user.make(.standUp))).last == back)
    #expect(lines(dialogue.handle(user.goBack(from: .standUp))) == [second])
    #expect(lines(dialogue.handle(user.make(.raiseLeftEdge))).last == back)
    #expect(lines(dialogue.handle(user.goBack(from: .raiseLeftEdge))) == [third])
    #expect(lines(dialogue.handle(user.make(.turnLeft))).last == "done: \(mount)")
  }

  @Test func aSmallTurnIsRepeated() throws {
    var user = User(mount: .identity)
    var dialogue = CalibrationDialogue()
    _ = dialogue.handle(user.rest(seconds: 1.5))
    let said = lines(dialogue.handle(user.make(.standUp, degrees: 40)))
    #expect(said.count == 2)
    #expect(said.first?.hasPrefix("   standing up: only 4") ?? false)
    #expect(said.last == back)
    #expect(lines(dialogue.handle(user.goBack(from: .standUp, degrees: 40))) == [first])
  }

  @Test func aTurnTheWrongWayRepeatsAllTurns() throws {
    var user = User(mount: .identity)
    var dialogue = CalibrationDialogue()
    _ = dialogue.handle(user.rest(seconds: 1.5))
    for turn in [GuidedTurn.standUp, .raiseLeftEdge] {
      _ = dialogue.handle(user.make(turn) + user.goBack(from: turn))
    }
    let said = lines(dialogue.handle(user.make(.turnLeft, degrees: -90)))
    #expect(said.dropLast().last?.contains("the wrong way") ?? false)
    #expect(said.last == first)
  }

  @Test func enterMeansThatTheDeviceIsOnTheTable() throws {
    var user = User(mount: .identity)
    var dialogue = CalibrationDialogue()
    #expect(dialogue.handleEnter().isEmpty)
    _ = dialogue.handle(user.rest(seconds: 1.5) + user.make(.standUp))
    #expect(dialogue.handleEnter().isEmpty)
    #expect(lines(dialogue.handle(user.rest(seconds: 1.5))) == [second])
  }

  @Test func aTurnThatIsTooLongIsReported() throws {
    var user = User(mount: .identity)
    var dialogue = CalibrationDialogue()
    var events = dialogue.handle(user.rest(seconds: 1.5))
    for _ in 0..<12 {
      let axis = AngularRate(x: 1, y: 0, z: 0)
      events += dialogue.handle(user.turn(about: axis, degrees: 60, seconds: 1))
      events += dialogue.handle(user.turn(about: axis, degrees: -60, seconds: 1))
    }
    #expect(
      lines(events) == [
        first, "That was not a single turn. Hold the device still, then repeat the turn.",
      ])
  }

  @Test(
    arguments: [
      ("0,1,0;-1,0,0;0,0,1", nil, "mount-matrix = \"0,1,0;-1,0,0;0,0,1\""),
      ("1,0,0;0,1,0;0,0,1", "1,0,0;0,1,0;0,0,1", "already in effect"),
      ("0,1,0;-1,0,0;0,0,1", "1,0,0;0,1,0;0,0,1", "/etc/parallax/parallax.toml"),
    ] as [(String, String?, String)])
  func advice(mount: String, current: String?, says: String) throws {
    var user = User(mount: try matrix(mount))
    var dialogue = CalibrationDialogue()
    var events = dialogue.handle(user.rest(seconds: 1.5))
    for turn in GuidedTurn.allCases {
      events = dialogue.handle(user.make(turn))
      if case .done(let calibration)? = events.last {
        let advice = CalibrationAdvice.lines(
          calibration, current: try current.map(matrix), file: "/etc/parallax/parallax.toml")
        #expect(advice.contains { $0.contains(says) }, "\(advice)")
        return
      }
      _ = dialogue.handle(user.goBack(from: turn))
    }
    Issue.record("never done")
  }
}
