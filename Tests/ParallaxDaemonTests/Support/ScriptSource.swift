// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDaemon
import ParallaxMotion

/// A live sensor under a test's control: 100 samples per second of constant motion, unless the test
/// changes something.
final class ScriptSource: MotionSource {
  let driver = "iio"
  let name: String? = "script"

  /// The result of `start`.
  var outcome: SourceEvent? = .streaming(SourceStart(rateHertz: 100, isLive: true))
  /// Events that are due at once.
  var events: [SourceEvent] = []
  /// Whether samples arrive.
  var isMoving = true
  private(set) var starts = 0
  private(set) var stops = 0
  private var sampleDue: MotionInstant?

  var due: MotionInstant? { events.isEmpty ? (isMoving ? sampleDue : nil) : .zero }

  func start(at now: MotionInstant) -> SourceEvent? {
    starts += 1
    sampleDue = now
    return outcome
  }

  func next(at now: MotionInstant) -> SourceEvent? {
    if !events.isEmpty { return events.removeFirst() }
    guard isMoving, let time = sampleDue, time <= now else { return nil }
    sampleDue = time + .milliseconds(10)
    return .sample(Self.sample(at: time))
  }

  func stop() {
    stops += 1
    sampleDue = nil
  }

  /// The sample that repeats: an offset of (-4, 2.5) px at the default scale.
  static func sample(at time: MotionInstant) -> GyroSample {
    GyroSample(time: time, rateRadPerSec: AngularRate(x: 0.5, y: -0.8, z: 0.1))
  }
}
