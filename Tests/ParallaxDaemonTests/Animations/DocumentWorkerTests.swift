// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxTestSupport
import Synchronization
import Testing

@testable import ParallaxDaemon

/// Documents are found and read beside the loop.
struct DocumentWorkerTests {
  private static let status = #"{"class":"STATUS","tag":2}"#

  private static func play(_ count: Int, id: String = "own", _ more: String = "") -> String {
    let step = #"{"move":{"by":[1,0]},"duration":5,"curve":"linear"}"#
    let steps = Array(repeating: step, count: count).joined(separator: ",")
    return #"{"class":"PLAY","tag":1,\#(more)"document":{"parallax":1,"id":"\#(id)","animation":"#
      + #"{"parallel":[\#(steps)]}}}"#
  }

  /// The requests: a document by its id, one in a short line, and one in a line that only PLAY may have.
  @Test(arguments: [
    #"{"class":"PLAY","tag":1,"id":"nudge"}"#, DocumentWorkerTests.play(2),
    DocumentWorkerTests.play(2_000),
  ])
  func answersKeepTheOrderOfRequests(_ request: String) throws {
    let worker = HeldDocumentWorker()
    let rig = try Rig.animated(worker: worker)
    let (client, other) = (rig.control(), rig.control())
    client.send(bytes: Array("\(request)\n\(Self.status)\n".utf8))
    // The loop goes on for everyone else.
    #expect(other.ask(Self.status).map(\.name) == ["STATUS"])
    #expect(client.lines().isEmpty)
    worker.work()
    while client.takeTurn() {}
    let lines = client.lines()
    #expect(lines.map(\.name) == ["ACK", "ANIMATION", "STATUS"])
    #expect(lines.compactMap { $0.number("tag") } == [1, 1, 2])
  }

  @Test func aClientThatLeavesCancelsItsJobs() throws {
    let worker = HeldDocumentWorker()
    let rig = try Rig.animated(worker: worker)
    let (client, detached, observer) = (rig.control(), rig.control(), rig.control())
    client.send(#"{"class":"PLAY","id":"nudge"}"#)
    detached.send(#"{"class":"PLAY","id":"hop","detached":true}"#)
    client.hangUp()
    detached.hangUp()
    worker.work()
    #expect(worker.done == 1)
    let status = observer.ask(Self.status).first?.text ?? ""
    #expect(status.contains(#""id":"hop""#) && !status.contains("nudge"))
  }

  @Test(arguments: [DocumentWorkerTests.play(2), DocumentWorkerTests.play(2_000)])
  func aBusyWorkerIsReported(_ request: String) throws {
    let worker = HeldDocumentWorker()
    worker.isOpen = false
    let rig = try Rig.animated(worker: worker)
    let client = rig.control()
    let lines = client.ask(request)
    #expect(lines.map(\.name) == ["ERROR"] && lines.first?["code"] == "unavailable")
    #expect(client.ask(Self.status).map(\.name) == ["STATUS"])
  }

  /// The thread does one job after the other, replies on the caller's thread, and is bounded.
  @Test func aThreadDoesTheJobs() throws {
    var handler: (() -> Void)?
    var descriptor: Int32 = -1
    let worker = try ThreadedDocumentWorker { (given, call) throws(SystemError) in
      (descriptor, handler) = (given, call)
      return Token()
    }
    let shared = Shared()
    var replies: [Int] = []
    for index in 0...ThreadedDocumentWorker.maxWaiting {
      let isAccepted = worker.run(for: nil) {
        shared.add(index)
        return index
      } reply: {
        replies.append($0)
      }
      #expect(isAccepted)
    }
    let isAccepted = worker.run(for: nil, { 0 }, reply: { _ in })
    #expect(!isAccepted)
    #expect(replies.isEmpty)
    while replies.count <= ThreadedDocumentWorker.maxWaiting {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      try #require(poll(&entry, 1, 30_000) == 1)
      handler?()
    }
    let all = Array(0...ThreadedDocumentWorker.maxWaiting)
    #expect(replies == all)
    #expect(shared.all == all)
  }

  private final class Token {}

  private final class Shared: Sendable {
    private let log = Mutex<[Int]>([])

    func add(_ index: Int) { log.withLock { $0.append(index) } }

    var all: [Int] { log.withLock { $0 } }
  }

  // MARK: - Budget

  /// The parts that may run at the same time are bounded over all animations; the largest document plays
  /// alone.
  @Test func runningPartsAreBounded() throws {
    let rig = try Rig.animated()
    let control = rig.control()
    func play(_ id: String, _ count: Int) -> Line? {
      control.ask(Self.play(count, id: id, #""detached":true,"#)).first
    }
    #expect(play("large", 9_000)?.name == "ACK")
    let refusal = play("small", 1)
    #expect(refusal?["code"] == "unavailable")
    #expect(
      refusal?["message"]
        == "up to 2 parts of this animation and 9001 of those that play would run at the same time; at "
        + "most 2500 may; stop one first")
    // It may be played again: it takes its own place.
    #expect(play("large", 9_000)?.name == "ACK")
    control.send(#"{"class":"STOP"}"#)
    for index in 0..<4 { #expect(play("part-\(index)", 600)?.name == "ACK") }
    #expect(play("too-many", 600)?.name == "ERROR")
    #expect(play("fits", 90)?.name == "ACK")
    // The parts of those that have ended are free again.
    rig.run(seconds: 6)
    #expect(play("later", 2_400)?.name == "ACK")
  }

  /// Parts that follow one another do not run at the same time.
  @Test func aLongSequenceIsCheap() throws {
    let rig = try Rig.animated()
    let control = rig.control()
    let step = #"{"move":{"by":[1,0]},"duration":1}"#
    let steps = Array(repeating: step, count: 4_000).joined(separator: ",")
    for id in ["a", "b", "c"] {
      let answer = control.ask(
        #"{"class":"PLAY","detached":true,"document":{"parallax":1,"id":"\#(id)","animation":"#
          + #"{"sequence":[\#(steps)]}}}"#)
      #expect(answer.first?.name == "ACK")
    }
  }
}
