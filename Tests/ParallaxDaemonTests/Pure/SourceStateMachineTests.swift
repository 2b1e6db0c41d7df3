// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDaemon
import ParallaxTestSupport
import Testing

struct SourceStateMachineTests {
  /// One letter per second: n no subscriber, g gated, w needed, s the source has finished (with the
  /// demand as before). Below it the actions: S start, s start after a gate, X stop, - none.
  @Test(arguments: [
    ("nwwnnwww", "-S------"),
    ("wnnnnnnnn", "S-----X--"),
    ("wnnnnnwnnnnnn", "S-----------X"),
    ("ggwgn", "--sX-"),
    ("wggw", "SX-s"),
    ("wgnw", "SX-S"),
    ("wnngw", "S--Xs"),
    ("wswwnw", "S---XS"),
    ("wsgw", "S-Xs"),
    ("wnsnw", "S--XS"),
  ])
  func actions(_ demands: String, _ actions: String) {
    var it = SourceStateMachine()
    var demand = SourceStateMachine.Demand.noSubscriber
    var now: MotionInstant = 0
    var log = ""
    for letter in demands {
      switch letter {
      case "n": demand = .noSubscriber
      case "g": demand = .gated
      case "w": demand = .needed
      default: it.sourceHasFinished()
      }
      let action = letter == "s" ? nil : it.update(demand, at: now)
      switch action {
      case .start(let fromIdle): log += fromIdle ? "S" : "s"
      case .stop: log += "X"
      case nil: log += "-"
      }
      now += .seconds(1)
    }
    #expect(log == actions)
  }

  @Test func lingersFiveSeconds() {
    var it = SourceStateMachine()
    _ = it.update(.needed, at: 0)
    #expect(it.deadline == nil)
    _ = it.update(.noSubscriber, at: 7)
    #expect(it.deadline == 5_000_000_007)
    #expect(it.update(.noSubscriber, at: 5_000_000_006) == nil)
    #expect(it.update(.noSubscriber, at: 5_000_000_007) == .stop)
    #expect(it.deadline == nil)
  }

  /// For random demands, starts and stops alternate, and the source is off 5 s after the last subscriber.
  @Test func startsAndStopsAlternate() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<2_000 {
      var it = SourceStateMachine()
      var isOn = false
      var now: MotionInstant = 0
      for _ in 0..<40 {
        now += .nanoseconds(Int64.random(in: 0...3_000_000_000, using: &generator))
        if Int.random(in: 0..<8, using: &generator) == 0 { it.sourceHasFinished() }
        let demand: SourceStateMachine.Demand =
          [.noSubscriber, .gated, .needed].randomElement(using: &generator) ?? .noSubscriber
        switch it.update(demand, at: now) {
        case .start:
          #expect(!isOn, generator.commented(now))
          isOn = true
        case .stop:
          #expect(isOn, generator.commented(now))
          isOn = false
        case nil: break
        }
        #expect(it.isOn == isOn, generator.commented(now))
      }
      if let until = it.deadline { now = max(now, until) }
      _ = it.update(.noSubscriber, at: now)
      _ = it.update(.noSubscriber, at: now + .seconds(5))
      #expect(it.state == .idle, generator.commented(now))
    }
  }
}
