// SPDX-License-Identifier: Apache-2.0

import ParallaxDaemon
import ParallaxTestSupport
import Testing

struct GreetingTests {
  @Test func theFirstSubscriberStartsTheStream() throws {
    let rig = try Rig()
    #expect(rig.core.deadline == nil)
    let client = rig.subscribe()
    rig.run(seconds: 0.1)
    let lines = client.lines()
    #expect(
      lines.map(\.name) == ["VERSION", "DEVICE", "GATE"] + Array(repeating: "OFFSET", count: 4))
    #expect(
      lines[0].text == #"{"class":"VERSION","release":"0.1.0","proto_major":1,"proto_minor":3}"#)
    #expect(lines[1]["state"] == "streaming" && lines[1]["driver"] == "synthetic")
    #expect(lines[2].text == #"{"class":"GATE","open":true,"gain":1,"reasons":[]}"#)
    #expect(lines[3...].map(\.seq) == [0, 1, 2, 3])
    #expect(lines[3].number("time") == 1000)
  }

  @Test func aLaterSubscriberReceivesTheNewestFrame() throws {
    let rig = try Rig()
    let first = rig.subscribe()
    rig.run(seconds: 1)
    let second = rig.subscribe()
    let greeting = second.lines()
    #expect(greeting.map(\.name) == ["VERSION", "DEVICE", "GATE", "OFFSET"])
    #expect(greeting.last == first.lines().last)
    rig.run(seconds: 1)
    let frames = second.frames()
    #expect(frames.map(\.seq) == Array(31...60))
    #expect(frames == first.frames())
  }

  @Test func theSourceStopsFiveSecondsAfterTheLastSubscriber() throws {
    let rig = try Rig()
    let client = rig.subscribe()
    rig.run(seconds: 1)
    client.hangUp()
    rig.run(seconds: 4.9)
    #expect(rig.core.hub.device.state == .streaming)
    rig.run(seconds: 0.2)
    #expect(rig.core.hub.device.state == .idle)
    #expect(rig.core.deadline == nil)
    #expect(client.isClosed)
  }

  @Test func returningWithinFiveSecondsContinuesTheFrames() throws {
    let rig = try Rig()
    rig.subscribe().hangUp()
    rig.run(seconds: 3)
    let client = rig.subscribe()
    rig.run(seconds: 10)
    let frames = client.frames()
    #expect(frames.first?.seq == 90)
    #expect(frames.map(\.seq) == Array(90...390))
  }

  @Test func endOfInputKeepsTheStream() throws {
    let rig = try Rig()
    let client = rig.subscribe()
    client.send(bytes: Array(#"{"class":"WATCH","rate":10}"#.utf8))
    client.endInput()
    rig.run(seconds: 1)
    let lines = client.lines()
    #expect(lines.contains { $0.name == "WATCH" && $0.number("rate") == 10 })
    #expect(!client.isClosed)
    #expect((10...12).contains(lines.count { $0.name == "OFFSET" }))
  }

  @Test func shutdownSendsEnded() throws {
    let rig = try Rig()
    let clients = [rig.subscribe(), rig.subscribe()]
    let control = rig.control()
    rig.run(seconds: 0.5)
    rig.core.shutDown(at: rig.now)
    for client in clients {
      let last = client.lines().last
      #expect(last?["state"] == "ended" && last?["reason"] == "shutdown")
      #expect(client.isClosed)
    }
    #expect(control.isClosed)
  }

  @Test func aMissingSourceIsReported() throws {
    let rig = try Rig(["source.kind=iio"])
    let client = rig.subscribe()
    rig.run(seconds: 1)
    let lines = client.lines()
    #expect(lines.map(\.name) == ["VERSION", "DEVICE", "GATE"])
    #expect(lines[1]["state"] == "none" && lines[1]["reason"] == "none here")
    #expect(lines[2].text == #"{"class":"GATE","open":false,"gain":0,"reasons":["device:none"]}"#)
    #expect(rig.core.deadline == nil)
  }
}
