import ParallaxDaemon
import ParallaxMotion

/// A live sensor as a test writes it: 100 samples a second of a motion that never rests, for as
/// long as nothing else is said.
final class ScriptSource: MotionSource {
  let driver = "iio"
  let name: String? = "script"

  /// Where it starts from.
  var outcome: SourceEvent? = .streaming(SourceStart(rateHertz: 100, isLive: true))
  /// Events that come out as soon as it is asked.
  var events: [SourceEvent] = []
  /// Samples come as long as this is so.
  var isMoving = true
  private(set) var starts = 0
  private(set) var stops = 0
  private var due: Int64?

  var dueNanoseconds: Int64? { events.isEmpty ? (isMoving ? due : nil) : 0 }

  func start(atNanoseconds now: Int64) -> SourceEvent? {
    starts += 1
    due = now
    return outcome
  }

  func next(atNanoseconds now: Int64) -> SourceEvent? {
    if !events.isEmpty { return events.removeFirst() }
    guard isMoving, let time = due, time <= now else { return nil }
    due = time + 10_000_000
    return .sample(
      GyroSample(timeNanoseconds: time, rateRadPerSec: AngularRate(x: 0.5, y: -0.8, z: 0.1)))
  }

  func stop() {
    stops += 1
    due = nil
  }
}
