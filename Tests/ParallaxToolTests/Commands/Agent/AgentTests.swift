// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxClient
import ParallaxLoop
import ParallaxProtocol
import ParallaxTestSupport
import Testing

/// `parallax agent` on private buses, with the test as the portal and as iio-sensor-proxy. Tests/System has
/// the rest, with a daemon that follows its reports.
@Suite("parallax agent", .timeLimit(.minutes(10)))
struct AgentTests {
  private let folder: TemporaryFolder
  private let loop: EventLoop

  init() throws {
    folder = try TemporaryFolder()
    loop = try EventLoop()
  }

  private func agent(
    _ control: String, session: PrivateBus? = nil, system: PrivateBus? = nil
  ) throws -> RunningProgram {
    try Program.parallax.start(
      ["agent", "--control", control],
      environment: [
        "DBUS_SESSION_BUS_ADDRESS": session?.address ?? "unix:path=\(folder("no-session-bus"))",
        "DBUS_SYSTEM_BUS_ADDRESS": system?.address ?? "unix:path=\(folder("no-system-bus"))",
        "NOTIFY_SOCKET": nil,
      ])
  }

  private func status(_ daemon: LiveDaemon) throws -> StatusMessage {
    let client = try ParallaxControl(path: daemon.control)
    guard case .status(let status, _) = try client.answer(to: .status).answer else {
      throw TestSupportError("no STATUS")
    }
    return status
  }

  private func waitForGate(_ daemon: LiveDaemon, _ reasons: [String]) throws {
    // The socket exists a moment before the daemon listens.
    try loop.run("the gate says \(reasons)") {
      (try? status(daemon))?.gate.reasons == reasons
    }
  }

  private static let everything = #"{"class":"AGENT","reduce_motion":false,"wanted":true}"#
  private static let ack = #"{"class":"ACK"}"#

  // MARK: - The connection

  @Test func theReportIsRepeatedToTheNextDaemonAndASignalIsExit0() throws {
    let server = try FakeServer(at: folder("control.sock"))
    let program = try agent(server.path)
    for _ in 0..<3 {
      let peer = try server.accept()
      #expect(try peer.hear() == Self.everything)
      try peer.say(Self.ack, #"{"class":"WANTED","orientation":false}"#)
      peer.close()
    }
    let last = try server.accept()
    #expect(try last.hear() == Self.everything)
    program.send(signal: SIGTERM)
    let result = try program.finish()
    #expect(result.exitCode == 0)
    #expect(result.output == "")
    // A restart of the daemon is not logged.
    #expect(result.errorLines.allSatisfy { $0.contains("session bus") }, "\(result.errors)")
    #expect(try last.hear() == nil)
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func aSignalEndsItWithoutADaemon(signal: Int32) throws {
    let program = try agent(folder("control.sock"))
    try waitUntil("it has begun to wait") { stateOf(program.processID) == "S" }
    program.send(signal: signal)
    let result = try program.finish()
    // A signal before the loop starts ends it directly.
    #expect(result.exitCode == 0 || result.signal == signal)
  }

  private func stateOf(_ process: pid_t) -> Substring? {
    (try? text(ofFile: "/proc/\(process)/stat"))?.split(separator: " ").dropFirst(2).first
  }

  @Test func aRefusalIsLoggedOnce() throws {
    let server = try FakeServer(at: folder("control.sock"))
    let program = try agent(server.path)
    let peer = try server.accept()
    try peer.say(#"{"class":"ERROR","message":"not admitted; log in","code":"denied"}"#)
    peer.close()
    // The next attempt would be 10 s later; AgentStateMachineTests covers it.
    program.send(signal: SIGTERM)
    let result = try program.finish()
    #expect(result.exitCode == 0)
    #expect(result.errors.components(of: "not admitted; log in") <= 1)
  }

  // MARK: - Reports

  @Test func aRestartedDaemonGetsTheSettingOfALostPortal() throws {
    let bus = try PrivateBus()
    var portal: FakePortal? = try FakePortal(loop, bus.address)
    portal?.reducedMotion = .uint32(1)
    try portal?.appear()
    let first = try LiveDaemon(in: folder)
    let program = try agent(first.control, session: bus)
    try waitForGate(first, ["reduce-motion:agent"])
    _ = try first.end()
    portal = nil
    let second = try LiveDaemon(in: folder)
    try waitForGate(second, ["reduce-motion:agent"])
    withExtendedLifetime(program) {}
  }

  @Test func theAccelerometerIsClaimedOnRequest() throws {
    let bus = try PrivateBus()
    let proxy = try BusPeer(loop, bus.address)
    proxy.answer = { call in
      switch (call.member, call.arguments.last) {
      case ("Get", .string("HasAccelerometer")): .values([.variant("b", .bool(true))])
      case ("Get", _): .values([.variant("s", .string("left-up"))])
      default: .values([])
      }
    }
    try proxy.own("net.hadess.SensorProxy")
    let server = try FakeServer(at: folder("control.sock"))
    let program = try agent(server.path, system: bus)
    let peer = try server.accept()
    #expect(try peer.hear() == Self.everything)
    try peer.say(Self.ack, #"{"class":"WANTED","orientation":true}"#)
    try loop.run("it is claimed and read") {
      proxy.calls.contains { $0.arguments.last == .string("AccelerometerOrientation") }
    }
    #expect(try peer.hear() == #"{"class":"AGENT","orientation":"left-up"}"#)
    try peer.say(Self.ack)
    try proxy.emitPropertyChanged(
      "/net/hadess/SensorProxy", "net.hadess.SensorProxy", "AccelerometerOrientation", "s",
      .string("bottom-up"))
    #expect(try peer.hear() == #"{"class":"AGENT","orientation":"bottom-up"}"#)
    try peer.say(Self.ack, #"{"class":"WANTED","orientation":false}"#)
    #expect(try peer.hear() == #"{"class":"AGENT","orientation":"auto"}"#)
    #expect(proxy.calls.map(\.member).filter { $0 == "ClaimAccelerometer" }.count == 1)
    withExtendedLifetime(program) {}
  }

  @Test func theAgentReportsTheOrientationToADaemonThatTheProxyRefuses() throws {
    let bus = try PrivateBus()
    let proxy = try BusPeer(loop, bus.address)
    var claims = 0
    proxy.answer = { call in
      switch (call.member, call.arguments.last) {
      case ("Get", .string("HasAccelerometer")): return .values([.variant("b", .bool(true))])
      case ("Get", _): return .values([.variant("s", .string("left-up"))])
      case ("ClaimAccelerometer", _):
        claims += 1
        // The first claim is the daemon's: the agent claims only on request.
        return claims == 1
          ? .error(name: "org.freedesktop.DBus.Error.AccessDenied", words: "Not Authorized")
          : .values([])
      default: return .values([])
      }
    }
    try proxy.own("net.hadess.SensorProxy")
    let daemon = try LiveDaemon(systemBus: bus.address)
    let program = try agent(daemon.control, system: bus)
    try loop.run("the agent is there") { (try? status(daemon))?.agents.isEmpty == false }
    #expect(claims == 0)
    let stream = try Program.parallax.start(["subscribe", "--socket", daemon.socket])
    try loop.run("the agent's word counts") {
      let status = try status(daemon)
      return status.orientationSource == .agent && status.orientation == .leftUp
    }
    program.send(signal: SIGTERM)
    try loop.run("and ends with it") { try status(daemon).orientationSource == .builtIn }
    withExtendedLifetime(stream) {}
  }
}

extension String {
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
