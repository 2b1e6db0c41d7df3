// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion
package import ParallaxProtocol

/// An event of a source.
package enum SourceEvent: Equatable, Sendable {
  /// Samples follow.
  indirect case streaming(SourceStart)
  /// A sample with its time on CLOCK_MONOTONIC.
  case sample(GyroSample)
  /// The kernel dropped this many samples before the next one, because they were not read in time.
  case lost(UInt64)
  /// The age of samples is unknown from now on, and why.
  case latencyUnknown(reason: String)
  /// The orientation according to the device's own accelerometer.
  case orientation(Orientation)
  /// The next sample begins a segment; see `SensorStage.startSegment`.
  case segment(continuing: Bool)
  /// There are no samples at present, and why; the source keeps trying.
  case waiting(DeviceMessage.State, reason: String)
  /// There will be no samples, and why.
  case failed(DeviceMessage.State, reason: String)
  /// The last sample was returned.
  case ended
}

/// A source of motion: a trace, synthetic motion, a gyroscope or a feed.
///
/// The hub waits until `due`, or for the call of the `onReady` handler, and then calls `next` until it
/// returns nil. Time is always an argument.
package protocol MotionSource: AnyObject {
  /// `iio`, `evdev`, `feed`, `trace` or `synthetic`.
  var driver: String { get }
  /// The device's or the file's name.
  var name: String? { get }
  /// Whether there is certainly no device for it.
  var isMissing: Bool { get }
  /// When the next event is due; nil if none is scheduled.
  var due: MotionInstant? { get }
  /// Starts the source.
  ///
  /// - Returns: `.streaming`, `.waiting` or `.failed`; nil if the result follows as an event.
  func start(at now: MotionInstant) -> SourceEvent?
  /// Returns the next event that is due.
  func next(at now: MotionInstant) -> SourceEvent?
  /// How late the last event that `next` returned is. For a sensor: how much older it is than the
  /// newest that waits.
  func lateness(at now: MotionInstant) -> MotionDuration
  /// Stops the source and releases everything it holds.
  func stop()
  /// Sets the handler for events that come before `due`. A source driven by time alone has none.
  func onReady(_ handler: @escaping (MotionInstant) -> Void)
  /// Stores the gyroscope's bias for its next start, rad/s in the sensor's frame.
  func remember(sensorBias bias: AngularRate, at now: MotionInstant)
}

extension MotionSource {
  package var isMissing: Bool { false }

  package func lateness(at now: MotionInstant) -> MotionDuration { .zero }

  package func onReady(_ handler: @escaping (MotionInstant) -> Void) {}

  /// Ignores the bias.
  package func remember(sensorBias bias: AngularRate, at now: MotionInstant) {}
}
