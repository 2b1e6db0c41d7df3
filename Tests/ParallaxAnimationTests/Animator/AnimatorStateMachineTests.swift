// SPDX-License-Identifier: Apache-2.0

@testable import ParallaxAnimation
import ParallaxBase
import Testing

/// The transitions of an animator of 10 s, at the time 5 s.
@Suite("Animator state machine") struct AnimatorStateMachineTests {
  private static let now: MotionInstant = 5_000_000_000

  enum Operation: CaseIterable {
    case start, startLater, pause, reverse, scrub, resume, stop, finish
  }

  enum Kind: CaseIterable {
    case inactive, waiting, running, paused, stopped
  }

  /// Returns a machine in a state, at the place 4.
  private func machine(_ kind: Kind) throws -> AnimatorStateMachine {
    var machine = AnimatorStateMachine()
    guard kind != .inactive else { return machine }
    machine.begin(durationSeconds: 10, isEmpty: false)
    try machine.scrub(to: 0.4)
    switch kind {
    case .inactive, .paused: break
    case .waiting: try machine.start(afterSeconds: 3, at: Self.now)
    case .running: try machine.start(afterSeconds: 0, at: Self.now)
    case .stopped: try machine.stop(at: Self.now)
    }
    return machine
  }

  private func perform(_ operation: Operation, _ machine: inout AnimatorStateMachine)
    throws(AnimatorError)
  {
    switch operation {
    case .start: try machine.start(afterSeconds: 0, at: Self.now)
    case .startLater: try machine.start(afterSeconds: 2, at: Self.now)
    case .pause: try machine.pause(at: Self.now)
    case .reverse: try machine.setReversed(true, at: Self.now)
    case .scrub: try machine.scrub(to: 0.7)
    case .resume: try machine.continue(durationFactor: 0, at: Self.now)
    case .stop: try machine.stop(at: Self.now)
    case .finish: _ = try machine.finish(at: .current)
    }
  }

  private static let waiting = AnimatorStateMachine.State.waiting(
    place: 4, start: now + 2_000_000_000)
  private static let stillWaiting = AnimatorStateMachine.State.waiting(
    place: 4, start: now + 3_000_000_000)
  private static let running = AnimatorStateMachine.State.running(place: 4, since: now)
  private static let paused = AnimatorStateMachine.State.paused(place: 4)
  private static let stopped = AnimatorStateMachine.State.stopped(place: 4)

  /// For each state and operation, the next state or an error.
  private static let table:
    [(Kind, [(Operation, Result<AnimatorStateMachine.State, AnimatorError>)])] = [
      (
        .inactive,
        [
          (.start, .failure(.isInactive)), (.startLater, .failure(.isInactive)),
          (.pause, .failure(.isInactive)), (.reverse, .success(.inactive)),
          (.scrub, .failure(.isNotPaused)), (.resume, .failure(.isNotPaused)),
          (.stop, .failure(.isInactive)), (.finish, .failure(.isNotStopped)),
        ]
      ),
      (
        .waiting,
        [
          (.start, .success(running)), (.startLater, .success(waiting)),
          (.pause, .success(paused)), (.reverse, .success(stillWaiting)),
          (.scrub, .failure(.isNotPaused)), (.resume, .failure(.isNotPaused)),
          (.stop, .success(stopped)), (.finish, .failure(.isNotStopped)),
        ]
      ),
      (
        .running,
        [
          (.start, .success(running)), (.startLater, .success(running)),
          (.pause, .success(paused)), (.reverse, .success(running)),
          (.scrub, .failure(.isNotPaused)), (.resume, .failure(.isNotPaused)),
          (.stop, .success(stopped)), (.finish, .failure(.isNotStopped)),
        ]
      ),
      (
        .paused,
        [
          (.start, .success(running)), (.startLater, .success(waiting)),
          (.pause, .success(paused)), (.reverse, .success(paused)),
          (.scrub, .success(.paused(place: 7))), (.resume, .success(running)),
          (.stop, .success(stopped)), (.finish, .failure(.isNotStopped)),
        ]
      ),
      (
        .stopped,
        [
          (.start, .failure(.isStopped)), (.startLater, .failure(.isStopped)),
          (.pause, .failure(.isStopped)), (.reverse, .failure(.isStopped)),
          (.scrub, .failure(.isStopped)), (.resume, .failure(.isStopped)),
          (.stop, .success(stopped)), (.finish, .success(.inactive)),
        ]
      ),
    ]

  @Test func operationsInEachState() throws {
    #expect(Self.table.map(\.0) == Kind.allCases)
    for (kind, row) in Self.table {
      #expect(row.map(\.0) == Operation.allCases)
      for (operation, expected) in row {
        var machine = try machine(kind)
        let before = machine
        do throws(AnimatorError) {
          try perform(operation, &machine)
          #expect(.success(machine.state) == expected, "\(operation) while \(kind)")
        } catch {
          #expect(.failure(error) == expected, "\(operation) while \(kind)")
          #expect(machine == before)
        }
      }
    }
  }

  @Test func timeEndsOnlyWaitingAndRunning() throws {
    for kind in Kind.allCases {
      var machine = try machine(kind)
      let ending = machine.advance(to: .distantFuture)
      let ends = kind == .waiting || kind == .running
      #expect(ending == (ends ? .end : nil))
      #expect(try machine == (ends ? ended() : self.machine(kind)))
      #expect((try self.machine(kind).nextEvent != nil) == ends)
    }
  }

  /// Returns an ended machine, which keeps only its duration.
  private func ended() -> AnimatorStateMachine {
    var machine = AnimatorStateMachine()
    machine.begin(durationSeconds: 10, isEmpty: false)
    _ = machine.end(at: .end)
    return machine
  }

  @Test func reversedMachineEndsAtItsStart() throws {
    var machine = try machine(.running)
    try machine.setReversed(true, at: Self.now)
    #expect(machine.nextEvent == Self.now + 4_000_000_000)
    #expect(machine.advance(to: Self.now + 3_999_999_999) == nil)
    #expect(machine.advance(to: Self.now + 4_000_000_000) == .start)
    #expect(machine.phase == .inactive && !machine.isReversed)
  }
}
