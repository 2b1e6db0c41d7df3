// SPDX-License-Identifier: Apache-2.0

import ParallaxProtocol
import ParallaxTestSupport
import Testing

@testable import ParallaxDaemon

/// Subscribers that get the same lines share them, and no one notices.
struct SubscriberGroupTests {
  private static let settings = [
    "source.kind=synthetic", "sampling.rate=60", "sampling.resample=linear",
    "motion.smoothing=none",
  ]

  /// Who shares lines with whom: those in the same row.
  @Test func table() throws {
    let rows: [(uid: UInt32, watch: String?, count: Int)] = [
      (0, nil, 3),
      (1000, nil, 2),
      (1001, nil, 1),
      (0, #""rate":60"#, 2),
      (0, #""rate":10"#, 3),
      (0, #""rate":7.5"#, 2),
      (1000, #""rate":10"#, 2),
      (0, #""orientation":"left-up""#, 2),
      (0, #""orientation":"normal""#, 2),
      (0, #""layers":{"bg":0.2}"#, 2),
      (0, #""layers":{"bg":0.5}"#, 1),
      (0, #""layers":{"fg":0.2}"#, 1),
      (0, #""layers":{"bg":0.2},"rate":10"#, 2),
      (0, #""on_change":true"#, 2),
      (0, #""on_change":0.05"#, 2),
      (0, #""on_change":0.1"#, 1),
      (0, #""on_change":0.1,"rate":60"#, 2),
    ]
    let rig = try Rig(Self.settings)
    // One of each row at a time, with pauses: they join whenever they connect.
    for turn in 0..<3 {
      for row in rows where turn < row.count {
        let client = rig.subscribe(row.uid)
        if let watch = row.watch { client.send(#"{"class":"WATCH",\#(watch)}"#) }
        rig.run(seconds: 0.07)
      }
    }
    for _ in 0..<2 {
      let disabled = rig.subscribe()
      disabled.send(#"{"class":"WATCH","enable":false}"#)
    }
    rig.run(seconds: 5)
    let groups = rig.core.stream.groups.active
    #expect(groups.count == rows.count)
    for row in rows {
      let matching = groups.filter { group in
        var expected = SubscriberSettings()
        if let watch = row.watch,
          case .success(.watch(let message)) = RequestLine(
            Array(#"{"class":"WATCH",\#(watch)}"#.utf8), limits: .streamLine,
            classes: StreamRequest.classes
          ).request
        {
          expected.apply(message)
        }
        return group.user.uid == row.uid && group.settings == expected
      }
      #expect(matching.map(\.count) == [row.count], "\(row)")
    }
    // All leave.
    for subscriber in rig.core.stream.subscribers { subscriber.channel.close() }
    rig.core.stream.settle(at: rig.now)
    #expect(rig.core.stream.groups.active.isEmpty)
  }

  /// A request takes a subscriber out of its group, and the next frame returns it.
  @Test func requestsSeparateForOneFrame() throws {
    let rig = try Rig(Self.settings)
    let clients = (0..<20).map { _ in rig.subscribe() }
    rig.run(seconds: 1)
    let groups = rig.core.stream.groups
    #expect(groups.active.map(\.count) == [20])
    clients[3].send(#"{"class":"WATCH","rate":30}"#)
    #expect(groups.active.map(\.count).sorted() == [1, 19])
    rig.run(seconds: 1)
    #expect(groups.active.map(\.count).sorted() == [1, 19])
    clients[4].send(#"{"class":"WATCH","rate":30}"#)
    #expect(groups.active.map(\.count).sorted() == [1, 1, 18])
    rig.run(seconds: 0.1)
    #expect(groups.active.map(\.count).sorted() == [2, 18])
    // POLL repeats a frame that all of them have been sent.
    clients[5].send(#"{"class":"POLL"}"#)
    #expect(groups.active.map(\.count).sorted() == [2, 18])
    // Between the slots of its rate there is a newer one.
    rig.run(seconds: 1.0 / 60)
    clients[3].send(#"{"class":"POLL"}"#)
    rig.run(seconds: 0.1)
    #expect(groups.active.map(\.count).sorted() == [2, 18])
    for client in clients.prefix(19) { client.hangUp() }
    #expect(groups.active.map(\.count) == [1])
  }

  /// Frames between those of the configured rate take nothing from the quota of a user who does not need them.
  @Test func framesBetweenAreOnlyForThoseWhoNeedThem() throws {
    let rig = try Rig([
      "source.kind=trace", "source.trace=\(testDataPath("Recordings/phyphox-walk/Gyroscope.csv"))",
    ])
    let (plain, fine) = (rig.subscribe(1000), rig.subscribe(1001))
    fine.send(#"{"class":"WATCH","rate":60,"on_change":0.01}"#)
    func shown(_ uid: UInt32) throws -> FrameStamp? {
      try #require(rig.core.hub.audience.users.first { $0.uid == uid }).frame?.stamp
    }
    var between = 0
    for _ in 0..<240 {
      rig.run(seconds: 1.0 / 120)
      #expect(try shown(1000)?.isBetween != true)
      if try shown(1001)?.isBetween == true { between += 1 }
    }
    #expect(between > 60 && !plain.frames().isEmpty, "\(between)")
  }

  /// Only the subscriber that missed frames gets `dropped`; the others' line is the same.
  @Test func droppedIsApart() throws {
    let rig = try Rig(Self.settings)
    let clients = (0..<3).map { _ in rig.subscribe() }
    rig.run(seconds: 1)
    #expect(rig.core.stream.groups.active.map(\.count) == [3])
    for client in clients { _ = client.lines() }
    clients[1].connection.room = 0
    rig.run(seconds: 0.5)
    clients[1].connection.room = .max
    rig.run(seconds: 0.5)
    #expect(rig.core.stream.groups.active.map(\.count) == [3])
    let (first, second) = (clients[0].lines(), clients[1].lines())
    #expect(first == clients[2].lines())
    #expect(first.allSatisfy { $0.number("dropped") == nil })
    let gap = try #require(second.first)
    let missed = try #require(gap.number("dropped"))
    #expect((28...31).contains(missed))
    let twin = try #require(first.first { $0.seq == gap.seq })
    #expect(gap.text == twin.text.dropLast() + #","dropped":\#(Int(missed))}"#)
    #expect(second.dropFirst().elementsEqual(first.drop { $0.seq <= gap.seq }))
  }

  // MARK: - The same bytes as alone

  private static let watches = [
    #"{"class":"WATCH","rate":60}"#, #"{"class":"WATCH","rate":10}"#,
    #"{"class":"WATCH","rate":7.5}"#,
    #"{"class":"WATCH","enable":false}"#, #"{"class":"WATCH","enable":true}"#,
    #"{"class":"WATCH","on_change":true}"#, #"{"class":"WATCH","on_change":0.05}"#,
    #"{"class":"WATCH","on_change":1}"#, #"{"class":"WATCH","on_change":false}"#,
    #"{"class":"WATCH","orientation":"left-up"}"#, #"{"class":"WATCH","orientation":"auto"}"#,
    #"{"class":"WATCH","layers":{"card":0.2,"fg":1}}"#, #"{"class":"WATCH","layers":null}"#,
    #"{"class":"POLL"}"#, #"{"class":"POLL","tag":1}"#,
  ]
  private static let requests = [
    #"{"class":"SET","key":"paused","value":"on"}"#,
    #"{"class":"SET","key":"paused","value":"off"}"#,
    #"{"class":"SET","key":"range-x","value":"-3:3"}"#,
    #"{"class":"SET","key":"range-x","value":"-5:5"}"#,
    #"{"class":"SET","key":"scale","value":0}"#, #"{"class":"SET","key":"scale","value":8}"#,
    #"{"class":"PLAY","id":"nudge","detached":true}"#,
    #"{"class":"PLAY","id":"turn","detached":true}"#,
    #"{"class":"PLAY","id":"hop","layer":"card","detached":true}"#,
    #"{"class":"PLAY","id":"card","detached":true}"#, #"{"class":"STOP"}"#,
    #"{"class":"AGENT","reduce_motion":true}"#, #"{"class":"AGENT","reduce_motion":false}"#,
    #"{"class":"AGENT","orientation":"left-up"}"#, #"{"class":"RECENTER"}"#,
  ]

  /// Two daemons with the same clients: in one they share lines, in the other none does. Each client
  /// receives the same bytes from both.
  @Test(arguments: 0..<UInt64(12)) func theBytesAreThoseOfAGroupOfOne(_ number: UInt64) throws {
    var random = SeededGenerator.forTest(salt: number)
    let rigs = try (0..<2).map { _ in
      try Rig(
        Self.settings + ["socket.max-per-uid=200", "layers.fg=2"],
        documents: FakeDocuments(Rig.documents))
    }
    rigs[1].core.stream.groups.sharesLines = false
    var clients: [[Client]] = (0..<6).map { _ in rigs.map { $0.subscribe() } }
    let controls: [[Client]] = [UInt32(0), 1000].map { uid in rigs.map { $0.control(uid) } }
    var received: [[[UInt8]]] = clients.map { _ in [[], []] }
    var largest = 0
    func both(_ pair: [Client], _ body: (Client) -> Void) { for client in pair { body(client) } }
    for step in 0..<400 {
      let any = clients.indices.randomElement(using: &random)
      switch Int.random(in: 0..<16, using: &random) {
      case 0, 1:
        let uid: UInt32 = [0, 0, 0, 1000].randomElement(using: &random) ?? 0
        clients.append(rigs.map { $0.subscribe(uid) })
        received.append([[], []])
      case 2:
        if let any, clients.count > 20 { both(clients[any]) { $0.hangUp() } }
      case 3, 4, 5, 6:
        guard let any, let watch = Self.watches.randomElement(using: &random) else { continue }
        both(clients[any]) { $0.send(watch) }
      case 7, 8:
        guard let request = Self.requests.randomElement(using: &random),
          let control = controls.randomElement(using: &random)
        else { continue }
        both(control) { $0.send(request) }
      case 9:
        guard let any else { continue }
        let room = [0, 10, 300].randomElement(using: &random) ?? 0
        both(clients[any]) { $0.connection.room = room }
      case 10, 11:
        guard let any else { continue }
        both(clients[any]) {
          $0.connection.room = .max
          $0.becomeWritable()
        }
      default:
        let seconds = Double.random(in: 0.001..<0.4, using: &random)
        for rig in rigs { rig.run(seconds: seconds) }
      }
      for index in clients.indices {
        for which in 0..<2 { received[index][which] += clients[index][which].connection.consume() }
        try #require(
          received[index][0] == received[index][1], "step \(step), client \(index)")
        received[index] = [[], []]
      }
      largest = max(largest, rigs[0].core.stream.groups.active.map(\.count).max() ?? 0)
      #expect(rigs[1].core.stream.groups.active.allSatisfy { $0.count == 1 })
      for (one, other) in zip(rigs[0].core.hub.audience.users, rigs[1].core.hub.audience.users) {
        try #require(one.counts.moving == other.counts.moving, "step \(step)")
        try #require(one.counts.enabled == other.counts.enabled, "step \(step)")
      }
    }
    #expect(largest >= 4)
  }
}
