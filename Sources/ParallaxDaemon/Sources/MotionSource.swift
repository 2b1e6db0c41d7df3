package import ParallaxMotion
package import ParallaxWire

/// What comes out of a source.
package enum SourceEvent: Equatable, Sendable {
  /// Samples follow.
  case streaming(SourceStart)
  /// A sample, its time in CLOCK_MONOTONIC.
  case sample(GyroSample)
  /// The times do not tell any more how old a sample is, and why.
  case latencyUnknown(reason: String)
  /// The device's own accelerometer says how it is held, from here on.
  case orientation(Orientation)
  /// The next sample begins a segment; see `SensorStage.startSegment`.
  case segment(continuing: Bool)
  /// It has nothing to give at present, and why; it goes on trying by itself.
  case waiting(DeviceMessage.State, reason: String)
  /// It cannot give samples, and why.
  case trouble(DeviceMessage.State, reason: String)
  /// It has given its last sample.
  case ended
}

/// Something that motion comes from: a trace, a made-up hand, a gyroscope.
///
/// It is asked, never calls: whoever runs it waits until `dueNanoseconds` (or for a descriptor of
/// the source's) and then takes events until there is none. So time is an argument here too.
package protocol MotionSource: AnyObject {
  /// `iio`, `trace` or `synthetic`.
  var driver: String { get }
  /// The device's or the file's name.
  var name: String? { get }
  /// When the next event is due; nil: none by itself.
  var dueNanoseconds: Int64? { get }
  /// Switches it on.
  ///
  /// - Returns: how that went, `.streaming` or `.trouble`; nil where it takes time: then it comes
  ///   as an event.
  func start(atNanoseconds now: Int64) -> SourceEvent?
  /// The next event that is due.
  func next(atNanoseconds now: Int64) -> SourceEvent?
  /// Switches it off and lets go of everything it holds.
  func stop()
  /// Takes what is known of the gyroscope's zero, rad/s in the sensor's frame, for its next start.
  func remember(sensorBias bias: AngularRate, atNanoseconds now: Int64)
}

extension MotionSource {
  /// A source that keeps nothing.
  package func remember(sensorBias bias: AngularRate, atNanoseconds now: Int64) {}
}
