// SPDX-License-Identifier: Apache-2.0

import ParallaxTime
import ParallaxWire

/// Frames on their way to the subscribers.
extension MotionHub {
  /// How late a frame may be and still be shown although a newer one may follow: two periods. No
  /// subscriber gets more than 60 frames per second, so that shorter periods do not count.
  private var maxLateness: MotionDuration {
    max(pace.period(2), MotionDuration(seconds: 2 / Cadence.capHertz))
  }

  /// Publishes the next frame of the samples so far, or ends the burst. A frame that is too late is
  /// withheld: `publishWithheldFrame` shows it if it proves to be the newest.
  ///
  /// - Parameter due: When the frame was due.
  /// - Returns: Whether another frame was due before this one was published.
  func publishNextFrame(due: MotionInstant, at now: MotionInstant) -> Bool {
    let period = pace.period(1)
    if now - due > maxLateness {
      if engine.withholdFrame() { burst.count(period: period) } else { burst.end() }
      return false
    }
    guard let frame = engine.nextFrame() else {
      burst.end()
      return false
    }
    burst.count(period: period)
    publishMotion(frame, at: now)
    return now - due >= period
  }

  /// Publishes the newest of the frames that were too late.
  func publishWithheldFrame(at now: MotionInstant) {
    if let frame = engine.releaseWithheldFrame() { publishMotion(frame, at: now) }
  }

  private func publishMotion(_ frame: FrameStamp, at now: MotionInstant) {
    lastSampleArrival = now
    publish(frame, at: now)
    let end = rest(after: now)
    if latencyNote == nil, let sampleTime = engine.latestSample {
      latency.add(end - sampleTime)
    }
  }

  /// Plans a rest after frames that took long, so that control requests, signals and new clients are
  /// served although the next frame is due already: frames get four fifths of the time.
  ///
  /// - Parameter begin: When the turn of the event loop began.
  /// - Returns: The time.
  @discardableResult
  func rest(after begin: MotionInstant) -> MotionInstant {
    let end = clock()
    let spent = end - begin
    if spent > Self.maxUnrestedTime { restEnd = end + spent / 4 }
    return end
  }

  /// The time that frames may take without a rest.
  private static let maxUnrestedTime: MotionDuration = .milliseconds(2)

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
