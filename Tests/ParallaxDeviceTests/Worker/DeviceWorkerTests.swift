// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxDevice
import Testing

@Suite("Device worker")
struct DeviceWorkerTests {
  /// The next reports.
  private func wait(for worker: DeviceWorker) -> [DeviceReport] {
    var scans: [GyroScan] = []
    while true {
      var entry = pollfd(fd: worker.descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&entry, 1, -1)
      let reports = worker.collect(scans: &scans)
      #expect(scans.isEmpty)
      if !reports.isEmpty { return reports }
    }
  }

  @Test func jobsAreAnsweredInOrder() throws {
    let worker = try DeviceWorker(clock: { .zero })
    for _ in 0..<3 {
      worker.acquire(GyroRequest(uri: "xml:/nowhere.xml"))
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
