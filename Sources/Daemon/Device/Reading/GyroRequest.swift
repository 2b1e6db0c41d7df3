// SPDX-License-Identifier: Apache-2.0

package import ParallaxMotion

/// Which gyroscope to open, and how.
package struct GyroRequest: Equatable, Sendable {
  /// Where to look for it; nil: everywhere.
  package var interface: GyroInterface?
  /// Name, label, own number, id or node; nil: the best gyroscope found.
  package var name: String?
  /// libiio's context URI; nil: this machine.
  package var uri: String?
  /// The reference frame rate.
  package var frameRate: FrameRate
  /// Samples per frame; nil: depends on mode and device.
  package var oversample: Int?
  package var mode: MotionMode
  /// Whether to read an accelerometer in the same device, too. Default: false.
  package var readsAccelerometer: Bool

  package init(
    interface: GyroInterface? = nil, name: String? = nil, uri: String? = nil,
    frameRate: FrameRate = .standard, oversample: Int? = nil, mode: MotionMode = .rate,
    readsAccelerometer: Bool = false
  ) {
    self.interface = interface
    self.name = name
    self.uri = uri
    self.frameRate = frameRate
    self.oversample = oversample
    self.mode = mode
    self.readsAccelerometer = readsAccelerometer
  }

  /// The default samples per frame of tilt mode on a device that streams. Decimation at 30 Hz doubles
  /// the error of tilt mode; polling costs too much to be done more often than once per frame.
  package static let tiltOversample = 4

  /// The samples per second to request, Hz; nil: the device's own rate (`native`).
  package func requestedRateHertz(isStreaming: Bool) -> Double? {
    guard case .hertz(let hertz) = frameRate else { return nil }
    let standard = mode == .tilt && isStreaming ? Self.tiltOversample : 1
    return hertz * Double(oversample ?? standard)
  }
}
