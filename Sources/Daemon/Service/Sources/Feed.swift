// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxDevice
package import ParallaxLoop
import ParallaxProtocol

/// The device of a `GyroSource` whose samples a program sends over the control socket: present while a
/// client feeds.
///
/// It belongs to the loop's thread, so it answers every job at once. While its source is off, it discards
/// the samples.
package final class Feed: DeviceWorking {
  /// The sender's device; nil: no client feeds.
  package private(set) var facts: GyroFacts?

  private var isAcquired = false
  private var reports: [DeviceReport] = []
  private var scans: [GyroScan] = []
  private var isReadable: () -> Void = {}
  private var deviceChanged: (DeviceChange) -> Void = { _ in }

  private static let id = "feed"
  /// Why there are no samples while no client feeds.
  static let missing = DeviceError.none(
    "no program sends samples; run 'parallax feed' or 'parallax phone'")

  package init() {}

  // MARK: - The client

  /// Begins a feed. There must be none.
  func begin(_ request: FeedRequest) {
    facts = GyroFacts(
      id: Self.id, interface: .feed, name: request.name, place: Self.id,
      rateHertz: request.rateHertz, mountMatrix: request.mountMatrix,
      clock: request.clock == .monotonic
        ? .monotonic : .foreign("the sender's timestamps are from a clock of its own"),
      isHandheld: !request.turnsWithScreen)
    deviceChanged(.added(id: Self.id))
  }

  /// Takes a sample, which `deliver` passes on. One without a time is from its arrival.
  func add(_ sample: SampleRequest, at arrival: MotionInstant) {
    guard isAcquired else { return }
    scans.append(
      GyroScan(stamp: sample.time, arrival: arrival, rateRadPerSec: sample.rateRadPerSec))
  }

  /// Passes on the samples that have arrived since the last call.
  func deliver() {
    if !scans.isEmpty { isReadable() }
  }

  func end() {
    facts = nil
    scans.removeAll()
    deviceChanged(.removed(id: Self.id))
  }

  // MARK: - The source

  /// The environment of its source.
  package func environment(
    clock: @escaping () -> MotionInstant, log: @escaping (Log.Level, String) -> Void
  ) -> GyroEnvironment {
    GyroEnvironment(
      makeWorker: { self },
      follow: { _, handler in
        self.isReadable = handler
        return Watch { self.isReadable = {} }
      },
      followDevices: { handler in
        self.deviceChanged = handler
        return Watch { self.deviceChanged = { _ in } }
      },
      device: { self.facts.map { .success($0.name) } ?? .failure(Self.missing) }, clock: clock,
      log: log)
  }

  private final class Watch {
    private let end: () -> Void

    init(_ end: @escaping () -> Void) { self.end = end }

    deinit { end() }
  }

  package let descriptor: Int32 = -1

  package func acquire(_ request: GyroRequest) {
    isAcquired = facts != nil
    reports.append(facts.map { .acquired($0, stream: nil) } ?? .failed(Self.missing))
  }

  package func release() {
    isAcquired = false
    scans.removeAll()
    reports.append(.released)
  }

  package func collect(scans: inout [GyroScan]) -> [DeviceReport] {
    scans = self.scans
    self.scans = []
    defer { reports = [] }
    return reports
  }
}
