import Glibc
import Synchronization

/// Does for the daemon's loop what may take long: one job at a time, in a thread of its own.
package protocol DeviceWorking: AnyObject {
  /// Readable when there is something to collect.
  var descriptor: Int32 { get }
  /// Finds and opens a gyroscope; `.acquired` or `.failed` comes.
  func acquire(_ wish: GyroWish)
  /// Lets go of what was acquired; `.released` comes. Nobody reads it any more.
  func release()
  /// Takes what has come: reports in their order, and the samples that no loop has to read itself.
  func collect(scans: inout [ArrivedScan]) -> [DeviceReport]
}

/// What a worker has to say.
///
/// Not checked: a stream goes from one side to the other with the report, and is used by one of them at
/// a time; see `DeviceWorker.Mailbox`.
package enum DeviceReport: @unchecked Sendable {
  /// `stream`: to be read by whoever collects this; nil: its samples come by `collect`.
  case acquired(GyroFacts, stream: (any ScanStream)?)
  case failed(DeviceTrouble)
  case released
  /// Its samples will come no more.
  case readFailed(IIOError)
}

/// Scans that are read without blocking.
package protocol ScanStream: AnyObject {
  /// Readable when there are some; -1 where the system does not say.
  var descriptor: Int32 { get }
  /// The next one, the oldest first; nil: none has come.
  func next() throws(IIOError) -> GyroScan?
}

/// A scan and when it was there, CLOCK_MONOTONIC.
package struct ArrivedScan: Equatable, Sendable {
  package var scan: GyroScan
  package var arrivalNanoseconds: Int64

  package init(scan: GyroScan, arrivalNanoseconds: Int64) {
    self.scan = scan
    self.arrivalNanoseconds = arrivalNanoseconds
  }
}

/// The thread. It lives until nobody holds this and its last job is over.
package final class DeviceWorker: DeviceWorking, Sendable {
  enum Job: Sendable {
    case acquire(GyroWish)
    case release
    case end
  }

  /// What lies between the loop and the thread.
  ///
  /// Not checked: a stream belongs to the loop from `.acquired` to `release()`, and to the thread
  /// before and after; cancelling is allowed from both.
  struct Mailbox: @unchecked Sendable {
    var job: Job?
    var reports: [DeviceReport] = []
    var scans: [ArrivedScan] = []
    /// A stream that the thread waits in, to be cancelled.
    var waitingIn: StreamingGyro?
  }

  /// Held by the loop's side and by the thread.
  final class Shared: Sendable {
    let clock: @Sendable () -> Int64
    let toThread: WakeUp
    let toLoop: WakeUp
    let mailbox = Mutex(Mailbox())

    init(clock: @escaping @Sendable () -> Int64) throws(IIOError) {
      self.clock = clock
      toThread = try WakeUp()
      toLoop = try WakeUp()
    }
  }

  private let shared: Shared

  /// Samples that may wait for the loop: at 1 kHz for 4 s.
  static let mostScans = 4096

  /// - Parameter clock: CLOCK_MONOTONIC, ns.
  package init(clock: @escaping @Sendable () -> Int64) throws(IIOError) {
    shared = try Shared(clock: clock)
    let thread = WorkerThread(shared)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, 512 << 10)
    var id = pthread_t()
    let result = pthread_create(
      &id, &attributes,
      { context in
        guard let context else { return nil }
        Unmanaged<WorkerThread>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(thread).toOpaque())
    guard result == 0 else {
      throw IIOError(number: result, action: "starting a thread for the gyroscope")
    }
  }

  deinit {
    post(.end)
  }

  package var descriptor: Int32 { shared.toLoop.descriptor }

  package func acquire(_ wish: GyroWish) { post(.acquire(wish)) }

  package func release() { post(.release) }

  private func post(_ job: Job) {
    shared.mailbox.withLock { mailbox in
      mailbox.job = job
      mailbox.waitingIn?.cancel()
    }
    shared.toThread.signal()
  }

  package func collect(scans: inout [ArrivedScan]) -> [DeviceReport] {
    shared.toLoop.clear()
    scans.removeAll(keepingCapacity: true)
    let (reports, taken) = shared.mailbox.withLock { [scans] mailbox in
      defer {
        mailbox.reports = []
        mailbox.scans = scans
      }
      return (mailbox.reports, mailbox.scans)
    }
    scans = taken
    return reports
  }
}
