// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase

/// The body of `DeviceWorker`'s thread. No other thread uses this object.
final class WorkerThread {
  private let shared: DeviceWorker.Shared
  private var opened: OpenedGyro?
  private var reading = Reading.none
  /// When the accelerometer of a polled device is read next.
  private var accelDue: MotionInstant = .zero

  private enum Reading {
    /// Nothing is open, or the loop reads it.
    case none
    /// The axes are read one by one, at the times of the schedule.
    case polled(PolledGyro, PollSchedule)
    /// Scans come from another machine; a read waits for the next one.
    case remote(StreamingGyro)
  }

  /// A reading that took longer has no useful time. A driver that waited for an answer may also end
  /// with zeros.
  private static let maxReading: MotionDuration = .seconds(1)
  /// Readings per second of a device that states no rate.
  private static let standardHertz = 30.0

  init(_ shared: DeviceWorker.Shared) {
    self.shared = shared
  }

  func run() {
    while true {
      switch nextJob() {
      case .acquire(let request): acquire(request)
      case .release:
        release()
        report(.released)
      case .end:
        release()
        return
      case nil: readOrWait()
      }
    }
  }

  private func nextJob() -> DeviceWorker.Job? {
    shared.mailbox.withLock { mailbox in
      defer { mailbox.job = nil }
      return mailbox.job
    }
  }

  private func report(_ report: DeviceReport) {
    shared.mailbox.withLock { $0.reports.append(report) }
    shared.toLoop.signal()
  }

  private func send(_ scan: GyroScan) {
    shared.mailbox.withLock { mailbox in
      // A loop that has not collected for so long needs only the newest.
      if mailbox.scans.count >= DeviceWorker.maxScans { mailbox.scans.removeAll() }
      mailbox.scans.append(scan)
    }
    shared.toLoop.signal()
  }

  // MARK: - Jobs

  private func acquire(_ request: GyroRequest) {
    release()
    do throws(DeviceError) {
      let gyro = try GyroOpener.open(request)
      opened = gyro
      switch gyro.transport {
      case .streaming(let stream):
        report(.acquired(gyro.facts, stream: stream))
      case .remote(let stream):
        reading = .remote(stream)
        shared.mailbox.withLock { $0.awaitedStream = stream }
        report(.acquired(gyro.facts, stream: nil))
      case .polled(let polled):
        let schedule = PollSchedule(
          hertz: gyro.facts.rateHertz ?? Self.standardHertz, start: shared.clock())
        reading = .polled(polled, schedule)
        report(.acquired(gyro.facts, stream: nil))
      }
    } catch {
      report(.failed(error))
    }
  }

  private func release() {
    reading = .none
    shared.mailbox.withLock { $0.awaitedStream = nil }
    switch opened?.transport {
    case .streaming(let stream): stream.close()
    case .remote(let stream): stream.close()
    case .polled, nil: break
    }
    opened = nil
  }

  // MARK: - Reading

  private func readOrWait() {
    switch reading {
    case .none: shared.toThread.wait(atMost: nil)
    case .polled(let gyro, var schedule):
      let now = shared.clock()
      if schedule.due > now {
        shared.toThread.wait(atMost: schedule.due - now)
      } else {
        schedule.advance(at: now)
        reading = .polled(gyro, schedule)
        poll(gyro, start: now)
      }
    case .remote(let stream): waitForScan(stream)
    }
  }

  private func poll(_ gyro: PolledGyro, start: MotionInstant) {
    do throws(DriverError) {
      let rate = try gyro.read()
      let end = shared.clock()
      guard end - start <= Self.maxReading else { return }
      var scan = GyroScan(
        stamp: start + (end - start) / 2, arrival: end, rateRadPerSec: rate)
      if end >= accelDue {
        accelDue = end + PolledGyro.accelPeriod
        scan.acceleration = gyro.readAcceleration()
      }
      send(scan)
    } catch {
      // Other errors may pass; if they do not, the device is silent.
      guard [ENOENT, ENODEV].contains(error.number) else { return }
      reading = .none
      report(.readFailed(error))
    }
  }

  private func waitForScan(_ stream: StreamingGyro) {
    do throws(DriverError) {
      if let scan = try stream.next(clock: shared.clock) { send(scan) }
    } catch {
      guard error.number != ETIMEDOUT else { return }
      reading = .none
      // The job that waits now may have cancelled the read.
      if shared.mailbox.withLock({ $0.job == nil }) { report(.readFailed(error)) }
    }
  }
}
