import ParallaxTestSupport
import Testing

@testable import ParallaxClient

@Suite("Connecting again")
struct ConnectionMachineTests {
  private let gone = ParallaxError.closed

  private func at(_ ms: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: ms * 1_000_000)
  }

  /// The wait in ms, where the action is one.
  private func wait(_ action: ConnectionMachine.Action, from ms: Int64) -> Double? {
    guard case .wait(let instant) = action else { return nil }
    return Double(instant.nanoseconds - ms * 1_000_000) / 1e6
  }

  @Test func `waits double, up to the longest`() {
    var machine = ConnectionMachine(
      policy: .exponential(from: .milliseconds(100), to: .seconds(5)))
    #expect(machine.start() == .connect)
    let waits = (0..<9).map { _ -> Double? in
      let action = machine.lost(gone, at: at(0), random: 1)
      #expect(machine.waited() == .connect)
      return wait(action, from: 0)
    }
    #expect(waits == [100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000])
  }

  /// What is drawn, and the first wait in ms.
  @Test(arguments: [(0, 50), (0.5, 75), (0.999, 99.95)])
  func `a wait is drawn from its upper half`(random: Double, ms: Double) throws {
    var machine = ConnectionMachine(policy: .standard)
    let action = machine.lost(gone, at: at(7), random: random)
    #expect(abs(try #require(wait(action, from: 7)) - ms) < 1e-3)
  }

  @Test func `a connection that lasted makes the waits begin anew`() {
    var machine = ConnectionMachine(policy: .standard)
    for _ in 0..<5 { _ = machine.lost(gone, at: at(0), random: 1) }
    #expect(machine.connected(at: at(0)) == .serve)
    #expect(wait(machine.lost(gone, at: at(5_001), random: 1), from: 5_001) == 100)
  }

  @Test func `a daemon that throws us out at once is waited for longer and longer`() {
    var machine = ConnectionMachine(policy: .standard)
    var waits: [Double?] = []
    for _ in 0..<4 {
      #expect(machine.connected(at: at(0)) == .serve)
      #expect(machine.greeted(by: .current) == nil)
      waits.append(wait(machine.lost(gone, at: at(10), random: 1), from: 10))
    }
    #expect(waits == [100, 200, 400, 800])
  }

  @Test func `a protocol of another generation ends it`() {
    var machine = ConnectionMachine(policy: .standard)
    _ = machine.connected(at: at(0))
    let version = VersionMessage(release: "9.0.0", protoMajor: 2, protoMinor: 0)
    #expect(
      machine.greeted(by: version) == .finish(.incompatible(major: 2, release: "9.0.0")))
    #expect(machine.lost(gone, at: at(0), random: 0) == .finish(nil))
    #expect(machine.waited() == .finish(nil))
  }

  @Test func `a newer minor protocol is none of our business`() {
    var machine = ConnectionMachine(policy: .standard)
    _ = machine.connected(at: at(0))
    let version = VersionMessage(release: "0.9.0", protoMajor: 1, protoMinor: 7)
    #expect(machine.greeted(by: version) == nil)
  }

  @Test func `never means never`() {
    var machine = ConnectionMachine(policy: .never)
    #expect(machine.lost(gone, at: at(0), random: 0) == .finish(gone))
    #expect(machine.waited() == .finish(nil))
  }

  @Test func `stopping ends it in every state`() {
    var machine = ConnectionMachine(policy: .standard)
    #expect(machine.stop() == .finish(nil))
    #expect(machine.connected(at: at(0)) == .finish(nil))
    #expect(machine.waited() == .finish(nil))
  }

  @Test func `a policy cannot be impatient`() {
    let policy = ReconnectionPolicy.exponential(from: .zero, to: .zero)
    #expect(policy == .exponential(from: .milliseconds(1), to: .milliseconds(1)))
    var machine = ConnectionMachine(policy: policy)
    for _ in 0..<100 {
      #expect(wait(machine.lost(gone, at: at(0), random: 0), from: 0) == 0.5)
    }
  }
}
