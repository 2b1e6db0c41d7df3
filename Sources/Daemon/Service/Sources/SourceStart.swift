// SPDX-License-Identifier: Apache-2.0

package import ParallaxMotion

/// What is known of a source when it begins to stream.
package struct SourceStart: Equatable, Sendable {
  /// Granted by the device, stated by a trace, or measured; nil if unknown.
  package var rateHertz: Double?
  /// The sensor's own mounting; the configuration takes precedence.
  package var mountMatrix: MountMatrix?
  package var bias: BiasState
  /// The orientation of the screen when a recording was made.
  package var orientation: Orientation?
  /// What a subscriber should know although samples flow; DEVICE's `reason`.
  package var note: String?
  /// Why latency cannot be measured from its timestamps; nil if it can.
  package var latencyNote: String?
  /// Whether it is a sensor: its motion fades in, and late samples are not shown.
  package var isLive: Bool
  /// Whether the device also has the accelerometer, so that no other process may stream from it.
  package var hasAccelerometer: Bool
  /// As `GyroFacts.isHandheld`.
  package var isHandheld: Bool

  package init(
    rateHertz: Double?, mountMatrix: MountMatrix? = nil, bias: BiasState = .off,
    orientation: Orientation? = nil, note: String? = nil, latencyNote: String? = nil,
    isLive: Bool = false, hasAccelerometer: Bool = false, isHandheld: Bool = false
  ) {
    self.rateHertz = rateHertz
    self.mountMatrix = mountMatrix
    self.bias = bias
    self.orientation = orientation
    self.note = note
    self.latencyNote = latencyNote
    self.isLive = isLive
    self.hasAccelerometer = hasAccelerometer
    self.isHandheld = isHandheld
  }
}
