// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDaemon
import ParallaxTestSupport
import Testing

/// Subscribers that do not keep up.
struct BackPressureTests {
  private static let settings = [
    "source.kind=synthetic", "sampling.rate=60", "sampling.resample=linear",
    "socket.max-per-uid=250",
  ]

  /// 198 subscribers read, one never does, and one reads a byte per frame. Counted, not timed.
  @Test func twoHundredSubscribers() throws {
    let rig = try Rig(Self.settings)
    let clients = (0..<198).map { _ in rig.subscribe() }
    let buffer = try SendBuffer.size(holdingAtMost: Outbox.offsetLimit - 1, linesOf: 64)
    let (stuck, slow) = (
      try PairConnection(sendBufferBytes: buffer.bytes),
      try PairConnection(sendBufferBytes: buffer.bytes)
    )
    let handlers = [stuck, slow].map {
      rig.core.stream.connect($0, from: Rig.peer(0), at: rig.now)
    }
    var slowBytes: [UInt8] = []
    for _ in 0..<300 {
      rig.run(seconds: 1.0 / 60)
      slowBytes += slow.read(1)
    }
    // 5 s: 300 frames, the first after two samples.
    let reference = clients[0].frames()
    #expect((296...301).contains(reference.count))
    #expect(reference.map(\.seq) == Array(0..<reference.count))
    for client in clients.dropFirst() {
      #expect(client.frames() == reference)
    }

    // At most 12 frames wait for the client that never read, including the kernel's buffer. The newest
    // reports how many were lost.
    let waiting = Line.all(in: stuck.read()).filter { $0.name == "OFFSET" }
    #expect((1...11).contains(waiting.count))
    #expect(waiting.map(\.seq) == Array(0..<waiting.count))
    handlers[0]?.writable(at: rig.now)
    let newest = Line.all(in: stuck.read())
    #expect(newest.map(\.seq) == [reference.count - 1])
    #expect(newest.first?.number("dropped") == Double(reference.count - 1 - waiting.count))
    rig.run(seconds: 0.1)
    let after = Line.all(in: stuck.read()).filter { $0.name == "OFFSET" }
    #expect(after.first?.seq == reference.count)
    #expect(after.allSatisfy { $0.number("dropped") == nil })

    // The slow one receives complete lines, and `dropped` explains every gap.
    for _ in 0..<20 {
      slowBytes += slow.read()
      handlers[1]?.writable(at: rig.now)
    }
    var expected = 0
    for line in Line.all(in: slowBytes) where line.name == "OFFSET" {
      #expect(line.seq == expected + Int(line.number("dropped") ?? 0))
      expected = line.seq + 1
    }
    #expect(expected > reference.count)
    #expect(Line.all(in: slowBytes).count == slowBytes.count { $0 == UInt8(ascii: "\n") })
  }

  /// A pause shorter than a gap completes up to R / 2 frames with one sample. A client that reads between
  /// two turns of the loop loses none of them.
  @Test func aBurstOfFramesIsSpread() throws {
    let folder = try TemporaryFolder()
    let times = (0..<200).map { Double($0) / 100 }.filter { !(1.0..<1.48).contains($0) }
    let rows = times.map { "\($0),0.1,0.2,0" }.joined(separator: "\n")
    let trace = try folder.write("t,x,y,z\n\(rows)\n", to: "t.csv")
    let rig = try Rig(["source.kind=trace", "source.trace=\(trace)"])
    let client = rig.subscribe()
    var largest = 0
    var frames: [Line] = []
    while let due = rig.core.deadline {
      rig.clock.now = max(rig.now, due)
      rig.core.advance(at: rig.now)
      let new = client.frames()
      largest = max(largest, new.count)
      frames += new
    }
    #expect(frames.map(\.seq) == Array(0..<60))
    #expect((2...6).contains(largest), "\(largest)")
  }

  /// What waits in the kernel is 0.18 s of motion, however long a line is: 11 lines at 60 Hz and 6 at 30 Hz.
  /// Below that, the kernel's smallest buffer has more of short lines.
  @Test(arguments: [0, 1, 8, 16], [60.0, 30, 10])
  func theKernelsBufferFitsTheLines(_ layers: Int, _ hertz: Double) throws {
    let rig = try Rig(Self.settings)
    rig.core.stream.lineCharges = try LineCharges()
    let connection = try PairConnection(sendBufferBytes: 65_536)
    let events = rig.core.stream.connect(connection, from: Rig.peer(0), at: rig.now)
    // The kernel charges for lines in steps (up to 192, 704 and 1,728 bytes). These names keep the lines, which
    // vary in length, on one step.
    let name = layers == 16 ? "a-layer-with-a-long-name-number" : "layer"
    let names = (0..<layers).map { "\"\(name)-\($0)\":1" }.joined(separator: ",")
    Array("{\"class\":\"WATCH\",\"rate\":\(hertz),\"layers\":{\(names)}}\n".utf8).withUnsafeBytes {
      events?.received($0, at: rig.now)
    }
    rig.run(seconds: 0.5)
    _ = connection.read()
    events?.writable(at: rig.now)
    _ = connection.read()
    rig.run(seconds: 3)
    let waiting = Line.all(in: connection.read()).count { $0.name == "OFFSET" }
    let expected = max(2, Int((0.18 * hertz).rounded(.up)))
    if hertz >= 30, layers >= 8 || hertz == 60 {
      #expect((expected - 1...expected).contains(waiting), "\(waiting)")
    } else {
      #expect((expected - 1...7).contains(waiting), "\(waiting)")
    }
  }

  /// The socket may accept bytes again at any call of `send`, also at the second one for a frame. A line
  /// that arrives after all is not counted as dropped.
  @Test func droppedCountsOnlyLinesThatDoNotArrive() throws {
    var generator = SeededGenerator.forTest()
    let rig = try Rig()
    let client = rig.subscribe()
    rig.run(seconds: 0.1)
    for _ in 0..<300 {
      client.connection.refusals = Int.random(in: 0...4, using: &generator)
      rig.run(seconds: 0.034)
    }
    client.connection.refusals = 0
    client.becomeWritable()
    var expected = 0
    var lost = 0
    for line in client.frames() {
      let missed = Int(line.number("dropped") ?? 0)
      #expect(line.seq == expected + missed, generator.commented(line))
      expected = line.seq + 1
      lost += missed
    }
    #expect(lost > 0)
    #expect(rig.core.stream.dropped == UInt64(lost))
  }

  @Test func aClientThatReadsNothingForTenSecondsIsDisconnected() throws {
    let rig = try Rig()
    let (good, stuck, slow) = (rig.subscribe(), rig.subscribe(), rig.subscribe())
    rig.run(seconds: 1)
    stuck.connection.room = 0
    for second in 0..<20 {
      slow.connection.room = 3
      rig.run(seconds: 1)
      #expect(stuck.isClosed == (second >= 10), "\(second)")
    }
    #expect(!slow.isClosed)
    #expect(rig.core.stream.subscribers.count == 2)
    #expect(good.frames().count == 21 * 30 + 1)
  }

  @Test func aStuckClientDoesNotHoldTheSource() throws {
    let rig = try Rig()
    let stuck = rig.subscribe()
    stuck.connection.room = 0
    rig.run(seconds: 30)
    #expect(stuck.isClosed)
    #expect(rig.core.deadline == nil)
  }

  /// While an answer waits nothing more is read, and after ten seconds the connection ends.
  @Test func aClientThatSendsAndNeverReadsIsClosed() throws {
    let rig = try Rig()
    let client = rig.subscribe()
    client.send(#"{"class":"WATCH","enable":false}"#)
    client.connection.room = 0
    for _ in 0..<65 { client.send(#"{"class":"WATCH","rate":10}"#) }
    #expect(client.connection.awaits == .output)
    client.connection.room = .max
    client.becomeWritable()
    #expect(client.lines().count { $0.name == "WATCH" } == 66)
    client.connection.room = 0
    client.send(#"{"class":"WATCH","rate":10}"#)
    rig.run(seconds: 10)
    #expect(client.isClosed)
  }

  /// The first answer waits; the other requests stay in the socket.
  @Test func pollsDoNotPileUp() throws {
    let rig = try Rig()
    let client = rig.subscribe()
    rig.run(seconds: 0.5)
    _ = client.lines()
    client.connection.room = 0
    for _ in 0..<1_000 { client.send(#"{"class":"POLL"}"#) }
    #expect(client.connection.awaits == .output)
    client.connection.room = 300
    client.becomeWritable()
    #expect((1...6).contains(client.lines().count))
    #expect(client.connection.awaits == .output)
    #expect(!client.isClosed)
  }
}
