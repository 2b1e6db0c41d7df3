// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDaemon
import Testing

/// What one user's requests cost the others.
struct FairnessTests {
  /// User 1000 floods, user 1001 is a good subscriber, root is privileged.
  private static let settings = ["source.kind=synthetic", "socket.access=all"]

  @Test func aTurnHandlesAFewLines() throws {
    let rig = try Rig(Self.settings)
    let flood = rig.subscribe(1000)
    _ = flood.lines()
    flood.write(Array(String(repeating: "x\n", count: 2_048).utf8))
    let hasTurn = flood.takeTurn()
    #expect(hasTurn)
    #expect(flood.lines().count == LineChannel.linesPerTurn)
    #expect(flood.connection.awaits == .turn)
    var turns = 1
    while flood.takeTurn() { turns += 1 }
    let requests = Int(UserBudget.requestBurst - UserBudget.connectionCost)
    #expect(turns >= requests / LineChannel.linesPerTurn)
  }

  @Test func nothingIsReadWhileAnAnswerWaits() throws {
    let rig = try Rig(Self.settings)
    let flood = rig.control(1000)
    flood.connection.room = 0
    flood.send(bytes: Array(String(repeating: "{\"class\":\"STATUS\"}\n", count: 200).utf8))
    #expect(flood.connection.awaits == .output)
    flood.connection.room = .max
    flood.becomeWritable()
    #expect(flood.lines().count == 200)
  }

  /// The limit holds for both sockets and all connections together, and does not go away by connecting
  /// again.
  @Test func tooManyRequestsEndAConnection() throws {
    let rig = try Rig(Self.settings)
    let floods = (0..<16).flatMap { _ in [rig.subscribe(1000), rig.control(1000)] }
    for flood in floods { _ = flood.lines() }
    let good = rig.subscribe(1001)
    let root = rig.control(0)
    var answers = 0
    for _ in 0..<100 {
      for flood in floods { flood.send(bytes: Array(String(repeating: "x\n", count: 20).utf8)) }
      answers += floods.reduce(0) { $0 + $1.lines().count }
    }
    let all = UserBudget.requestBurst - 32 * UserBudget.connectionCost
    #expect(answers == Int(all) + floods.count, "each gets one last line")
    #expect(floods.allSatisfy { $0.isClosed })

    let again = rig.subscribe(1000)
    let refusal = again.lines()
    #expect(refusal.map { $0["code"] } == ["too-many"])
    #expect(again.isClosed)

    #expect(good.ask("{\"class\":\"POLL\"}").count == 2)
    for _ in 0..<2_000 { #expect(root.ask("{\"class\":\"STATUS\"}").count == 1) }
    rig.run(seconds: UserBudget.connectionCost / UserBudget.requestsPerSecond + 0.001)
    #expect(!rig.subscribe(1000).isClosed)
  }

  /// Parsing a line of 60 kB takes as long as many short requests, so it costs as many.
  @Test func longLinesCostMoreThanShortOnes() throws {
    let rig = try Rig(Self.settings)
    let flood = rig.control(1000)
    let line = "{\"class\":\"STATUS\",\"note\":\"" + String(repeating: "x", count: 60_000) + "\"}\n"
    var answers = 0
    while !flood.isClosed, answers < 100 {
      flood.send(bytes: Array(line.utf8))
      answers += flood.lines().count
    }
    let cost = 1 + Double(line.utf8.count / UserBudget.bytesPerRequest)
    let paid = ((UserBudget.requestBurst - UserBudget.connectionCost) / cost).rounded(.down)
    #expect(answers == Int(paid) + 1, "the last line says why the connection ends")
  }

  /// A budget that differs from a new one is kept; others are not kept for ever.
  @Test func budgetsOfUsersWhoLeftAreRemoved() throws {
    let budgets = UserBudgets()
    let start = Rig.startTime
    for user: UInt32 in 0..<10_000 {
      let now = start + MotionDuration(seconds: Double(user))
      _ = budgets.budget(ofUser: 1_000 + user, isLimited: true, at: now)
    }
    #expect(budgets.count <= 128)
  }

  // MARK: - Memory

  @Test func aTagHasAtMost64Bytes() throws {
    let rig = try Rig(Self.settings)
    let client = rig.control(1000)
    let tag = String(repeating: "\u{e4}", count: 32)
    let good = client.ask("{\"class\":\"STATUS\",\"tag\":\"\(tag)\"}")
    #expect(good.map { $0["tag"] } == [tag])
    let bad = client.ask("{\"class\":\"STATUS\",\"tag\":\"\(tag)a\"}")
    #expect(bad.map { $0["code"] } == ["bad-request"])
    #expect(bad.first?["message"]?.contains("64 bytes") == true)
  }

  /// Unfinished lines on many connections share a limit.
  @Test func waitingBytesOfAUserAreBounded() throws {
    let rig = try Rig(Self.settings)
    let clients = (0..<32).map { _ in rig.control(1000) }
    let other = rig.control(1001)
    let half = Array(String(repeating: "x", count: 60_000).utf8)
    for client in clients { client.send(bytes: half) }
    let open = clients.count { !$0.isClosed }
    #expect(open == UserBudget.maxWaitingBytes / half.count)
    let codes = clients.filter(\.isClosed).map { $0.lines().last?["code"] }
    #expect(codes.allSatisfy { $0 == "behind" })
    other.send(bytes: half)
    #expect(!other.isClosed)
    // A connection that ends gives its share back.
    for client in clients { client.hangUp() }
    let new = (0..<16).map { _ in rig.control(1000) }
    for client in new { client.send(bytes: half) }
    #expect(new.allSatisfy { !$0.isClosed })
  }
}
