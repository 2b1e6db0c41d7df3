import ParallaxDaemon
import ParallaxTestSupport
import Testing

struct SourceSwitchTests {
  /// One letter a second: n nobody, g gated, w wanted, s the source is spent (and the demand as
  /// before). Beneath it: S start, s start behind a gate, X stop, - nothing.
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
  func script(_ demands: String, _ actions: String) {
    var it = SourceSwitch()
    var demand = SourceSwitch.Demand.nobody
    var now: Int64 = 0
    var log = ""
    for letter in demands {
      switch letter {
      case "n": demand = .nobody
      case "g": demand = .gated
      case "w": demand = .wanted
      default: it.sourceIsSpent()
      }
      let action = letter == "s" ? nil : it.update(demand, atNanoseconds: now)
      switch action {
      case .start(let fromIdle): log += fromIdle ? "S" : "s"
      case .stop: log += "X"
      case nil: log += "-"
      }
      now += 1_000_000_000
    }
    #expect(log == actions)
  }

  @Test func lingersFiveSeconds() {
    var it = SourceSwitch()
    _ = it.update(.wanted, atNanoseconds: 0)
    #expect(it.deadlineNanoseconds == nil)
    _ = it.update(.nobody, atNanoseconds: 7)
    #expect(it.deadlineNanoseconds == 5_000_000_007)
    #expect(it.update(.nobody, atNanoseconds: 5_000_000_006) == nil)
    #expect(it.update(.nobody, atNanoseconds: 5_000_000_007) == .stop)
    #expect(it.deadlineNanoseconds == nil)
  }

  /// Whatever is asked: starts and stops alternate, and nobody's source is off 5 s later.
  @Test func randomDemands() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<2_000 {
      var it = SourceSwitch()
      var isOn = false
      var now: Int64 = 0
      for _ in 0..<40 {
        now += Int64.random(in: 0...3_000_000_000, using: &generator)
        if Int.random(in: 0..<8, using: &generator) == 0 { it.sourceIsSpent() }
        let demand: SourceSwitch.Demand =
          [.nobody, .gated, .wanted].randomElement(using: &generator) ?? .nobody
        switch it.update(demand, atNanoseconds: now) {
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
      if let until = it.deadlineNanoseconds { now = max(now, until) }
      _ = it.update(.nobody, atNanoseconds: now)
      _ = it.update(.nobody, atNanoseconds: now + 5_000_000_000)
      #expect(it.state == .idle, generator.commented(now))
    }
  }
}
