// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
import Synchronization

/// Opens, polls and releases gyroscopes for an event loop that must not block, one job at a time.
package protocol DeviceWorking: AnyObject {
  /// Readable when there is something to collect; -1 for a worker that answers every job at once.
  var descriptor: Int32 { get }
  /// Finds and opens a gyroscope; the answer is `.acquired` or `.failed`.
  func acquire(_ request: GyroRequest)
  /// Releases what was acquired; the answer is `.released`. The caller no longer reads the stream.
  func release()
  /// Collects the reports in their order, and the scans of a device without a stream.
  ///
  /// - Parameter scans: Replaced by the scans, the oldest first.
  func collect(scans: inout [GyroScan]) -> [DeviceReport]
}

/// A worker's answer, or a failure of the open device.
///
/// Not checked: the stream belongs to one thread at a time and moves with the report; see
/// `DeviceWorker.Mailbox`.
package enum DeviceReport: @unchecked Sendable {
  /// The device is open. `stream`: for the caller to read; nil: `collect` returns its scans.
  case acquired(GyroFacts, stream: (any ScanStream)?)
  /// It could not be opened; nothing is held.
  case failed(DeviceError)
  /// It was released.
  case released
  /// It gives no more scans.
  case readFailed(DriverError)
}

/// Scans that are read without blocking.
package protocol ScanStream: AnyObject {
  /// Readable when there are scans; -1 if the system has no descriptor for them.
  var descriptor: Int32 { get }
  /// Returns the oldest scan that was not returned yet; nil: there is none.
  ///
  /// - Parameter clock: CLOCK_MONOTONIC, read after the scan for its arrival.
  func next(clock: () -> MotionInstant) throws(DriverError) -> GyroScan?
  /// Ends the stream, which may take any time. No read may follow.
  func close()
}

/// The worker's thread. It ends when this object is gone and its last job is done.
package final class DeviceWorker: DeviceWorking, Sendable {
  enum Job: Sendable {
    case acquire(GyroRequest)
    case release
    case end
  }

  /// Passes jobs to the thread, and reports and scans back.
  ///
  /// Not checked: a stream belongs to the loop from `.acquired` to `release()`, and to the thread
  /// before and after. Both may cancel it.
  struct Mailbox: @unchecked Sendable {
    var job: Job?
    var reports: [DeviceReport] = []
    var scans: [GyroScan] = []
    /// The stream that the thread waits for, to be cancelled.
    var awaitedStream: StreamingGyro?
  }

  /// The state that the loop and the thread share.
  final class Shared: Sendable {
    let clock: @Sendable () -> MotionInstant
    let toThread: WakeUp
    let toLoop: WakeUp
    let mailbox = Mutex(Mailbox())

    init(clock: @escaping @Sendable () -> MotionInstant) throws(SystemError) {
      self.clock = clock
      toThread = try WakeUp()
      toLoop = try WakeUp()
    }
  }

  private let shared: Shared

  /// The scans kept for a slow loop: 4 s at 1 kHz.
  static let maxScans = 4096
  /// libiio needs little stack.
  private static let stackBytes = 512 << 10

  /// Starts the thread.
  ///
  /// - Parameter clock: CLOCK_MONOTONIC.
  package init(clock: @escaping @Sendable () -> MotionInstant) throws(SystemError) {
    let shared = try Shared(clock: clock)
    self.shared = shared
    try DetachedThread.start(stackBytes: Self.stackBytes) { WorkerThread(shared).run() }
  }

  deinit {
    post(.end)
  }

  package var descriptor: Int32 { shared.toLoop.descriptor }

  package func acquire(_ request: GyroRequest) { post(.acquire(request)) }

  package func release() { post(.release) }

  private func post(_ job: Job) {
    shared.mailbox.withLock { mailbox in
      mailbox.job = job
      mailbox.awaitedStream?.cancel()
    }
    shared.toThread.signal()
  }

  package func collect(scans: inout [GyroScan]) -> [DeviceReport] {
    shared.toLoop.clear()
    scans.removeAll(keepingCapacity: true)
    let (reports, collected) = shared.mailbox.withLock { [scans] mailbox in
      defer {
        mailbox.reports = []
        mailbox.scans = scans
      }
      return (mailbox.reports, mailbox.scans)
    }
    scans = collected
    return reports
  }
}
