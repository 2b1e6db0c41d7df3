// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

@testable import ParallaxClient

@Suite("Reconnection")
struct ConnectionStateMachineTests {
  private let closed = ParallaxError.closed

  private func at(_ ms: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: ms * 1_000_000)
  }

  /// Returns the length of the wait in ms; nil for another action.
  private func wait(_ action: ConnectionStateMachine.Action, from ms: Int64) -> Double? {
    guard case .wait(let instant) = action else { return nil }
    return Double(instant.nanoseconds - ms * 1_000_000) / 1e6
  }

  @Test func waitsDoubleUpToTheMaximum() {
    var machine = ConnectionStateMachine(
      policy: .exponential(from: .milliseconds(100), to: .seconds(5)))
    #expect(machine.start() == .connect)
    let waits = (0..<9).map { _ -> Double? in
      let action = machine.lost(closed, at: at(0), random: 1)
      #expect(machine.waited() == .connect)
      return wait(action, from: 0)
    }
    #expect(waits == [100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000])
  }

  /// A random number, and the first wait in ms.
  @Test(arguments: [(0, 50), (0.5, 75), (0.999, 99.95)])
  func waitIsRandomInTheUpperHalfOfItsBound(random: Double, ms: Double) throws {
    var machine = ConnectionStateMachine(policy: .standard)
    let action = machine.lost(closed, at: at(7), random: random)
    #expect(abs(try #require(wait(action, from: 7)) - ms) < 1e-3)
  }

  @Test func lastingConnectionResetsTheWaits() {
    var machine = ConnectionStateMachine(policy: .standard)
    for _ in 0..<5 { _ = machine.lost(closed, at: at(0), random: 1) }
    #expect(machine.connected(at: at(0)) == .serve)
    #expect(wait(machine.lost(closed, at: at(5_001), random: 1), from: 5_001) == 100)
  }

  @Test func waitsGrowIfTheDaemonEndsEveryConnection() {
    var machine = ConnectionStateMachine(policy: .standard)
    var waits: [Double?] = []
    for _ in 0..<4 {
      #expect(machine.connected(at: at(0)) == .serve)
      #expect(machine.greeted(by: .current) == nil)
      waits.append(wait(machine.lost(closed, at: at(10), random: 1), from: 10))
    }
    #expect(waits == [100, 200, 400, 800])
  }

  @Test func otherMajorVersionEndsTheStream() {
    var machine = ConnectionStateMachine(policy: .standard)
    _ = machine.connected(at: at(0))
    let version = VersionMessage(release: "9.0.0", protoMajor: 2, protoMinor: 0)
    #expect(
      machine.greeted(by: version) == .finish(.incompatible(major: 2, release: "9.0.0")))
    #expect(machine.lost(closed, at: at(0), random: 0) == .finish(nil))
    #expect(machine.waited() == .finish(nil))
  }

  @Test func newerMinorVersionIsAccepted() {
    var machine = ConnectionStateMachine(policy: .standard)
    _ = machine.connected(at: at(0))
    let version = VersionMessage(release: "0.9.0", protoMajor: 1, protoMinor: 7)
    #expect(machine.greeted(by: version) == nil)
  }

  @Test func neverDoesNotRetry() {
    var machine = ConnectionStateMachine(policy: .never)
    #expect(machine.lost(closed, at: at(0), random: 0) == .finish(closed))
    #expect(machine.waited() == .finish(nil))
  }

  @Test func stoppingEndsEveryState() {
    var machine = ConnectionStateMachine(policy: .standard)
    #expect(machine.stop() == .finish(nil))
    #expect(machine.connected(at: at(0)) == .finish(nil))
    #expect(machine.waited() == .finish(nil))
  }

  @Test func policyHasAMinimumWait() {
    let policy = ReconnectionPolicy.exponential(from: .zero, to: .zero)
    #expect(policy == .exponential(from: .milliseconds(1), to: .milliseconds(1)))
    var machine = ConnectionStateMachine(policy: policy)
    for _ in 0..<100 {
      #expect(wait(machine.lost(closed, at: at(0), random: 0), from: 0) == 0.5)
    }
  }
}
