// SPDX-License-Identifier: Apache-2.0

import CAllocationCount
import ParallaxBase
import ParallaxConfig
import ParallaxDaemon
import ParallaxLoop

/// The daemon's core on a clock that jumps from one deadline to the next, with a subscriber that stays all day and
/// clients that come and go.
final class DayOfMotion {
  struct Report {
    var frames = 0
    /// The greatest distance of a frame's time from that of the first frame plus n/rate.
    var driftNanoseconds: Int64 = 0
    /// Bytes in use after the first hour and at the end.
    var heap: (first: UInt64, last: UInt64) = (0, 0)
    /// Anonymous resident memory after the first hour and at the end, in kB.
    var anonymous: (first: Int, last: Int) = (0, 0)
    var faults: [String] = []
  }

  /// Half a nanosecond is what rounding the exact time leaves.
  private static let maxDriftNanoseconds: Int64 = 1
  private static let maxHeapGrowthBytes: UInt64 = 64 << 10
  private static let maxResidentGrowthKilobytes = 512
  /// After 115 days of uptime.
  private static let start = MotionInstant.zero + .seconds(10_000_000)

  private final class Time {
    var now = DayOfMotion.start
  }

  private let time = Time()
  private let core: DaemonCore
  private let rateHertz: Double

  init(settings: [String], rateHertz: Double) throws {
    self.rateHertz = rateHertz
    var builder = ConfigurationBuilder()
    for setting in ["source.kind=synthetic"] + settings { builder.set(assignment: setting) }
    let sessions = NoSessions()
    core = DaemonCore(
      configuration: try builder.build().configuration,
      access: AccessEnvironment(
        daemonUserID: 0,
        accounts: AccountLookup(
          userID: { _ throws(SystemError) in nil }, groupID: { _ throws(SystemError) in nil }),
        sessions: sessions, watch: { _ in NoSessionWatch() }),
      at: time.now, documents: ConfiguredDocuments(), clock: { [time] in time.now },
      makeSource: { _ in SyntheticSource(seed: 1) })
  }

  func run(hours: Int) -> Report {
    var report = Report()
    let watcher = DayClient(core.stream, at: time.now)
    watcher.send(#"{"class":"WATCH","rate":\#(Int(rateHertz))}"#, at: time.now)
    let end = time.now + .seconds(Int64(hours) * 3_600)
    var visitor: DayClient?
    var minute = 0
    while time.now < end {
      let next = Self.start + .seconds(Int64(minute + 1) * 60)
      while let due = core.deadline, due <= next {
        time.now = max(time.now, due)
        core.advance(at: time.now)
      }
      time.now = next
      minute += 1
      // A control client asks every minute; a second subscriber comes in each hour for ten minutes.
      let control = DayClient(core.control, at: time.now)
      control.send(#"{"class":"STATUS"}"#, at: time.now)
      control.hangUp(at: time.now)
      switch minute % 60 {
      case 20:
        visitor = DayClient(core.stream, at: time.now)
        visitor?.send(#"{"class":"WATCH","rate":10,"orientation":"left-up"}"#, at: time.now)
      case 30:
        visitor?.hangUp(at: time.now)
        visitor = nil
      case 0:
        check(watcher.frames, &report)
        if minute == 60 { report.heap.first = parallax_live_heap_bytes() }
        if minute == 60 { report.anonymous.first = Self.anonymousKilobytes() }
      default: break
      }
    }
    report.heap.last = parallax_live_heap_bytes()
    report.anonymous.last = Self.anonymousKilobytes()
    report.frames = watcher.frames.count
    report.driftNanoseconds = watcher.frames.maxDrift
    finish(watcher.frames, hours, &report)
    return report
  }

  private func check(_ frames: FrameTimes, _ report: inout Report) {
    guard report.faults.isEmpty, frames.maxDrift > Self.maxDriftNanoseconds else { return }
    report.faults.append("frame \(frames.count) is \(frames.maxDrift) ns from its time")
  }

  private func finish(_ frames: FrameTimes, _ hours: Int, _ report: inout Report) {
    check(frames, &report)
    // A frame may still wait for the sample that completes it.
    let expected = Int(Double(hours) * 3_600 * rateHertz)
    if abs(frames.count - expected) > 2 {
      report.faults.append("\(frames.count) frames, expected \(expected)")
    }
    if frames.gaps > 0 { report.faults.append("\(frames.gaps) frames are missing or out of order") }
    let growth = report.heap.last - min(report.heap.last, report.heap.first)
    if growth > Self.maxHeapGrowthBytes {
      report.faults.append("the heap grows by \(growth) bytes")
    }
    let resident = report.anonymous.last - report.anonymous.first
    if resident > Self.maxResidentGrowthKilobytes {
      report.faults.append("anonymous memory grows by \(resident) kB")
    }
  }

  /// Returns the anonymous resident memory of this process, in kB.
  private static func anonymousKilobytes() -> Int {
    let line = (SmallFile.text("/proc/self/status") ?? "").split(separator: "\n").first {
      $0.hasPrefix("RssAnon:")
    }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  }
}

/// No user has a session: root is admitted all the same.
private struct NoSessions: SessionDirectory {
  func presences(onSeat seat: String) throws(SystemError) -> [UInt32: SessionPresence] { [:] }

  func watch(
    on loop: EventLoop, handler: @escaping () -> Void
  ) throws(SystemError) -> any SessionWatch { NoSessionWatch() }
}

private final class NoSessionWatch: SessionWatch {}
