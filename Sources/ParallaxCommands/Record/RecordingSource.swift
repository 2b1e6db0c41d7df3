import ParallaxMotion
import ParallaxTrace

/// What comes out of a source of samples while it is recorded.
enum RecordingEvent {
  /// It begins: what the recording's header says, and what a person should know all the same.
  case header(TraceHeader, note: String?)
  /// A sample that the time rule kept, its time in CLOCK_MONOTONIC; times strictly increase.
  case sample(GyroSample)
  /// Something a person should know; the recording goes on.
  case note(String)
  /// It has given its last sample, and why. Nothing is wrong with it.
  case ended(reason: String)
}

/// Something that can be recorded: a daemon, a gyroscope. It is asked and never waits, so that the
/// one who asks can wait for other things too. Times are CLOCK_MONOTONIC.
protocol RecordingSource: AnyObject {
  /// Readable (poll(2)) when it is worth asking again.
  var descriptor: Int32 { get }
  /// When it is worth asking again even so; nil: never.
  var deadlineNanoseconds: Int64? { get }
  /// Begins: from now on there are events.
  func start(atNanoseconds now: Int64) throws(CommandFailure)
  /// The next event; nil where there is none yet.
  ///
  /// - Throws: where no more samples will come although some should.
  func next(atNanoseconds now: Int64) throws(CommandFailure) -> RecordingEvent?
  /// Lets go of what it holds, and waits for that if it does not take long.
  func stop()
}
