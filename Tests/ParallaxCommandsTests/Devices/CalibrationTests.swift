import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxCommands

/// A person who does as they are told, with a device in which the sensor sits turned.
private struct Person {
  let mount: MountMatrix
  var generator: SeededGenerator
  /// ns.
  private var time: Int64 = 0
  private let hertz = 50.0

  init(mount: MountMatrix, salt: UInt64 = 0) {
    self.mount = mount
    generator = .forTest(salt: salt)
  }

  /// Holds still; a gyroscope at rest does not say 0.
  mutating func rest(seconds: Double) -> [GyroSample] {
    turn(about: AngularRate(x: 0, y: 0, z: 0), degrees: 0, seconds: seconds)
  }

  /// Turns about an axis of the device.
  mutating func turn(
    about axis: AngularRate, degrees: Double, seconds: Double = 1.2
  ) -> [GyroSample] {
    let count = Int(seconds * hertz)
    return (1...count).map { index in
      time += Int64(1e9 / hertz)
      // Begins and ends slowly.
      let share = (Double(index) - 0.5) / Double(count)
      let speed = 6 * share * (1 - share) * degrees * .pi / 180 / seconds
      let device = AngularRate(x: axis.x * speed, y: axis.y * speed, z: axis.z * speed)
      var sensor = mount.transposed.apply(device)
      sensor.x += 0.03 + .random(in: -0.01...0.01, using: &generator)
      sensor.y += -0.02 + .random(in: -0.01...0.01, using: &generator)
      sensor.z += 0.01 + .random(in: -0.01...0.01, using: &generator)
      return GyroSample(timeNanoseconds: time, rateRadPerSec: sensor)
    }
  }

  /// A guided turn, and the rest behind it.
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
  fileprivate mutating func take(_ samples: [GyroSample]) -> [Event] {
    samples.flatMap { take($0) }
  }
}

private let first = "1 of 3: \(GuidedTurn.standUp.instruction), and hold it still."
private let second = "2 of 3: \(GuidedTurn.raiseLeftEdge.instruction), and hold it still."
private let third = "3 of 3: \(GuidedTurn.turnLeft.instruction), and hold it still."
private let back = "   Lay it flat on the table again, the screen up."

@Suite("Calibration by four poses")
struct CalibrationTests {
  private func matrix(_ text: String) throws -> MountMatrix { try MountMatrix(parsing: text) }

  private func lines(_ events: [CalibrationDialogue.Event]) -> [String] {
    events.map { event in
      switch event {
      case .say(let line): line
      case .done(let calibration): "done: \(GyroText.matrix(calibration.matrix))"
      }
    }
  }

  @Test(arguments: [
    "1,0,0;0,1,0;0,0,1", "0,1,0;-1,0,0;0,0,1", "-1,0,0;0,-1,0;0,0,1", "0,0,1;1,0,0;0,1,0",
    "0,0,-1;0,1,0;1,0,0",
  ])
  func theFourPosesTellTheMatrix(mount: String) throws {
    var person = Person(mount: try matrix(mount))
    var dialogue = CalibrationDialogue()
    #expect(lines(dialogue.take(person.rest(seconds: 1.5))) == [first])
    #expect(lines(dialogue.take(person.make(.standUp))).last == back)
    #expect(lines(dialogue.take(person.goBack(from: .standUp))) == [second])
    #expect(lines(dialogue.take(person.make(.raiseLeftEdge))).last == back)
    #expect(lines(dialogue.take(person.goBack(from: .raiseLeftEdge))) == [third])
    #expect(lines(dialogue.take(person.make(.turnLeft))).last == "done: \(mount)")
  }

  @Test func aTurnThatIsTooSmallIsMadeAgain() throws {
    var person = Person(mount: .identity)
    var dialogue = CalibrationDialogue()
    _ = dialogue.take(person.rest(seconds: 1.5))
    let said = lines(dialogue.take(person.make(.standUp, degrees: 40)))
    #expect(said.count == 2)
    #expect(said.first?.hasPrefix("   standing up came to 4") ?? false)
    #expect(said.last == back)
    #expect(lines(dialogue.take(person.goBack(from: .standUp, degrees: 40))) == [first])
  }

  @Test func aTurnTheWrongWayRoundMakesAllOfThemAgain() throws {
    var person = Person(mount: .identity)
    var dialogue = CalibrationDialogue()
    _ = dialogue.take(person.rest(seconds: 1.5))
    for turn in [GuidedTurn.standUp, .raiseLeftEdge] {
      _ = dialogue.take(person.make(turn) + person.goBack(from: turn))
    }
    let said = lines(dialogue.take(person.make(.turnLeft, degrees: -90)))
    #expect(said.dropLast().last?.contains("wrong way round") ?? false)
    #expect(said.last == first)
  }

  @Test func enterSaysThatItLiesOnTheTable() throws {
    var person = Person(mount: .identity)
    var dialogue = CalibrationDialogue()
    #expect(dialogue.takeEnter().isEmpty)
    _ = dialogue.take(person.rest(seconds: 1.5) + person.make(.standUp))
    #expect(dialogue.takeEnter().isEmpty)
    #expect(lines(dialogue.take(person.rest(seconds: 1.5))) == [second])
  }

  @Test func whoNeverRestsIsTold() throws {
    var person = Person(mount: .identity)
    var dialogue = CalibrationDialogue()
    var events = dialogue.take(person.rest(seconds: 1.5))
    for _ in 0..<12 {
      let axis = AngularRate(x: 1, y: 0, z: 0)
      events += dialogue.take(person.turn(about: axis, degrees: 60, seconds: 1))
      events += dialogue.take(person.turn(about: axis, degrees: -60, seconds: 1))
    }
    #expect(
      lines(events) == [
        first, "That was no single turn. Hold the device still, then make it again.",
      ])
  }

  @Test(
    arguments: [
      ("0,1,0;-1,0,0;0,0,1", nil, "mount-matrix = \"0,1,0;-1,0,0;0,0,1\""),
      ("1,0,0;0,1,0;0,0,1", "1,0,0;0,1,0;0,0,1", "holds already"),
      ("0,1,0;-1,0,0;0,0,1", "1,0,0;0,1,0;0,0,1", "/etc/parallax/parallax.toml"),
    ] as [(String, String?, String)])
  func advice(mount: String, current: String?, says: String) throws {
    var person = Person(mount: try matrix(mount))
    var dialogue = CalibrationDialogue()
    var events = dialogue.take(person.rest(seconds: 1.5))
    for turn in GuidedTurn.allCases {
      events = dialogue.take(person.make(turn))
      if case .done(let calibration)? = events.last {
        let advice = Calibrator.advice(
          calibration, current: try current.map(matrix), file: "/etc/parallax/parallax.toml")
        #expect(advice.contains { $0.contains(says) }, "\(advice)")
        return
      }
      _ = dialogue.take(person.goBack(from: turn))
    }
    Issue.record("never done")
  }

  @Test func withoutATerminalItSaysWhatToDo() throws {
    let result = try Program.parallax.run(["doctor", "--calibrate"])
    #expect(result.exitCode == 64)
    #expect(result.errorLines.count == 1)
    #expect(result.errors.contains("run it on a terminal"))
  }
}
