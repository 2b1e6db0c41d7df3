import ParallaxGates
import ParallaxMotion
import ParallaxTestSupport
import Testing

/// A claim's life in words: what happens, and what is done about it.
private struct Script {
  var claim = OrientationClaim()
  var now: Int64 = 0

  /// Takes events, as `owner has claimed left-up 5s`; gives the actions, the orientation behind every
  /// `tell`.
  mutating func run(_ events: String) -> String {
    var done: [String] = []
    for event in events.split(separator: " ") {
      for action in claim.take(self.event(String(event)), atNanoseconds: now) {
        switch action {
        case .ask: done.append("ask")
        case .claim: done.append("claim")
        case .read: done.append("read")
        case .release: done.append("release")
        case .forget: done.append("forget")
        case .tell:
          done.append(
            (claim.orientation?.rawValue ?? "unknown") + (claim.isForbidden ? "+agents" : ""))
        case .warn: done.append("warn")
        case .note: done.append("note")
        }
      }
    }
    return done.joined(separator: " ")
  }

  private mutating func event(_ word: String) -> OrientationClaim.Event {
    switch word {
    case "wanted": return .wanted
    case "unwanted": return .unwanted
    case "owner": return .owner(":1.1")
    case "other": return .owner(":1.2")
    case "gone": return .owner(nil)
    case "has": return .accelerometer(true)
    case "lacks": return .accelerometer(false)
    case "claimed": return .claimed
    case "forbidden": return .refused(.forbidden)
    case "failed": return .refused(.failed("no answer"))
    case let word where word.hasSuffix("s") && word.first?.isNumber ?? false:
      now += (Int64(word.dropLast()) ?? 0) * 1_000_000_000
      return .time
    default: return .orientation(word)
    }
  }
}

@Suite("What is asked of iio-sensor-proxy")
struct OrientationClaimTests {
  private static let claimed = "wanted owner has claimed normal"

  @Test(arguments: [
    // Its accelerometer is claimed, once there is one, and followed.
    ("wanted owner has claimed left-up bottom-up", "forget ask claim read left-up bottom-up"),
    // Flat on the table it stays what it was.
    ("wanted owner has claimed left-up undefined left-up", "forget ask claim read left-up"),
    ("wanted owner has claimed undefined sideways", "forget ask claim read"),
    // Nobody wants it: nothing is asked.
    ("owner has claimed left-up", ""),
    // Given back at once.
    ("\(claimed) unwanted", "forget ask claim read normal release unknown"),
    ("wanted owner has unwanted claimed left-up", "forget ask claim release"),
    ("wanted owner unwanted has", "forget ask forget"),
    (
      "\(claimed) unwanted wanted owner has",
      "forget ask claim read normal release unknown "
        + "forget ask claim"
    ),
    // The proxy starts anew: claimed again, and the picture stays as it was meanwhile.
    (
      "\(claimed) gone 4s other has claimed left-up",
      "forget ask claim read normal forget "
        + "forget ask claim read left-up"
    ),
    (
      "\(claimed) other has claimed normal 10s",
      "forget ask claim read normal forget ask claim read"
    ),
    // It does not come back.
    ("\(claimed) gone 5s 60s", "forget ask claim read normal forget unknown"),
    // It comes back, and cannot say yet.
    (
      "\(claimed) gone 4s other has claimed undefined 2s",
      "forget ask claim read normal forget "
        + "forget ask claim read unknown"
    ),
    // There is no accelerometer, or no longer one: looked for every 30 s.
    ("wanted owner lacks 29s 1s lacks 30s has claimed", "forget ask ask ask claim read"),
    ("\(claimed) lacks 30s has", "forget ask claim read normal release unknown ask claim"),
    // Another session is the active one: said once, asked again, agents may help.
    (
      "wanted owner has forbidden 30s has forbidden 30s has claimed normal",
      "forget ask claim forget warn unknown+agents ask claim forget ask claim note read "
        + "unknown normal"
    ),
    (
      "wanted owner has forbidden gone",
      "forget ask claim forget warn unknown+agents forget unknown"
    ),
    (
      "wanted owner has forbidden unwanted",
      "forget ask claim forget warn unknown+agents forget "
        + "unknown"
    ),
    (
      "wanted owner has forbidden 30s lacks",
      "forget ask claim forget warn unknown+agents ask unknown"
    ),
    // It hangs.
    (
      "wanted owner failed 30s failed 30s has failed",
      "forget ask forget warn ask forget ask claim "
        + "release"
    ),
  ])
  func life(events: String, actions: String) {
    var script = Script()
    #expect(script.run(events) == actions)
  }

  @Test func whatWasSaidIsNotSaidAgainAfterAPause() {
    var script = Script()
    #expect(script.run("wanted owner has forbidden").contains("warn"))
    #expect(!script.run("unwanted 60s wanted owner has forbidden").contains("warn"))
  }

  /// Whatever happens in whatever order: not wanted, there is nothing to wait for and nothing known;
  /// wanted with a proxy, something is under way or will be.
  @Test func anyOrder() {
    var generator = SeededGenerator.forTest()
    let events = [
      "wanted", "unwanted", "owner", "other", "gone", "has", "lacks", "claimed", "forbidden",
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
        case "release", "forget": isHeld = false
        default: break
        }
      }
      switch script.claim.state {
      case .idle:
        #expect(script.claim.deadlineNanoseconds == nil && script.claim.orientation == nil)
        #expect(!isHeld && !script.claim.isForbidden, "\(generator.note)")
      case .claiming, .claimed: #expect(isHeld, "\(generator.note)")
      case .lacking, .refused:
        #expect(!isHeld && script.claim.deadlineNanoseconds != nil, "\(generator.note)")
      case .absent, .asking: #expect(!isHeld, "\(generator.note)")
      }
    }
  }
}
