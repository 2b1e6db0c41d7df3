import Glibc
import ParallaxDevice
import Testing

@Suite("The thread that waits for drivers")
struct DeviceWorkerTests {
  /// What comes next, however long that takes.
  private func wait(for worker: DeviceWorker) -> [DeviceReport] {
    var scans: [ArrivedScan] = []
    while true {
      var entry = pollfd(fd: worker.descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&entry, 1, -1)
      let reports = worker.collect(scans: &scans)
      #expect(scans.isEmpty)
      if !reports.isEmpty { return reports }
    }
  }

  @Test func jobsAreAnsweredOneAfterTheOther() throws {
    let worker = try DeviceWorker(clock: { 0 })
    for _ in 0..<3 {
      worker.acquire(GyroWish(uri: "xml:/nowhere.xml"))
      let opened = wait(for: worker)
      guard case .failed(.none(let reason))? = opened.first, opened.count == 1 else {
        Issue.record("\(opened)")
        return
      }
      #expect(reason.hasPrefix("xml:/nowhere.xml cannot be opened: "))
    }
    worker.release()
    let released = wait(for: worker)
    guard case .released? = released.first, released.count == 1 else {
      Issue.record("\(released)")
      return
    }
  }
}
