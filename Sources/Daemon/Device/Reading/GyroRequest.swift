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
  /// Samples per frame; nil: depends on the device.
  package var oversample: Int?
  /// Whether to read an accelerometer in the same device, too. Default: false.
  package var readsAccelerometer: Bool

  package init(
    interface: GyroInterface? = nil, name: String? = nil, uri: String? = nil,
    frameRate: FrameRate = .standard, oversample: Int? = nil, readsAccelerometer: Bool = false
  ) {
    self.interface = interface
    self.name = name
    self.uri = uri
    self.frameRate = frameRate
    self.oversample = oversample
    self.readsAccelerometer = readsAccelerometer
  }

  /// The default samples per frame of a device that streams. With one, tilt mode has twice the error, and rate
  /// mode is 6 to 15 ms later: a frame waits for its sample, and the slope for two. Polling costs too much to be
  /// done more often than once per frame.
  package static let streamingOversample = 4

  /// The samples per second to request, Hz; nil: the device's own rate (`native`).
  package func requestedRateHertz(isStreaming: Bool) -> Double? {
    guard case .hertz(let hertz) = frameRate else { return nil }
    let standard = isStreaming ? Self.streamingOversample : 1
    return hertz * Double(oversample ?? standard)
  }
}
