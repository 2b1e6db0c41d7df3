// SPDX-License-Identifier: Apache-2.0

/// The motion at the sample that completes a frame: what `auto` smoothing shows and what every frame's
/// velocity is made of. All values are linear in the samples, so each screen remaps and scales them.
package struct MotionEstimate: Equatable, Sendable {
  package var mode: MotionMode
  /// The time from the frame's instant to its sample, s.
  package var ageSeconds: Double
  /// The sample: rad/s in rate mode, rad in tilt mode.
  package var newest: DrivingMotion
  /// Rate mode: its mean over 0.4 s, rad/s.
  package var mean = DrivingMotion.zero
  /// Per second. In rate mode, the slope over 0.02 s; in tilt mode, the measured velocity.
  package var slope = DrivingMotion.zero
  /// Rate mode: the slope over 0.002 s, rad/s per second.
  package var quickSlope = DrivingMotion.zero

  /// The longest age that a velocity bridges, s. After a pause in the samples, its frames show the
  /// sample that ended it.
  static let maxAgeSeconds = 0.05

  package init(mode: MotionMode, newest: DrivingMotion, ageSeconds: Double = 0) {
    self.mode = mode
    self.newest = newest
    self.ageSeconds = ageSeconds
  }
}
