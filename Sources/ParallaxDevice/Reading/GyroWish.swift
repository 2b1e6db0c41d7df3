package import ParallaxMotion

/// What is wanted of a gyroscope.
package struct GyroWish: Equatable, Sendable {
  /// Name, label or id; nil: the best one there is.
  package var name: String?
  /// libiio's context; nil: this machine's own.
  package var uri: String?
  /// R.
  package var frameRate: FrameRate
  /// Samples a frame; nil: decided by mode and device.
  package var oversample: Int?
  package var mode: MotionMode
  /// Whether an accelerometer in the same device is to be read along. Default: false.
  package var readsAccelerometer: Bool

  package init(
    name: String? = nil, uri: String? = nil, frameRate: FrameRate = .standard,
    oversample: Int? = nil, mode: MotionMode = .rate, readsAccelerometer: Bool = false
  ) {
    self.name = name
    self.uri = uri
    self.frameRate = frameRate
    self.oversample = oversample
    self.mode = mode
    self.readsAccelerometer = readsAccelerometer
  }

  /// Samples of a frame where nobody says how many: decimation at 30 Hz doubles the error of tilt mode,
  /// and polling costs too much to be done more often.
  package static let tiltOversample = 4

  /// Samples a second to ask for, Hz; nil: the device's own rate (`native`).
  package func wantedRateHertz(isStreaming: Bool) -> Double? {
    guard case .hertz(let hertz) = frameRate else { return nil }
    let standard = mode == .tilt && isStreaming ? Self.tiltOversample : 1
    return hertz * Double(oversample ?? standard)
  }
}
