package import ParallaxConfig
package import ParallaxSystem

/// The daemon without its surroundings: what happens comes in as calls with the time, and there is
/// one deadline for everything in it. The loop drives it, tests do the same by hand.
package final class DaemonCore {
  package let hub: MotionHub
  package let stream: StreamService
  package let control: ControlService
  private let sessionGate: SessionGate

  /// - Parameters:
  ///   - now: when it starts, CLOCK_MONOTONIC.
  ///   - documents: where animations come from.
  ///   - watchSessions: see `SessionGate`.
  ///   - clock: reads that clock, for the latency.
  ///   - log: takes what whoever runs the daemon should know, a line each.
  package init(
    configuration: Configuration, admission: Admission, atNanoseconds now: Int64,
    documents: any DocumentSource,
    watchSessions: @escaping (@escaping () -> Void) -> (any SessionWatch)?,
    clock: @escaping () -> Int64,
    makeSource: @escaping (Configuration) -> any MotionSource,
    log: @escaping (String) -> Void = { _ in }
  ) {
    hub = MotionHub(
      configuration: configuration, documents: documents, startNanoseconds: now, clock: clock,
      makeSource: makeSource, log: log)
    stream = StreamService(hub: hub, admission: admission)
    control = ControlService(hub: hub, stream: stream, admission: admission)
    sessionGate = SessionGate(
      hub: hub, sessions: admission.sessions, watchSessions: watchSessions, clock: clock)
  }

  /// When `advance` is wanted; nil: nothing is under way.
  package var deadlineNanoseconds: Int64? {
    earlier(
      hub.deadlineNanoseconds,
      earlier(stream.deadlineNanoseconds, control.deadlineNanoseconds))
  }

  /// Does what is due.
  package func advance(atNanoseconds now: Int64) {
    hub.advance(atNanoseconds: now)
    stream.expire(atNanoseconds: now)
    control.expire(atNanoseconds: now)
  }

  /// Tells everyone and closes.
  package func shutDown(atNanoseconds now: Int64) {
    stream.shutDown(atNanoseconds: now)
    control.shutDown(atNanoseconds: now)
    hub.shutDown()
  }
}
