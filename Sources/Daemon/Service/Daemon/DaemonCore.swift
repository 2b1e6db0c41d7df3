// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxConfig

/// The daemon without the operating system: events come in as calls with the time, and one deadline
/// covers everything in it. The event loop drives it; tests drive it by hand.
package final class DaemonCore {
  package let hub: MotionHub
  package let stream: StreamService
  package let control: ControlService
  package let access: AccessMonitor

  /// - Parameters:
  ///   - now: The time of the start on CLOCK_MONOTONIC.
  ///   - documents: Where animations come from.
  ///   - worker: Reads them.
  ///   - clock: Reads CLOCK_MONOTONIC, for the latency.
  ///   - feed: The samples of a client of the control socket, for a source that `makeSource` makes.
  ///   - log: Receives warnings for the operator, one line each.
  package init(
    configuration: Configuration, access environment: AccessEnvironment, at now: MotionInstant,
    documents: any DocumentSource,
    worker: any DocumentWorker = ImmediateDocumentWorker(),
    clock: @escaping () -> MotionInstant,
    makeSource: @escaping (Configuration) -> any MotionSource, feed: Feed = Feed(),
    log: @escaping (String) -> Void = { _ in }
  ) {
    hub = MotionHub(
      configuration: configuration, documents: documents, worker: worker, start: now, clock: clock,
      makeSource: makeSource, log: log)
    access = AccessMonitor(hub: hub, environment: environment, clock: clock, log: log)
    let budgets = UserBudgets()
    stream = StreamService(hub: hub, access: access, budgets: budgets)
    control = ControlService(
      hub: hub, stream: stream, access: access, budgets: budgets, feed: feed)
    access.reexamine = { [weak stream, weak control] now in
      stream?.reexamine(at: now)
      control?.reexamine(at: now)
    }
  }

  /// When `advance` must be called next; nil if nothing is under way.
  package var deadline: MotionInstant? {
    .earlier(
      access.deadline, .earlier(hub.deadline, .earlier(stream.deadline, control.deadline)))
  }

  /// Does what is due.
  package func advance(at now: MotionInstant) {
    access.expire(at: now)
    hub.advance(at: now)
    stream.expire(at: now)
    control.expire(at: now)
  }

  /// Sends every client its last line and closes.
  package func shutDown(at now: MotionInstant) {
    stream.shutDown(at: now)
    control.shutDown(at: now)
    hub.shutDown()
  }
}
