// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxDaemon

/// What many clients cost: counts are kept as they change, and nothing visits every client in turn.
struct SubscriberCostTests {
  private static func watch(_ orientation: Orientation?) -> String {
    "{\"class\":\"WATCH\",\"orientation\":\"\(orientation?.rawValue ?? "auto")\"}"
  }

  /// However many subscribers state an orientation, each of the four has one screen.
  @Test func ownOrientationsShareFourScreens() throws {
    let rig = try Rig()
    let clients = (0..<300).map { _ in rig.subscribe() }
    var screens: Int { rig.core.hub.engine.screenCount }
    #expect(screens == 1)
    for client in clients { client.send(Self.watch(.leftUp)) }
    #expect(screens == 2)
    for (index, client) in clients.enumerated() {
      client.send(Self.watch(Orientation.allCases[index % 4]))
    }
    #expect(screens == 5)
    // A user whose agent reports an orientation has a screen of its own.
    let (user, agent) = (rig.subscribe(1000), rig.control(1000))
    agent.send(#"{"class":"AGENT","orientation":"bottom-up"}"#)
    #expect(screens == 6)
    user.send(Self.watch(.bottomUp))
    #expect(screens == 6)
    user.hangUp()
    #expect(screens == 5)
    for client in clients.dropFirst(2) { client.hangUp() }
    #expect(screens == 3)
    clients[0].send(Self.watch(nil))
    clients[1].hangUp()
    #expect(screens == 1)
  }

  /// The counts of subscribers and screens are those that a count of all subscribers gives.
  @Test func countsFollowEveryChange() throws {
    let rig = try Rig()
    var random = SeededGenerator.forTest()
    var clients: [Client] = []
    for step in 0..<2_000 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1: clients.append(rig.subscribe([0, 1000, 1001].randomElement(using: &random) ?? 0))
      case 2 where !clients.isEmpty:
        clients.remove(at: Int.random(in: clients.indices, using: &random)).hangUp()
      case 3: clients.randomElement(using: &random)?.send(#"{"class":"WATCH","enable":false}"#)
      case 4:
        clients.randomElement(using: &random)?.send(#"{"class":"WATCH","enable":true,"rate":5}"#)
      case 5, 6:
        let orientation = ([nil] + Orientation.allCases).randomElement(using: &random) ?? nil
        clients.randomElement(using: &random)?.send(Self.watch(orientation))
      default: rig.run(seconds: 0.05)
      }
      clients.removeAll { $0.isClosed }
      let subscribers = rig.core.stream.subscribers
      try #require(subscribers.count == clients.count, "step \(step)")
      let hub = rig.core.hub
      try #require(
        hub.engine.screenCount == 1 + Set(subscribers.compactMap(\.ownOrientation)).count,
        "step \(step)")
      for user in hub.audience.users {
        let own = subscribers.filter { $0.user === user }
        try #require(user.connections == own.count, "step \(step)")
        try #require(user.counts.enabled == own.count { $0.isEnabled }, "step \(step)")
        try #require(
          user.counts.moving == own.count { $0.isEnabled && !$0.isAtRest }, "step \(step)")
      }
    }
    #expect(clients.count > 20)
  }

  // MARK: - The roster

  private final class Visits {
    var count = 0
  }

  /// A client that counts each look at it.
  private final class CountedClient: RosterClient {
    let ownChannel: LineChannel
    private let visits: Visits
    private var ownPlace = 0

    init(_ budget: UserBudget, _ visits: Visits) {
      ownChannel = LineChannel(FakeConnection(), lineLimit: .stream, budget: budget)
      self.visits = visits
    }

    var channel: LineChannel {
      visits.count += 1
      return ownChannel
    }

    var place: Int {
      get {
        visits.count += 1
        return ownPlace
      }
      set {
        visits.count += 1
        ownPlace = newValue
      }
    }
  }

  /// A turn of the loop looks at no client that does nothing; a client that leaves costs a few looks,
  /// however many there are.
  @Test func clientsThatDoNothingCostNothing() {
    let count = 2_000
    let (roster, visits) = (ClientRoster<CountedClient>(), Visits())
    let budget = UserBudgets().budget(ofUser: 1000, isLimited: true, at: .zero)
    var clients = (0..<count).map { _ in CountedClient(budget, visits) }
    for client in clients { roster.add(client) }
    #expect(visits.count <= 4 * count)
    visits.count = 0
    for turn in 0..<1_000 {
      #expect(!roster.hasClosed && roster.deadline == nil)
      roster.expire(at: .zero + .seconds(Int64(turn)))
    }
    #expect(visits.count == 0)
    // One half leaves one after the other, the rest at once.
    var random = SeededGenerator.forTest()
    clients.shuffle(using: &random)
    for client in clients.prefix(count / 2) {
      client.ownChannel.close()
      let closed = roster.removeClosed()
      #expect(closed.count == 1 && closed.first === client)
    }
    for client in clients.dropFirst(count / 2) { client.ownChannel.close() }
    #expect(roster.removeClosed().count == count / 2)
    #expect(roster.clients.isEmpty && !roster.hasClosed)
    #expect(visits.count <= 6 * count)
  }
}
