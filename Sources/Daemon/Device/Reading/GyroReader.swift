// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion

/// Reads one gyroscope: drives its worker, reads its stream, and gives its samples their times.
///
/// It never waits. The owner calls `receiveReports` when `workerDescriptor` is readable and
/// `receiveScans` when `streamDescriptor` is, and gets what has come as events.
package final class GyroReader {
  package enum Event {
    /// The device is open; its samples follow.
    case opened(GyroFacts)
    /// It could not be opened; nothing is held.
    case failed(DeviceError)
    /// A sample with its time on CLOCK_MONOTONIC.
    ///
    /// - Parameters:
    ///   - startsSegment: Whether its time follows a break of the device's clock, or it is the first.
    ///   - acceleration: In the device's frame; nil: not read with this sample.
    case sample(GyroSample, startsSegment: Bool, acceleration: Acceleration?)
    /// The kernel dropped this many samples, which were not read in time. Comes before the next sample.
    case lost(UInt64)
    /// The device's clock proved to be foreign, so the age of its samples is unknown. Comes before the
    /// first sample that it concerns.
    case latencyUnknown(reason: String)
    /// The device gives no more samples.
    case readFailed(DriverError)
    /// The device was released.
    case released
  }

  /// The device that was opened last; nil: none was.
  package private(set) var facts: GyroFacts?
  /// When the latest sample arrived since the device was opened; nil: none has.
  package private(set) var lastArrival: MotionInstant?

  private let worker: any DeviceWorking
  private let clock: () -> MotionInstant
  private var frameRate = FrameRate.standard
  private var stream: (any ScanStream)?
  private var timing = ScanTiming(.monotonic, frameRate: .standard)
  private var accelMatrix = AccelMatrix.identity
  private var scans: [GyroScan] = []

  /// - Parameters:
  ///   - worker: Opens the device, and reads it where that may block.
  ///   - clock: CLOCK_MONOTONIC, read after each scan: none is from the future.
  package init(_ worker: any DeviceWorking, clock: @escaping () -> MotionInstant) {
    self.worker = worker
    self.clock = clock
  }

  /// Readable when `receiveReports` has something to do; -1 if `answersAtOnce`.
  package var workerDescriptor: Int32 { worker.descriptor }

  /// Whether `receiveReports` has the answer as soon as a job was given.
  package var answersAtOnce: Bool { worker.descriptor < 0 }

  /// Readable when `receiveScans` has something to do; nil: samples come with the reports.
  package var streamDescriptor: Int32? {
    stream.flatMap { $0.descriptor >= 0 ? $0.descriptor : nil }
  }

  /// When an open device without a further sample counts as silent.
  ///
  /// - Parameter opened: When it was opened.
  package func silenceDeadline(opened: MotionInstant) -> MotionInstant {
    let rule = SilenceRule(period: facts?.period ?? .zero)
    return lastArrival.map { $0 + rule.span } ?? opened + rule.firstSpan
  }

  /// Why the age of a sample is unknown; nil: it is known.
  package var latencyNote: String? { timing.clock.latencyNote }

  // MARK: - Jobs

  /// Opens a gyroscope; `.opened` or `.failed` follows.
  package func acquire(_ request: GyroRequest) {
    frameRate = request.frameRate
    worker.acquire(request)
  }

  /// Releases what was acquired; `.released` follows.
  package func release() {
    // The worker owns the stream again.
    stream = nil
    worker.release()
  }

  // MARK: - Events

  /// Passes on the worker's reports and the samples that it read: samples after the opening of their
  /// device and before its end.
  package func receiveReports(_ handle: (Event) -> Void) {
    let reports = worker.collect(scans: &scans)
    for case .acquired(let facts, let stream) in reports { opened(facts, stream, handle) }
    for index in scans.indices {
      receive(scans[index], isNewest: index == scans.count - 1, handle)
    }
    for report in reports {
      switch report {
      case .acquired: break
      case .failed(let error): handle(.failed(error))
      case .readFailed(let error): handle(.readFailed(error))
      case .released: handle(.released)
      }
    }
  }

  /// Passes on every sample that the kernel holds: none is left to be shown late.
  package func receiveScans(_ handle: (Event) -> Void) {
    guard let stream else { return }
    var failure: DriverError?
    /// A scan before an error counts.
    func next() -> GyroScan? {
      do throws(DriverError) {
        return try stream.next(clock: clock)
      } catch {
        failure = error
        return nil
      }
    }
    var current = next()
    while let scan = current {
      current = next()
      receive(scan, isNewest: current == nil, handle)
    }
    if let failure { handle(.readFailed(failure)) }
  }

  private func opened(
    _ facts: GyroFacts, _ stream: (any ScanStream)?, _ handle: (Event) -> Void
  ) {
    self.facts = facts
    self.stream = stream
    lastArrival = nil
    timing = ScanTiming(facts.clock, frameRate: frameRate)
    if case .readAlong(let matrix) = facts.accelerometer { accelMatrix = matrix }
    handle(.opened(facts))
  }

  private func receive(_ scan: GyroScan, isNewest: Bool, _ handle: (Event) -> Void) {
    lastArrival = scan.arrival
    if scan.lostBefore > 0 { handle(.lost(scan.lostBefore)) }
    let wasKnown = timing.clock.latencyNote == nil
    let (sample, startsSegment) = timing.sample(of: scan, isNewest: isNewest)
    if wasKnown, let reason = latencyNote { handle(.latencyUnknown(reason: reason)) }
    handle(
      .sample(
        sample, startsSegment: startsSegment,
        acceleration: scan.acceleration.map { accelMatrix.apply($0) }))
  }
}
