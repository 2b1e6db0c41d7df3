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

  /// Connects a machine whose attempt is due.
  private func connect(_ machine: inout ConnectionStateMachine, at ms: Int64) {
    #expect(machine.next(at: at(ms)) == .report(.connecting))
    #expect(machine.next(at: at(ms)) == .connect)
    #expect(machine.connected(at: at(ms)) == .connected)
    #expect(machine.isConnected)
  }

  /// Loses a connection or an attempt and returns the length of the wait in ms; nil if none follows.
  private func lose(
    _ machine: inout ConnectionStateMachine, at ms: Int64, random: Double = 1
  ) -> Double? {
    let event = machine.lost(closed, at: at(ms), random: random)
    #expect(event == (machine.deadline == nil ? .ended(closed) : .lost(closed)))
    #expect(!machine.isConnected)
    return machine.deadline.map { Double($0.nanoseconds - ms * 1_000_000) / 1e6 }
  }

  private func receive(_ machine: inout ConnectionStateMachine, _ text: String) {
    Array(text.utf8).withUnsafeBytes { machine.received($0) }
  }

  @Test func waitsDoubleUpToTheMaximum() {
    var machine = ConnectionStateMachine(
      policy: .exponential(from: .milliseconds(100), to: .seconds(5)))
    let waits = (0..<9).map { _ -> Double? in lose(&machine, at: 0) }
    #expect(waits == [100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000])
  }

  /// A random number, and the first wait in ms.
  @Test(arguments: [(0, 50), (0.5, 75), (0.999, 99.95)])
  func waitIsRandomInTheUpperHalfOfItsBound(random: Double, ms: Double) throws {
    var machine = ConnectionStateMachine(policy: .standard)
    #expect(abs(try #require(lose(&machine, at: 7, random: random)) - ms) < 1e-3)
  }

  @Test func anAttemptIsMadeAtOnceAndAfterTheWait() {
    var machine = ConnectionStateMachine(policy: .standard)
    connect(&machine, at: 0)
    #expect(lose(&machine, at: 10) == 100)
    #expect(machine.next(at: at(109)) == .wait)
    connect(&machine, at: 110)
  }

  @Test func lastingConnectionResetsTheWaits() {
    var machine = ConnectionStateMachine(policy: .standard)
    for _ in 0..<5 { _ = lose(&machine, at: 0) }
    connect(&machine, at: 5_000)
    #expect(lose(&machine, at: 10_001) == 100)
  }

  @Test func waitsGrowIfTheDaemonEndsEveryConnection() {
    var machine = ConnectionStateMachine(policy: .standard)
    var waits: [Double?] = []
    for attempt in Int64(0)..<4 {
      connect(&machine, at: attempt * 1_000)
      waits.append(lose(&machine, at: attempt * 1_000 + 10))
    }
    #expect(waits == [100, 200, 400, 800])
  }

  @Test func neverDoesNotRetry() {
    var machine = ConnectionStateMachine(policy: .never)
    #expect(lose(&machine, at: 0) == nil)
    #expect(machine.next(at: .distantFuture) == .wait)
    #expect(machine.lost(closed, at: at(0), random: 0) == .ended(nil))
  }

  /// A daemon that refuses is asked again later; nil ends the connection for good.
  @Test func leavingWaitsUntilThen() {
    var machine = ConnectionStateMachine(policy: .standard)
    connect(&machine, at: 0)
    machine.leave(until: at(10_000))
    #expect(machine.next(at: at(9_999)) == .wait)
    connect(&machine, at: 10_000)
    machine.leave(until: nil)
    #expect(machine.deadline == nil && machine.next(at: .distantFuture) == .wait)
    #expect(machine.connected(at: at(0)) == .ended(nil))
  }

  @Test func policyHasAMinimumWait() {
    let policy = ReconnectionPolicy.exponential(from: .zero, to: .zero)
    #expect(policy == .exponential(from: .milliseconds(1), to: .milliseconds(1)))
    var machine = ConnectionStateMachine(policy: policy)
    for _ in 0..<100 { #expect(lose(&machine, at: 0, random: 0) == 0.5) }
  }

  @Test func linesAreReportedBeforeMoreIsRead() {
    var machine = ConnectionStateMachine(policy: .standard)
    connect(&machine, at: 0)
    #expect(machine.next(at: at(0)) == .read)
    receive(&machine, "a\nb\nrest")
    #expect(machine.next(at: at(0)) == .report(.line(Array("a".utf8)[...])))
    #expect(machine.next(at: at(0)) == .report(.line(Array("b".utf8)[...])))
    #expect(machine.next(at: at(0)) == .read)
    // The next connection begins with a line of its own.
    _ = lose(&machine, at: 1)
    connect(&machine, at: 101)
    receive(&machine, "c\n")
    #expect(machine.next(at: at(101)) == .report(.line(Array("c".utf8)[...])))
  }

  @Test func anOverlongLineIsMalformed() {
    var machine = ConnectionStateMachine(policy: .standard)
    connect(&machine, at: 0)
    receive(&machine, "a\n" + String(repeating: "x", count: LineSplitter.maxLineLength + 1))
    #expect(machine.next(at: at(0)) == .report(.line(Array("a".utf8)[...])))
    #expect(machine.next(at: at(0)) == .lose(.malformed))
  }

  /// What is sent before a connection waits for it; what a connection has not taken is lost with it.
  @Test func outputWaitsForAConnectionAndIsLostWithIt() {
    var machine = ConnectionStateMachine(policy: .standard)
    machine.send(Array("first".utf8))
    connect(&machine, at: 0)
    machine.sent(2)
    #expect(machine.output == Array("rst".utf8))
    _ = lose(&machine, at: 1)
    #expect(machine.output.isEmpty)
  }
}
