// SPDX-License-Identifier: Apache-2.0

import ParallaxConfig
import ParallaxDaemon
import ParallaxTestSupport
import Testing

/// No input of a client may harm the daemon or other clients.
struct RandomTests {
  private static let words = [
    "{", "}", "[", "]", ":", ",", "\"", "\n", "\r\n", " ", "null", "true", "-1e308", "0", "60",
    "\"class\"", "\"WATCH\"", "\"POLL\"", "\"SET\"", "\"STATUS\"", "\"RECORD\"", "\"INHIBIT\"",
    "\"AGENT\"", "\"RELOAD\"", "\"RECENTER\"", "\"key\"", "\"value\"", "\"paused\"", "\"on\"",
    "\"off\"", "\"tag\"", "\"rate\"", "\"layers\"", "\"orientation\"", "\"left-up\"", "\"reason\"",
    "\"enable\"", "\"on_change\"", "\u{0}", "\u{FFFD}", "é",
    #"{"class":"WATCH","rate":1}"#, #"{"class":"POLL"}"#, #"{"class":"STATUS"}"#,
    #"{"class":"SET","key":"paused","value":"on"}"#,
    #"{"class":"SET","key":"paused","value":"off"}"#,
    #"{"class":"AGENT","reduce_motion":true,"orientation":"right-up"}"#,
    #"{"class":"SET","key":"orientation","value":"auto"}"#, #"{"class":"RECORD"}"#,
    #"{"class":"INHIBIT","reason":"x"}"#,
    #"{"class":"SET","key":"smoothing","value":"spring:0.2"}"#,
  ]

  /// Random connections, requests, hang-ups, full sockets and times: every line is complete JSON, frame
  /// numbers do not decrease, and nothing is scheduled after the last client has left.
  @Test func randomRequestsAreHarmless() throws {
    var generator = SeededGenerator.forTest()
    for _ in 0..<20 {
      let rig = try Rig(
        [["source.kind=synthetic"], ["source.kind=iio"]].randomElement(using: &generator) ?? [])
      var clients: [Client] = []
      var lastSeq: [ObjectIdentifier: Int] = [:]
      for _ in 0..<400 {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: clients.append(rig.subscribe([0, 1000].randomElement(using: &generator) ?? 0))
        case 1: clients.append(rig.control([0, 1000, 1002].randomElement(using: &generator) ?? 0))
        case 2: rig.run(seconds: Double.random(in: 0...1, using: &generator))
        case 3:
          if Int.random(in: 0..<4, using: &generator) == 0, !clients.isEmpty {
            clients.remove(at: Int.random(in: 0..<clients.count, using: &generator)).hangUp()
          }
        case 4: clients.randomElement(using: &generator)?.endInput()
        case 5:
          if let client = clients.randomElement(using: &generator) {
            client.connection.room = [0, 10, 500, .max].randomElement(using: &generator) ?? 0
            client.becomeWritable()
          }
        default:
          let text = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
            Self.words.randomElement(using: &generator) ?? ""
          }
          clients.randomElement(using: &generator)?.send(
            bytes: Array((text.joined() + (Bool.random(using: &generator) ? "\n" : "")).utf8))
        }
      }
      for client in clients {
        client.connection.room = .max
        client.becomeWritable()
        let bytes = client.connection.consume()
        let lines = Line.all(in: bytes)
        if !client.isClosed {
          #expect(
            lines.count == bytes.count { $0 == UInt8(ascii: "\n") }, generator.commented(rig.now))
        }
        for line in lines where line.name == "OFFSET" {
          #expect(line.seq >= lastSeq[ObjectIdentifier(client)] ?? 0, generator.commented(line))
          lastSeq[ObjectIdentifier(client)] = line.seq
        }
        client.hangUp()
      }
      rig.run(seconds: 6)
      #expect(rig.core.stream.subscribers.isEmpty && rig.core.control.clients.isEmpty)
      #expect(rig.core.deadline == nil, generator.commented(rig.now))
    }
  }

  @Test func randomBytesAreHarmless() throws {
    var generator = SeededGenerator.forTest()
    let rig = try Rig()
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      for client in [rig.subscribe(), rig.control()] {
        client.send(bytes: bytes + [0x0A])
        client.endInput()
        client.hangUp()
      }
    }
    #expect(rig.core.stream.subscribers.isEmpty)
  }
}
