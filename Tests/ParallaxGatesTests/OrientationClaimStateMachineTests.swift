// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxGates
import ParallaxMotion
import ParallaxTestSupport
import Testing

/// A claim as a script of events and actions.
private struct Script {
  var claim = OrientationClaimStateMachine()
  var now: MotionInstant = 0

  /// Handles events, as `owner has claimed left-up 5s`; returns the actions, with the orientation for
  /// every `notify`.
  mutating func run(_ events: String) -> String {
    var done: [String] = []
    for event in events.split(separator: " ") {
      for action in claim.handle(self.event(String(event)), at: now) {
        switch action {
        case .readHasAccelerometer: done.append("ask")
        case .claim: done.append("claim")
        case .readOrientation: done.append("read")
        case .release: done.append("release")
        case .cancel: done.append("cancel")
        case .notify:
          done.append(
            (claim.orientation?.rawValue ?? "unknown") + (claim.isForbidden ? "+agents" : ""))
        case .warn: done.append("warn")
        case .note: done.append("note")
        }
      }
    }
    return done.joined(separator: " ")
  }

  private mutating func event(_ word: String) -> OrientationClaimStateMachine.Event {
    switch word {
    case "requested": return .requested
    case "unrequested": return .unrequested
    case "owner": return .owner(":1.1")
    case "other": return .owner(":1.2")
    case "gone": return .owner(nil)
    case "has": return .accelerometer(true)
    case "lacks": return .accelerometer(false)
    case "claimed": return .claimed
    case "forbidden": return .failed(.forbidden)
    case "failed": return .failed(.other("no answer"))
    case let word where word.hasSuffix("s") && word.first?.isNumber ?? false:
      now += .seconds(Int64(word.dropLast()) ?? 0)
      return .time
    default: return .orientation(word)
    }
  }
}

@Suite
struct OrientationClaimStateMachineTests {
  private static let claimed = "requested owner has claimed normal"

  @Test(arguments: [
    // The accelerometer is claimed and followed.
    ("requested owner has claimed left-up bottom-up", "cancel ask claim read left-up bottom-up"),
    // On a flat device the orientation stays.
    ("requested owner has claimed left-up undefined left-up", "cancel ask claim read left-up"),
    ("requested owner has claimed undefined sideways", "cancel ask claim read"),
    // Not requested: nothing is read.
    ("owner has claimed left-up", ""),
    // Released at once.
    ("\(claimed) unrequested", "cancel ask claim read normal release unknown"),
    ("requested owner has unrequested claimed left-up", "cancel ask claim release"),
    ("requested owner unrequested has", "cancel ask cancel"),
    (
      "\(claimed) unrequested requested owner has",
      "cancel ask claim read normal release unknown "
        + "cancel ask claim"
    ),
    // The proxy restarts: claimed again, and the orientation stays.
    (
      "\(claimed) gone 4s other has claimed left-up",
      "cancel ask claim read normal cancel "
        + "cancel ask claim read left-up"
    ),
    (
      "\(claimed) other has claimed normal 10s",
      "cancel ask claim read normal cancel ask claim read"
    ),
    // The proxy does not return.
    ("\(claimed) gone 5s 60s", "cancel ask claim read normal cancel unknown"),
    // The proxy returns without a reading.
    (
      "\(claimed) gone 4s other has claimed undefined 2s",
      "cancel ask claim read normal cancel "
        + "cancel ask claim read unknown"
    ),
    // There is no accelerometer, or no longer one: read again every 30 s.
    ("requested owner lacks 29s 1s lacks 30s has claimed", "cancel ask ask ask claim read"),
    ("\(claimed) lacks 30s has", "cancel ask claim read normal release unknown ask claim"),
    // Another session is active: logged once, claimed again, agents may help.
    (
      "requested owner has forbidden 30s has forbidden 30s has claimed normal",
      "cancel ask claim cancel warn unknown+agents ask claim cancel ask claim note read "
        + "unknown normal"
    ),
    (
      "requested owner has forbidden gone",
      "cancel ask claim cancel warn unknown+agents cancel unknown"
    ),
    (
      "requested owner has forbidden unrequested",
      "cancel ask claim cancel warn unknown+agents cancel "
        + "unknown"
    ),
    (
      "requested owner has forbidden 30s lacks",
      "cancel ask claim cancel warn unknown+agents ask unknown"
    ),
    // The proxy hangs.
    (
      "requested owner failed 30s failed 30s has failed",
      "cancel ask cancel warn ask cancel ask claim "
        + "release"
    ),
  ])
  func scriptsOfEvents(events: String, actions: String) {
    var script = Script()
    #expect(script.run(events) == actions)
  }

  @Test func aWarningIsNotRepeatedAfterAPause() {
    var script = Script()
    #expect(script.run("requested owner has forbidden").contains("warn"))
    #expect(!script.run("unrequested 60s requested owner has forbidden").contains("warn"))
  }

  /// Random events. Not requested: nothing is due and nothing is known. Requested with a proxy: a call
  /// is open or due.
  @Test func randomEvents() {
    var generator = SeededGenerator.forTest()
    let events = [
      "requested", "unrequested", "owner", "other", "gone", "has", "lacks", "claimed", "forbidden",
      "failed", "left-up", "undefined", "1s", "7s", "31s",
    ]
    var script = Script()
    var isHeld = false
    for _ in 0..<100_000 {
      let actions = script.run(events.randomElement(using: &generator) ?? "1s")
      for action in actions.split(separator: " ") {
        switch action {
        case "claim":
          #expect(!isHeld, "claimed twice; \(generator.note)")
          isHeld = true
        case "release", "cancel": isHeld = false
        default: break
        }
      }
      switch script.claim.state {
      case .idle:
        #expect(script.claim.deadline == nil && script.claim.orientation == nil)
        #expect(!isHeld && !script.claim.isForbidden, "\(generator.note)")
      case .claiming, .claimed: #expect(isHeld, "\(generator.note)")
      case .lacking, .refused:
        #expect(!isHeld && script.claim.deadline != nil, "\(generator.note)")
      case .absent, .reading: #expect(!isHeld, "\(generator.note)")
      }
    }
  }
}
