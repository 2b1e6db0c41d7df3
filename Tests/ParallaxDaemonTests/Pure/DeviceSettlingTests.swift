import Glibc
import ParallaxSystem
import ParallaxTestSupport
import Testing

@testable import ParallaxDaemon

@Suite struct DeviceSettlingTests {
  private static let second: Int64 = 1_000_000_000

  /// What is told when: the device comes at 0 s and is handed over then, or is removed.
  private func told(openAt: Double?, removedAt: Double? = nil) -> [String] {
    var settling = DeviceSettling()
    var lines: [String] = []
    var now: Int64 = 0
    func isOpen(_: String) -> Bool { openAt.map { Double(now) / 1e9 >= $0 } ?? false }
    func say(_ change: DeviceChange) {
      let action = change == .added(id: "iio:device0") ? "added" : "removed"
      lines.append("\(Double(now / 1_000_000) / 1000) \(action)")
    }
    if let change = settling.take(.added(id: "iio:device0"), atNanoseconds: now, isOpen: isOpen) {
      say(change)
    }
    while let deadline = settling.deadlineNanoseconds, now < 10 * Self.second {
      if let removedAt, Double(deadline) / 1e9 > removedAt {
        now = Int64(removedAt * 1e9)
        let change = settling.take(
          .removed(id: "iio:device0"), atNanoseconds: now, isOpen: isOpen)
        if let change { say(change) }
        continue
      }
      now = deadline
      for change in settling.settled(atNanoseconds: now, isOpen: isOpen) { say(change) }
    }
    return lines
  }

  @Test func `It is told as soon as it may be opened`() {
    #expect(told(openAt: 0) == ["0.0 added"])
    #expect(told(openAt: 0.12) == ["0.15 added"])
    #expect(told(openAt: nil) == ["3.0 added"])
    #expect(told(openAt: nil, removedAt: 1.01) == ["1.01 removed"])
  }

  @Test func `More news of a device that is waited for does not delay it`() {
    var settling = DeviceSettling()
    for step in 0..<20 {
      let now = Int64(step) * 10_000_000
      #expect(settling.take(.added(id: "a"), atNanoseconds: now, isOpen: { _ in false }) == nil)
    }
    #expect(settling.deadlineNanoseconds == DeviceSettling.stepNanoseconds)
    let last = DeviceSettling.longestNanoseconds
    #expect(settling.settled(atNanoseconds: last) { _ in false } == [.added(id: "a")])
    #expect(settling.deadlineNanoseconds == nil)
  }

  @Test func `Whether it may be opened`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("a")
    try folder.makeFolder("a/scan_elements")
    try folder.write("", to: "a/in_anglvel_x_raw")
    func isOpen(_ id: String) -> Bool {
      DeviceSettling.isOpen(id, devices: folder.path, nodes: folder("dev"))
    }
    #expect(isOpen("b"), "no gyroscope")
    #expect(!isOpen("a"), "no node yet")
    try folder.makeFolder("dev")
    try folder.write("", to: "dev/a")
    #expect(isOpen("a"))
  }
}
