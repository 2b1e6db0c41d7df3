// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxTestSupport
import Testing

@testable import ParallaxDevice

/// 10^5 random runs: devices are plugged in and unplugged with changing numbers, are busy, denied or
/// silent; the worker takes up to 40 s; with udevd and without.
@Suite struct DeviceStateMachineRandomTests {
  /// Each eighth is a test case, so that they run on several cores.
  @Test(arguments: 0..<8)
  func everyRunEndsStreamingIdleOrWithAReason(part: Int) {
    var generator = SeededGenerator.forTest(salt: UInt64(part))
    for _ in 0..<12_500 {
      let seed = generator.next()
      if let fault = fault(ofRun: seed) {
        Issue.record("\(fault), in run \(seed); \(generator.note)")
        return
      }
    }
  }

  /// What went wrong in one run; nil: nothing.
  private func fault(ofRun seed: UInt64) -> String? {
    var dice = SeededGenerator(seed: ~seed)
    var model = DeviceModel(seed: seed)
    for _ in 0..<Int.random(in: 0...12, using: &dice) {
      model.disturb()
      model.run(until: model.now + .nanoseconds(.random(in: 0...6_000_000_000, using: &dice)))
    }
    let isRequested = Int.random(in: 0..<5, using: &dice) > 0
    let isPlugged = Int.random(in: 0..<5, using: &dice) > 0
    let fault = DeviceModel.Fault.allCases.randomElement(using: &dice) ?? .none
    model.settle(requested: isRequested, plugged: isPlugged, fault: fault)
    // Time for the worker's longest job, a pause and the detection of silence.
    let end = model.now + .seconds(120)
    while model.broken.isEmpty, model.now < end {
      model.run(until: end, unless: isSettled)
      // A device that has just fallen silent may seem to stream: the state has to last.
      model.run(until: model.now + .seconds(5))
      if model.broken.isEmpty, isSettled(model) { return nil }
    }
    return model.broken.first
      ?? "ended at \(model.machine.state), reported \(String(describing: model.lastReported)), requested "
      + "\(isRequested), plugged \(isPlugged), \(fault)"
  }

  private func isSettled(_ model: DeviceModel) -> Bool {
    guard model.isQuiet else { return false }
    guard model.isRequested else { return model.machine.state == .idle && model.held == nil }
    switch (model.lastReported, model.plugged, model.fault) {
    case (.streaming, let plugged?, .none): return model.held == plugged
    // The first program keeps it.
    case (.streaming, let plugged?, .busy), (.streaming, let plugged?, .denied):
      return model.held == plugged
    case (.error(.busy), _?, .busy), (.error(.denied), _?, .denied): return true
    case (.error(.lost), _?, .silent), (.error(.lost), nil, _), (.error(.none), nil, _):
      return true
    default: return false
    }
  }
}
