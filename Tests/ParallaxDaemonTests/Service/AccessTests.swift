// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDaemon
import ParallaxLoop
import ParallaxTestSupport
import Testing

/// Authority while a client is connected: session changes, reloads and places.
struct AccessTests {
  private static let inhibit = #"{"class":"INHIBIT","reason":"password"}"#
  /// Whether the client got one ERROR `denied` and was disconnected.
  private func isDenied(_ client: Client) -> Bool {
    let last = client.lines().last
    return client.isClosed && last?.name == "ERROR" && last?["code"] == "denied"
  }

  private func reload(_ rig: Rig, _ settings: String...) throws {
    rig.core.hub.reconfigure(
      try Rig.configuration(["source.kind=synthetic"] + settings), at: rig.now)
    rig.run(seconds: 0)
  }

  /// A client that loses its own rights by RELOAD gets the answer first.
  @Test func aReloadIsAnsweredBeforeItDisconnects() throws {
    let rig = try Rig(["source.kind=synthetic", "socket.control-users=nora"])
    rig.core.control.reload = { [weak rig] now in
      if let configuration = try? Rig.configuration(["source.kind=synthetic"]) {
        rig?.core.hub.reconfigure(configuration, at: now)
      }
      return .success(nil)
    }
    let client = rig.control(1004)
    #expect(client.ask(#"{"class":"RELOAD"}"#).map(\.name) == ["ACK", "ERROR"])
    #expect(client.isClosed)
  }

  // MARK: - Places

  /// 8 users with 32 connections each fill `max-subscribers`.
  @Test(arguments: ["stream", "control"])
  func thePrivilegedHavePlacesOfTheirOwn(_ socket: String) throws {
    let rig = try Rig([
      "source.kind=synthetic", "socket.access=all", "socket.control-users=nora",
      "socket.control-group=operators",
    ])
    func connect(_ uid: UInt32, groups: [UInt32] = []) -> Client {
      socket == "stream" ? rig.subscribe(uid, groups: groups) : rig.control(uid, groups: groups)
    }
    let flood = (0..<256).map { connect(2000 + UInt32($0) / 32) }
    #expect(!flood.contains { $0.isClosed })
    #expect(connect(1000).lines().first?["code"] == "too-many")
    let privileged = [
      connect(0), connect(Rig.daemonUser), connect(1004), connect(1006, groups: [60]),
    ]
    #expect(!privileged.contains { $0.isClosed })
    // They take no place from the others either.
    flood[0].hangUp()
    #expect(!connect(1000).isClosed)
  }

  /// The last descriptors of the process are for the privileged.
  @Test(arguments: [(UInt32(1000), [] as [UInt32], false), (0, [], true), (1000, [60], true)])
  func descriptorsAreKeptForThePrivileged(
    _ uid: UInt32, _ groups: [UInt32], _ isAdmitted: Bool
  ) throws {
    let rig = try Rig(["source.kind=synthetic", "socket.control-group=operators"])
    let services: [any ClientService] = [rig.core.stream, rig.core.control]
    for service in services {
      let connection = FakeConnection()
      connection.usesDescriptorReserve = true
      let events = service.connect(connection, from: Rig.peer(uid, groups: groups), at: rig.now)
      #expect((events != nil) == isAdmitted && connection.isClosed != isAdmitted)
      let line = Line.all(in: connection.consume()).first
      if !isAdmitted { #expect(line?["code"] == "too-many") }
    }
  }

  // MARK: - Unreadable sessions

  /// Until logind's files can be read again, no user with a session gets motion, and no one is
  /// disconnected: a shortage of descriptors must not reveal motion or end an inhibition.
  @Test func unreadableSessionsStopMotion() throws {
    let rig = try Rig()
    let (mine, root, control) = (rig.subscribe(1000), rig.subscribe(0), rig.control(1001))
    control.send(Self.inhibit)
    rig.sessions.fail(SystemError(number: 24, call: "sd_seat_get_sessions"))
    #expect(rig.core.hub.gates.message(for: 1000).reasons == ["inhibit", "inactive"])
    #expect(rig.core.hub.gates.message(for: 0).reasons == ["inhibit"])
    #expect(isDenied(rig.subscribe(1001)))
    rig.run(seconds: 10)
    #expect(![mine, root, control].contains { $0.isClosed })
    #expect(rig.log.count { $0.contains("sd_seat_get_sessions") } == 1, "\(rig.log)")
    // Reading is tried again every second.
    rig.sessions.failure = nil
    rig.run(seconds: 1)
    #expect(rig.core.hub.gates.message(for: 1000).reasons == ["inhibit"])
    #expect(!rig.subscribe(1001).isClosed)
  }

  // MARK: - Accounts

  /// Users and groups are looked up at the start and at a reload: a directory service may be slow.
  @Test func noAccountIsLookedUpForAClient() throws {
    let rig = try Rig([
      "source.kind=synthetic", "socket.control-users=nora", "socket.control-group=operators",
    ])
    let atStart = rig.lookups.count
    for uid in [1000, 1002, 1004, 0] as [UInt32] {
      let client = rig.control(uid)
      client.send(#"{"class":"STATUS"}"#, #"{"class":"RECENTER"}"#)
      _ = rig.subscribe(uid, groups: nil)
    }
    #expect(rig.lookups.count == atStart)
    try reload(rig, "socket.control-users=nora")
    #expect(rig.lookups.count > atStart)
  }
}
