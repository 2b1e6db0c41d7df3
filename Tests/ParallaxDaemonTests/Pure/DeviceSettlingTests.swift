import Glibc
import ParallaxSystem
import ParallaxTestSupport
import Testing

@testable import ParallaxDaemon

@Suite struct DeviceSettlingTests {
  private static let second: Int64 = 1_000_000_000

  /// What is told when: devices come at 0 s, those named `gyro` being gyroscopes, which are handed over
  /// at `openAt`; the first may be removed.
  private func told(
    _ ids: [String] = ["gyro"], openAt: Double?, removedAt: Double? = nil
  ) -> [String] {
    var settling = DeviceSettling()
    var lines: [String] = []
    var now: Int64 = 0
    let clock = { now }
    let look = DeviceSettling.Look(
      isGyroscope: { $0 == "gyro" },
      mayUseAll: { openAt.map { Double(clock()) / 1e9 >= $0 } ?? false })
    func say(_ change: DeviceChange) {
      let time = Double(now / 1_000_000) / 1000
      switch change {
      case .added(let id): lines.append("\(time) +\(id)")
      case .removed(let id): lines.append("\(time) -\(id)")
      }
    }
    for id in ids {
      if let change = settling.take(.added(id: id), atNanoseconds: now, look) { say(change) }
    }
    var removal = removedAt.map { Int64($0 * 1e9) }
    while let deadline = settling.deadlineNanoseconds, now < 10 * Self.second {
      if let instant = removal, deadline > instant {
        removal = nil
        now = instant
        let change = settling.take(.removed(id: ids[0]), atNanoseconds: now, look)
        if let change { say(change) }
      } else {
        now = deadline
        for change in settling.settled(atNanoseconds: now, look) { say(change) }
      }
    }
    return lines
  }

  @Test func `A gyroscope is told as soon as it may be used`() {
    #expect(told(openAt: 0) == ["0.0 +gyro"])
    #expect(told(openAt: 0.12) == ["0.15 +gyro"])
    #expect(told(openAt: nil) == ["5.0 +gyro"])
    #expect(told(openAt: nil, removedAt: 1.01) == ["1.01 -gyro"])
  }

  /// A trigger's news would make somebody look too early at the gyroscope that comes with it.
  @Test func `Its company is not told first`() {
    #expect(told(["trigger0"], openAt: 0) == ["0.5 +trigger0"])
    #expect(told(["trigger0", "gyro"], openAt: 0.7) == ["0.7 +trigger0", "0.7 +gyro"])
    #expect(told(["trigger0", "gyro"], openAt: 0.1) == ["0.1 +gyro", "0.5 +trigger0"])
    #expect(told(["accel", "gyro"], openAt: nil) == ["5.0 +accel", "5.0 +gyro"])
  }

  @Test func `More news of a device that is waited for does not delay it`() {
    let look = DeviceSettling.Look(isGyroscope: { _ in true }, mayUseAll: { false })
    var settling = DeviceSettling()
    for step in 0..<20 {
      let now = Int64(step) * 10_000_000
      #expect(settling.take(.added(id: "a"), atNanoseconds: now, look) == nil)
    }
    #expect(settling.deadlineNanoseconds == DeviceSettling.stepNanoseconds)
    let last = DeviceSettling.longestNanoseconds
    #expect(settling.settled(atNanoseconds: last, look) == [.added(id: "a")])
    #expect(settling.deadlineNanoseconds == nil)
  }

  @Test func `Whether all may be used`() throws {
    let folder = try TemporaryFolder()
    let look = DeviceSettling.Look.files(devices: folder("devices"), nodes: folder("dev"))
    #expect(look.mayUseAll(), "there are none")
    try folder.makeFolder("devices")
    for id in ["gyro", "accel", "plain"] { try folder.makeFolder("devices/\(id)") }
    for id in ["gyro", "accel"] { try folder.makeFolder("devices/\(id)/scan_elements") }
    for id in ["gyro", "plain"] { try folder.write("", to: "devices/\(id)/in_anglvel_x_raw") }
    #expect(look.isGyroscope("gyro") && look.isGyroscope("plain") && !look.isGyroscope("accel"))
    #expect(!look.mayUseAll(), "a gyroscope that streams has no node yet")
    try folder.makeFolder("dev")
    try folder.write("", to: "dev/gyro")
    #expect(look.mayUseAll())
  }
}
