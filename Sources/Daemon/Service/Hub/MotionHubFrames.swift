// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxProtocol

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

  /// Plans a rest after a frame that took more than half of its period, so that control requests, signals
  /// and new clients are served although the next frame is due already: frames get four fifths of the
  /// time.
  ///
  /// - Parameter begin: When the turn of the event loop began.
  /// - Returns: The time.
  @discardableResult
  func rest(after begin: MotionInstant) -> MotionInstant {
    let end = clock()
    let spent = end - begin
    if spent > max(Self.maxUnrestedTime, pace.period(0.5)) { restEnd = end + spent / 4 }
    return end
  }

  /// The time that a frame may take without a rest, whatever its period.
  private static let maxUnrestedTime: MotionDuration = .milliseconds(2)

  func publish(_ frame: FrameStamp, at now: MotionInstant) {
    animations.advance(to: frame.time)
    // Indices, not iterators: without optimization those allocate, and the test that counts a frame's
    // allocations runs without it. The same holds in what this calls.
    var index = 0
    while index < users.count {
      let user = users[index]
      let gain = user.fade.gain(at: frame.time)
      user.gain = showsMotion ? gain : 0
      if user.cadence.isDue(time: frame.time, pace: pace) {
        show(frame, to: user)
      } else if user.gain == 0, isShut(user), !user.animations.isMoving, isFinal(frame, for: user) {
        user.frame = UserFrame(stamp: frame, motion: .zero)
      }
      index += 1
    }
    audience?.publish(frame, at: now)
    animations.reportEvents(at: now)
  }

  /// Whether a frame without motion is shown although it is not due: the one at the end of motion, which is sent always, or
  /// one that ends an animation, or moves one that is held, if the user's quota admits it.
  private func isFinal(_ frame: FrameStamp, for user: UserState) -> Bool {
    if user.counts.moving > 0 { return true }
    return user.counts.lacks(user.animations.version)
      && user.cadence.admitsOutOfTurn(time: frame.time, pace: pace)
  }

  /// Returns the frame that a user sees, while motion streams or animations have moved something: the
  /// newest one if the user's quota admits it, else the last one that was let through.
  func currentFrame(of user: UserState) -> UserFrame? {
    guard device.state == .streaming || animations.isVisible, let newest = engine.latest
    else { return nil }
    if user.frame?.stamp != newest,
      user.cadence.admitsOutOfTurn(time: newest.time, pace: pace)
    {
      show(newest, to: user)
    }
    return user.frame
  }

  /// Takes the screens' motion at this frame for a user.
  private func show(_ stamp: FrameStamp, to user: UserState) {
    var frame = UserFrame(stamp: stamp, motion: engine.motion(on: user.screen ?? .common))
    if !sharedScreens.isEmpty {
      for orientation in Orientation.allCases {
        guard let screen = sharedScreens[orientation] else { continue }
        frame[orientation] = engine.motion(on: screen)
      }
    }
    user.frame = frame
  }
}
