import Glibc

/// What `DeviceWorker`'s thread does. Nothing in here is used by another one.
final class WorkerThread {
  private let shared: DeviceWorker.Shared
  private var opened: OpenedGyro?
  private var reading = Reading.nothing
  /// When a polled device's accelerometer is asked next.
  private var accelDueNanoseconds: Int64 = 0

  private enum Reading {
    case nothing
    case polled(PolledGyro, PollPace)
    case remote(StreamingGyro)
  }

  /// Values of a reading that took longer are of no one instant: a driver that had to wait for an
  /// answer may give zeros at the end.
  private static let longestReadingNanoseconds: Int64 = 1_000_000_000

  init(_ shared: DeviceWorker.Shared) {
    self.shared = shared
  }

  func run() {
    while true {
      switch takeJob() {
      case .acquire(let wish): acquire(wish)
      case .release:
        letGo()
        report(.released)
      case .end:
        letGo()
        return
      case nil: readOrWait()
      }
    }
  }

  private func takeJob() -> DeviceWorker.Job? {
    shared.mailbox.withLock { mailbox in
      defer { mailbox.job = nil }
      return mailbox.job
    }
  }

  private func report(_ report: DeviceReport) {
    shared.mailbox.withLock { $0.reports.append(report) }
    shared.toLoop.signal()
  }

  private func give(_ scan: GyroScan, arrivalNanoseconds: Int64) {
    shared.mailbox.withLock { mailbox in
      // A loop that has stood still for so long wants the newest.
      if mailbox.scans.count >= DeviceWorker.mostScans { mailbox.scans.removeAll() }
      mailbox.scans.append(
        ArrivedScan(scan: scan, arrivalNanoseconds: arrivalNanoseconds))
    }
    shared.toLoop.signal()
  }

  // -- Jobs

  private func acquire(_ wish: GyroWish) {
    letGo()
    do throws(DeviceTrouble) {
      let gyro = try GyroOpener.open(wish)
      opened = gyro
      switch gyro.reader {
      case .streaming(let stream):
        report(.acquired(gyro.facts, stream: stream))
      case .remote(let stream):
        reading = .remote(stream)
        shared.mailbox.withLock { $0.waitingIn = stream }
        report(.acquired(gyro.facts, stream: nil))
      case .polled(let polled):
        reading = .polled(
          polled, PollPace(hertz: gyro.facts.rateHertz ?? 30, startNanoseconds: shared.clock()))
        report(.acquired(gyro.facts, stream: nil))
      }
    } catch {
      report(.failed(error))
    }
  }

  private func letGo() {
    reading = .nothing
    shared.mailbox.withLock { $0.waitingIn = nil }
    switch opened?.reader {
    case .streaming(let stream), .remote(let stream): stream.close()
    case .polled, nil: break
    }
    opened = nil
  }

  // -- Reading

  private func readOrWait() {
    switch reading {
    case .nothing: shared.toThread.wait(atMostNanoseconds: nil)
    case .polled(let gyro, var pace):
      let now = shared.clock()
      if pace.dueNanoseconds > now {
        shared.toThread.wait(atMostNanoseconds: pace.dueNanoseconds - now)
      } else {
        pace.advance(atNanoseconds: now)
        reading = .polled(gyro, pace)
        poll(gyro, startNanoseconds: now)
      }
    case .remote(let stream): waitForScan(stream)
    }
  }

  private func poll(_ gyro: PolledGyro, startNanoseconds: Int64) {
    do throws(IIOError) {
      let rate = try gyro.read()
      let end = shared.clock()
      guard end - startNanoseconds <= Self.longestReadingNanoseconds else { return }
      var scan = GyroScan(
        stampNanoseconds: startNanoseconds + (end - startNanoseconds) / 2, rateRadPerSec: rate)
      if end >= accelDueNanoseconds {
        accelDueNanoseconds = end + PolledGyro.accelPeriodNanoseconds
        scan.acceleration = gyro.readAcceleration()
      }
      give(scan, arrivalNanoseconds: end)
    } catch {
      // Anything else may pass, and if it does not, there is silence.
      guard [ENOENT, ENODEV].contains(error.number) else { return }
      reading = .nothing
      report(.readFailed(error))
    }
  }

  private func waitForScan(_ stream: StreamingGyro) {
    do throws(IIOError) {
      if let scan = try stream.next() { give(scan, arrivalNanoseconds: shared.clock()) }
    } catch {
      guard error.number != ETIMEDOUT else { return }
      reading = .nothing
      // A read that was cancelled failed because of the job that waits now.
      if shared.mailbox.withLock({ $0.job == nil }) { report(.readFailed(error)) }
    }
  }
}

/// When to ask for the next values: evenly, whatever a reading takes; what was missed is left out.
struct PollPace: Equatable {
  private let startNanoseconds: Int64
  private let periodNanoseconds: Double
  private var index: Int64 = 0

  /// - Parameter hertz: readings a second, above 0.
  init(hertz: Double, startNanoseconds: Int64) {
    self.startNanoseconds = startNanoseconds
    periodNanoseconds = 1e9 / hertz
  }

  var dueNanoseconds: Int64 {
    startNanoseconds + Int64((Double(index) * periodNanoseconds).rounded())
  }

  /// A reading begins now.
  mutating func advance(atNanoseconds now: Int64) {
    let passed = Int64((Double(now - startNanoseconds) / periodNanoseconds).rounded(.down))
    index = max(index, passed) + 1
  }
}
