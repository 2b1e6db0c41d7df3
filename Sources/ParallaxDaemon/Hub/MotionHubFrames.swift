// SPDX-License-Identifier: Apache-2.0

import ParallaxTime
import ParallaxWire

/// Frames on their way to the subscribers.
extension MotionHub {
  /// Publishes the next frame of the samples so far, or ends the burst.
  func publishNextFrame(at now: MotionInstant) {
    guard let frame = engine.nextFrame(), let sampleTime = engine.latestSample else {
      burst.end()
      return
    }
    lastSampleArrival = now
    burst.count(at: now, period: pace.period(1))
    publish(frame, at: now)
    if latencyNote == nil { latency.add(clock() - sampleTime) }
  }

  func publish(_ frame: FrameStamp, at now: MotionInstant) {
    let global = globalFade.gain(at: frame.time)
    // Indices, not iterators: without optimization those allocate, and the test that counts a frame's
    // allocations runs without it. The same holds in what this calls.
    var index = 0
    while index < users.count {
      let gain = global * users[index].fade.gain(at: frame.time)
      users[index].gain = showsMotion ? gain : 0
      index += 1
    }
    animations.advance(to: frame.time)
    audience?.publish(frame, at: now)
    animations.reportEvents(at: now)
  }

  /// The newest frame, while motion streams or animations have moved something.
  package var currentFrame: FrameStamp? {
    device.state == .streaming || animations.isVisible ? engine.latest : nil
  }
}
