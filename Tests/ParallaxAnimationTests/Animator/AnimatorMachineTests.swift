import Testing

@testable import ParallaxAnimation

/// The animator's states and what leads from one to the next. One of 10 s, at 5 s.
@Suite("The states of an animator") struct AnimatorMachineTests {
  private static let now: Int64 = 5_000_000_000

  enum Deed: CaseIterable {
    case start, startLater, pause, turnRound, scrub, goOn, stop, finish
  }

  enum Kind: CaseIterable {
    case inactive, waiting, running, paused, stopped
  }

  /// A machine in a state, at the place 4.
  private func machine(_ kind: Kind) throws -> AnimatorMachine {
    var machine = AnimatorMachine()
    guard kind != .inactive else { return machine }
    machine.begin(durationSeconds: 10, isEmpty: false)
    try machine.scrub(to: 0.4)
    switch kind {
    case .inactive, .paused: break
    case .waiting: try machine.start(afterSeconds: 3, atNanoseconds: Self.now)
    case .running: try machine.start(afterSeconds: 0, atNanoseconds: Self.now)
    case .stopped: try machine.stop(atNanoseconds: Self.now)
    }
    return machine
  }

  private func perform(_ deed: Deed, _ machine: inout AnimatorMachine) throws(AnimatorError) {
    switch deed {
    case .start: try machine.start(afterSeconds: 0, atNanoseconds: Self.now)
    case .startLater: try machine.start(afterSeconds: 2, atNanoseconds: Self.now)
    case .pause: try machine.pause(atNanoseconds: Self.now)
    case .turnRound: try machine.setReversed(true, atNanoseconds: Self.now)
    case .scrub: try machine.scrub(to: 0.7)
    case .goOn: try machine.continue(durationFactor: 0, atNanoseconds: Self.now)
    case .stop: try machine.stop(atNanoseconds: Self.now)
    case .finish: _ = try machine.finish(at: .current)
    }
  }

  private static let waiting = AnimatorMachine.State.waiting(
    place: 4, startNanoseconds: now + 2_000_000_000)
  private static let stillWaiting = AnimatorMachine.State.waiting(
    place: 4, startNanoseconds: now + 3_000_000_000)
  private static let running = AnimatorMachine.State.running(place: 4, sinceNanoseconds: now)
  private static let paused = AnimatorMachine.State.paused(place: 4)
  private static let stopped = AnimatorMachine.State.stopped(place: 4)

  /// From each state by each deed: a state, or a refusal.
  private static let table: [(Kind, [(Deed, Result<AnimatorMachine.State, AnimatorError>)])] = [
    (
      .inactive,
      [
        (.start, .failure(.isInactive)), (.startLater, .failure(.isInactive)),
        (.pause, .failure(.isInactive)), (.turnRound, .success(.inactive)),
        (.scrub, .failure(.isNotPaused)), (.goOn, .failure(.isNotPaused)),
        (.stop, .failure(.isInactive)), (.finish, .failure(.isNotStopped)),
      ]
    ),
    (
      .waiting,
      [
        (.start, .success(running)), (.startLater, .success(waiting)),
        (.pause, .success(paused)), (.turnRound, .success(stillWaiting)),
        (.scrub, .failure(.isNotPaused)), (.goOn, .failure(.isNotPaused)),
        (.stop, .success(stopped)), (.finish, .failure(.isNotStopped)),
      ]
    ),
    (
      .running,
      [
        (.start, .success(running)), (.startLater, .success(running)),
        (.pause, .success(paused)), (.turnRound, .success(running)),
        (.scrub, .failure(.isNotPaused)), (.goOn, .failure(.isNotPaused)),
        (.stop, .success(stopped)), (.finish, .failure(.isNotStopped)),
      ]
    ),
    (
      .paused,
      [
        (.start, .success(running)), (.startLater, .success(waiting)),
        (.pause, .success(paused)), (.turnRound, .success(paused)),
        (.scrub, .success(.paused(place: 7))), (.goOn, .success(running)),
        (.stop, .success(stopped)), (.finish, .failure(.isNotStopped)),
      ]
    ),
    (
      .stopped,
      [
        (.start, .failure(.isStopped)), (.startLater, .failure(.isStopped)),
        (.pause, .failure(.isStopped)), (.turnRound, .failure(.isStopped)),
        (.scrub, .failure(.isStopped)), (.goOn, .failure(.isStopped)),
        (.stop, .success(stopped)), (.finish, .success(.inactive)),
      ]
    ),
  ]

  @Test func `from each state, by each deed`() throws {
    #expect(Self.table.map(\.0) == Kind.allCases)
    for (kind, row) in Self.table {
      #expect(row.map(\.0) == Deed.allCases)
      for (deed, expected) in row {
        var machine = try machine(kind)
        let before = machine
        do throws(AnimatorError) {
          try perform(deed, &machine)
          #expect(.success(machine.state) == expected, "\(deed) of one that is \(kind)")
        } catch {
          #expect(.failure(error) == expected, "\(deed) of one that is \(kind)")
          #expect(machine == before)
        }
      }
    }
  }

  @Test func `by itself it leaves waiting and running alone`() throws {
    for kind in Kind.allCases {
      var machine = try machine(kind)
      let ending = machine.advance(toNanoseconds: .max)
      let ends = kind == .waiting || kind == .running
      #expect(ending == (ends ? .end : nil))
      #expect(try machine == (ends ? ended() : self.machine(kind)))
      #expect((try self.machine(kind).nextEventNanoseconds != nil) == ends)
    }
  }

  /// What has ended is as new, but for its duration.
  private func ended() -> AnimatorMachine {
    var machine = AnimatorMachine()
    machine.begin(durationSeconds: 10, isEmpty: false)
    _ = machine.end(at: .end)
    return machine
  }

  @Test func `where it ends is where it goes`() throws {
    var machine = try machine(.running)
    try machine.setReversed(true, atNanoseconds: Self.now)
    #expect(machine.nextEventNanoseconds == Self.now + 4_000_000_000)
    #expect(machine.advance(toNanoseconds: Self.now + 3_999_999_999) == nil)
    #expect(machine.advance(toNanoseconds: Self.now + 4_000_000_000) == .start)
    #expect(machine.phase == .inactive && !machine.isReversed)
  }
}
