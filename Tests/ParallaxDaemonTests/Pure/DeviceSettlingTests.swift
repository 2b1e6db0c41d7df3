// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
@testable import ParallaxDevice
import ParallaxLoop
import ParallaxTestSupport
import Testing

@testable import ParallaxDaemon

struct DeviceSettlingTests {
  /// The reports with their times in seconds. The devices appear at 0 s; `gyro` is a gyroscope, and
  /// access to it is granted at `openAt`. The first device may be removed.
  private func reports(
    _ ids: [String] = ["gyro"], openAt: Double?, removedAt: Double? = nil
  ) -> [String] {
    var settling = DeviceSettling()
    var lines: [String] = []
    var now: MotionInstant = 0
    let clock = { now }
    let access = DeviceSettling.Access(
      isGyroscope: { $0 == "gyro" }, isCompanion: { $0 != "mouse0" },
      mayUseAll: { openAt.map { clock().seconds >= $0 } ?? false })
    func add(_ change: DeviceChange) {
      let time = Double(now.nanoseconds / 1_000_000) / 1000
      switch change {
      case .added(let id): lines.append("\(time) +\(id)")
      case .removed(let id): lines.append("\(time) -\(id)")
      }
    }
    for id in ids {
      if let change = settling.receive(.added(id: id), at: now, access) { add(change) }
    }
    var removal = removedAt.map { MotionInstant.zero + MotionDuration(seconds: $0) }
    while let deadline = settling.deadline, now < .zero + .seconds(10) {
      if let instant = removal, deadline > instant {
        removal = nil
        now = instant
        let change = settling.receive(.removed(id: ids[0]), at: now, access)
        if let change { add(change) }
      } else {
        now = deadline
        for change in settling.settled(at: now, access) { add(change) }
      }
    }
    return lines
  }

  @Test func gyroscopeIsReportedOnceAccessible() {
    #expect(reports(openAt: 0) == ["0.0 +gyro"])
    #expect(reports(openAt: 0.12) == ["0.15 +gyro"])
    #expect(reports(openAt: nil) == ["5.0 +gyro"])
    #expect(reports(openAt: nil, removedAt: 1.01) == ["1.01 -gyro"])
  }

  /// A trigger's event would start a search too early for the gyroscope that appears with it.
  @Test func companionsAreReportedAfterIt() {
    #expect(reports(["trigger0"], openAt: 0) == ["0.5 +trigger0"])
    #expect(reports(["trigger0", "gyro"], openAt: 0.7) == ["0.7 +trigger0", "0.7 +gyro"])
    #expect(reports(["trigger0", "gyro"], openAt: 0.1) == ["0.1 +gyro", "0.5 +trigger0"])
    #expect(reports(["mouse0", "gyro"], openAt: 0.7) == ["0.7 +gyro"])
    #expect(reports(["accel", "gyro"], openAt: nil) == ["5.0 +accel", "5.0 +gyro"])
  }

  @Test func furtherEventsOfADeviceDoNotDelayIt() {
    let access = DeviceSettling.Access(
      isGyroscope: { _ in true }, isCompanion: { _ in false }, mayUseAll: { false })
    var settling = DeviceSettling()
    for step in 0..<20 {
      let now = MotionInstant.zero + .milliseconds(10) * Int64(step)
      #expect(settling.receive(.added(id: "a"), at: now, access) == nil)
    }
    #expect(settling.deadline == MotionInstant.zero + DeviceSettling.step)
    let last = MotionInstant.zero + DeviceSettling.maxDuration
    #expect(settling.settled(at: last, access) == [.added(id: "a")])
    #expect(settling.deadline == nil)
  }

  @Test func accessNeedsNodesOfStreamingGyroscopes() throws {
    let folder = try TemporaryFolder()
    let access = DeviceSettling.Access.files(devices: folder("devices"), nodes: folder("dev"))
    #expect(access.mayUseAll(), "no devices")
    try folder.makeFolder("devices")
    for id in ["gyro", "accel", "plain"] { try folder.makeFolder("devices/\(id)") }
    for id in ["gyro", "accel"] { try folder.makeFolder("devices/\(id)/scan_elements") }
    for id in ["gyro", "plain"] { try folder.write("", to: "devices/\(id)/in_anglvel_x_raw") }
    #expect(access.isGyroscope("gyro") && access.isGyroscope("plain"))
    #expect(!access.isGyroscope("accel"))
    #expect(!access.mayUseAll(), "the node of a streaming gyroscope is missing")
    try folder.makeFolder("dev")
    try folder.write("", to: "dev/gyro")
    #expect(access.mayUseAll())
  }
}
