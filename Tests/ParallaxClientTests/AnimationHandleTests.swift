// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxAnimation
import ParallaxBase
import ParallaxDocuments
import ParallaxMotion
import ParallaxProtocol
import ParallaxTestSupport
import Testing

@testable import ParallaxClient

/// A hand on an animation of a running parallaxd.
@Suite("An animation handle", .timeLimit(.minutes(10)))
struct AnimationHandleTests {
  private static let drawer = drawer(seconds: 1)

  private static func drawer(seconds: Int) -> [UInt8] {
    Array(
      (#"{"parallax":1,"id":"drawer","animation":{"move":{"by":[100,0]},"duration":\#(seconds),"#
        + #""curve":"linear"}}"#).utf8)
  }

  private let daemon: LiveDaemon

  init() throws {
    daemon = try LiveDaemon(
      ["source.kind=iio", "source.device=none-of-this-name", "sampling.rate=60"])
  }

  private func play() async throws -> AnimationHandle {
    try await AnimationHandle.play(
      .document(Self.drawer), isPaused: true, controlPath: daemon.control)
  }

  /// A finger at 120 Hz for 2 s, let go with a velocity, turned around on its way, and finished.
  @Test func aGestureIsFollowed() async throws {
    let stream = ParallaxStream(.init(socketPath: daemon.socket, bufferedOffsets: 4096))
    let handle = try await play()
    #expect(handle.id == "drawer")
    var lowest = 1.0
    var highest = 0.0
    let begin = MonotonicInstant.now
    while case let seconds = begin.duration(to: .now) / .seconds(1), seconds < 2 {
      let fraction = 0.4 + 0.3 * sin(4 * seconds)
      (lowest, highest) = (min(lowest, fraction), max(highest, fraction))
      handle.scrub(toFraction: fraction)
      try await Task.sleep(for: .seconds(1) / 120)
    }
    try await handle.seek(toFraction: 0.3)
    // Frames until the seek is seen.
    try await Task.sleep(for: .milliseconds(100))
    let release = try await handle.acknowledged(
      .continue(
        .init(
          curve: try Curve.spring(response: .seconds(0.5), damping: 0.7).json(),
          velocity: [600, 0])))
    try await Task.sleep(for: .milliseconds(150))
    let turn = try await handle.acknowledged(.reverse())
    try await Task.sleep(for: .milliseconds(60))
    try await handle.pause()
    #expect(try await handle.finish(at: .start).state == .ended)
    var events: [AnimationMessage] = []
    for await event in handle.events { events.append(event) }
    #expect(events.last?.event == .completed && events.last?.position == .start)

    let releaseTime = try #require(release.time)
    let turnTime = try #require(turn.time)
    var offsets: [OffsetMessage] = []
    for try await message in stream {
      guard case .offset(let offset) = message else { continue }
      offsets.append(offset)
      if offset.time.nanoseconds > turnTime.nanoseconds, offset.x == 0 { break }
    }
    // The reference: the equation of the spring, and the same way back.
    let spring = UnderdampedSpring(response: 0.5, damping: 0.7)
    func x(_ seconds: Double) -> Double {
      100 + spring.distance(from: -70, velocity: 600, at: seconds)
    }
    let whole = Double(turnTime.nanoseconds - releaseTime.nanoseconds) * 1e-9
    var compared = 0
    for offset in offsets {
      let since = Double(offset.time.nanoseconds - releaseTime.nanoseconds) * 1e-9
      if since < 0 {
        #expect(
          offset.x >= 100 * lowest - 0.01 && offset.x <= 100 * highest + 0.01 || offset.x == 0)
      } else if since <= whole {
        #expect(abs(offset.x - x(since)) <= 0.01, "\(since) s after the release")
        compared += 1
      } else if since <= whole + 0.05 {
        #expect(abs(offset.x - x(2 * whole - since)) <= 0.01, "\(since) s after the release")
        compared += 1
      }
    }
    #expect(compared > 3)

    // The way goes on without a jump, with the velocity of the finger.
    let first = try #require(
      offsets.first { $0.time.nanoseconds > releaseTime.nanoseconds })
    let since = Double(first.time.nanoseconds - releaseTime.nanoseconds) * 1e-9
    let way = x(since) - x(0)
    // OFFSET has hundredths of a px, and soon after the release the way is no longer than a few.
    #expect(abs(first.x - 30 - way) <= min(0.02, 0.005 + 0.02 * abs(way)))
    let initial = (x(1e-4) - x(0)) / 1e-4
    #expect(abs(initial / 600 - 1) < 0.02, "the reference begins with the velocity of the finger")
  }

  @Test func aForbiddenActionThrowsTheDaemonsError() async throws {
    // Long enough for a busy machine.
    let handle = try await AnimationHandle.play(
      .document(Self.drawer(seconds: 600)), controlPath: daemon.control)
    await #expect(throws: AnimationHandle.Failure.self) { try await handle.seek(toFraction: 0.5) }
    #expect(try await handle.pause().state == .paused)
    #expect(try await handle.seek(toFraction: 0.5).fraction == 0.5)
    #expect(try await handle.setSpeed(2).speed == 2)
    #expect(try await handle.setReversed(true).isReversed)
    #expect(try await handle.resume().state == .running)
    #expect(try await handle.stop().state == .stopped)
    #expect(try await handle.finish(at: .current).state == .ended)
  }

  @Test func releasingTheHandleCancels() async throws {
    let other = try await AnimationHandle.play(
      .document(Self.drawer), name: "other", isPaused: true, controlPath: daemon.control)
    var handle: AnimationHandle? = try await play()
    let events = try #require(handle).events
    handle = nil
    for await _ in events {}
    // Its connection has ended; the other one is alive.
    #expect(try await other.seek(toFraction: 0.1).fraction == 0.1)
  }

  /// What follows a document would be fields of the request, such as `detached`.
  @Test func aDocumentIsOneValueOfTheRequest() async throws {
    let text = Self.drawer + Array(#","as":"injected","detached":true,"x":{}"#.utf8)
    let error = try await refusal(of: text)
    #expect(error.code == .badDocument)
    #expect(error.message.contains(":1:\(Self.drawer.count + 1): "), "\(error.message)")
  }

  @Test func anErrorHasTheLineAndColumnOfTheDocument() async throws {
    let text = """
      {"parallax": 1,
       "animation": {"fade": {"to": 1.5}}}
      """
    let error = try await refusal(of: Array(text.utf8))
    #expect(error.code == .badDocument)
    #expect(error.message.contains(":2:31: $.animation.fade.to: "), "\(error.message)")
  }

  private func refusal(of document: [UInt8]) async throws -> ErrorMessage {
    let failure = await #expect(throws: AnimationHandle.Failure.self) {
      _ = try await AnimationHandle.play(.document(document), controlPath: daemon.control)
    }
    guard case .refused(let error) = failure else {
      throw TestSupportError("not refused: \(String(describing: failure))")
    }
    return error
  }

  @Test func withoutADaemonItThrows() async throws {
    await #expect(throws: AnimationHandle.Failure.self) {
      try await AnimationHandle.play(.id("nudge"), controlPath: "/nonexistent/control.sock")
    }
  }

  @Test func aMissingAnimationIsRefused() async throws {
    do {
      _ = try await AnimationHandle.play(.id("nowhere"), controlPath: daemon.control)
      Issue.record("it plays")
    } catch .refused(let error) {
      #expect(error.code == .noSuchAnimation)
    }
  }
}

/// A spring in closed form, independent of the daemon's.
private struct UnderdampedSpring {
  let response: Double
  let damping: Double

  func distance(from start: Double, velocity: Double, at seconds: Double) -> Double {
    let w = 2 * Double.pi / response
    let wd = w * (1 - damping * damping).squareRoot()
    let b = (velocity + damping * w * start) / wd
    return exp(-damping * w * seconds) * (start * cos(wd * seconds) + b * sin(wd * seconds))
  }
}
