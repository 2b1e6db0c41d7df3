import ParallaxTestSupport
import Testing

@testable import ParallaxDevice

/// 10^5 lives by chance: devices that come and go under changing numbers, are held by others,
/// closed or mute, a worker that takes up to 40 s, with udevd and without.
@Suite struct DeviceLifeRandomTests {
  /// Each eighth of them is a test of its own, so that they share the machine's cores.
  @Test(arguments: 0..<8)
  func everyLifeEndsAtStreamingIdleOrANamedReason(part: Int) {
    var generator = SeededGenerator.forTest(salt: UInt64(part))
    for _ in 0..<12_500 {
      let seed = generator.next()
      if let problem = problem(ofLife: seed) {
        Issue.record("\(problem), in life \(seed); \(generator.note)")
        return
      }
    }
  }

  /// What went wrong in one life; nil: nothing.
  private func problem(ofLife seed: UInt64) -> String? {
    var dice = SeededGenerator(seed: ~seed)
    var model = LifeModel(seed: seed)
    for _ in 0..<Int.random(in: 0...12, using: &dice) {
      model.disturb()
      model.live(until: model.now + .random(in: 0...6_000_000_000, using: &dice))
    }
    let isWanted = Int.random(in: 0..<5, using: &dice) > 0
    let isPlugged = Int.random(in: 0..<5, using: &dice) > 0
    let fault = LifeModel.Fault.allCases.randomElement(using: &dice) ?? .none
    model.settle(wanted: isWanted, plugged: isPlugged, fault: fault)
    // Time for the worker's longest job, a pause, and what may have to be found out in between.
    let end = model.now + 120_000_000_000
    while model.broken.isEmpty, model.now < end {
      model.live(until: end, unless: isSettled)
      // What was muted a moment ago may look well until its silence is noticed: it has to last.
      model.live(until: model.now + 5_000_000_000)
      if model.broken.isEmpty, isSettled(model) { return nil }
    }
    return model.broken.first
      ?? "ended at \(model.life.state), told \(String(describing: model.told)), while wanted "
      + "\(isWanted), plugged \(isPlugged), \(fault)"
  }

  private func isSettled(_ model: LifeModel) -> Bool {
    guard model.isQuiet else { return false }
    guard model.isWanted else { return model.life.state == .idle && model.held == nil }
    switch (model.told, model.plugged, model.fault) {
    case (.streaming, let plugged?, .none): return model.held == plugged
    // Whoever was first keeps it.
    case (.streaming, let plugged?, .busy), (.streaming, let plugged?, .denied):
      return model.held == plugged
    case (.trouble(.busy), _?, .busy), (.trouble(.denied), _?, .denied): return true
    case (.trouble(.lost), _?, .mute), (.trouble(.lost), nil, _), (.trouble(.none), nil, _):
      return true
    default: return false
    }
  }
}
