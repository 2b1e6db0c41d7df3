// SPDX-License-Identifier: Apache-2.0

import CEvdev
import ParallaxBase
import ParallaxMotion
import Testing

@testable import ParallaxDevice

@Suite("Events of a motion node")
struct EvdevScansTests {
  /// Adds events and returns the scans as `TIME X Y Z`, time in ms, rates in units of the axes.
  ///
  /// - Parameter events: Words: `xN`, `yN`, `zN` set an axis; `cN` is the device's counter in us; `@N` the
  ///   kernel's time in ms of what follows; `;` ends a report; `!` is SYN_DROPPED, and `.` the end of the
  ///   resync. Scans that follow lost ones are marked with `-N`.
  private func scans(
    _ events: String, _ timing: EvdevTiming = .counter, raw: AngularRate = .zero
  ) -> String {
    var scans = EvdevScans(scale: AngularRate(x: 1, y: 1, z: 1), raw: raw, timing: timing)
    var time = MotionInstant.zero
    var found: [String] = []
    for word in events.split(separator: " ") {
      let number = Int64(word.dropFirst()) ?? 0
      let event: (type: Int32, code: Int32)? =
        switch word.first {
        case "x": (EV_ABS, ABS_RX)
        case "y": (EV_ABS, ABS_RY)
        case "z": (EV_ABS, ABS_RZ)
        case "a": (EV_ABS, ABS_X)
        case "c": (EV_MSC, MSC_TIMESTAMP)
        case ";": (EV_SYN, SYN_REPORT)
        default: nil
        }
      switch word.first {
      case "@": time = .zero + .milliseconds(number)
      case "!": scans.beginResync()
      case ".": scans.endResync()
      default: break
      }
      guard let event else { continue }
      let scan = scans.add(
        type: UInt16(event.type), code: UInt16(event.code),
        value: Int32(bitPattern: UInt32(truncatingIfNeeded: number)), time: time, arrival: { time })
      guard let scan, let stamp = scan.stamp else { continue }
      let rate = scan.rateRadPerSec
      found.append(
        (scan.lostBefore > 0 ? "-\(scan.lostBefore) " : "")
          + "\(Double(stamp.nanoseconds) / 1e6) \(Int(rate.x)) \(Int(rate.y)) \(Int(rate.z))")
    }
    return found.joined(separator: ", ")
  }

  @Test(
    arguments: [
      ("a report", "x1 y2 z3 c4000 ;", "4.0 1 2 3"),
      (
        "an unchanged axis keeps its value", "x1 y2 z3 c4000 ; y5 c8000 ; c12000 ;",
        "4.0 1 2 3, 8.0 1 5 3, 12.0 1 5 3"
      ),
      ("the accelerometer is not a rate", "a9 x1 c4000 ;", "4.0 1 0 0"),
      ("a report without a time", "x1 ; x2 c4000 ;", "4.0 2 0 0"),
      ("a resync makes no scan", "x1 c4000 ; ! x7 z7 ; . c20000 ;", "4.0 1 0 0, -1 20.0 7 0 7"),
      (
        "lost ones are counted by the time", "c4000 ; c8000 ; ! . c2012000 ; c2016000 ;",
        "4.0 0 0 0, 8.0 0 0 0, -500 2012.0 0 0 0, 2016.0 0 0 0"
      ),
      (
        "two gaps", "c4000 ; c8000 ; ! . c20000 ; ! . c40000 ;",
        "4.0 0 0 0, 8.0 0 0 0, -2 20.0 0 0 0, -4 40.0 0 0 0"
      ),
      ("the counter wraps", "c4294966296 ; c3000 ;", "4294966.296 0 0 0, 4294970.296 0 0 0"),
      ("the counter is set back", "c100000 ; c5000 ;", "100.0 0 0 0, 5.0 0 0 0"),
    ])
  func counted(what: String, events: String, expected: String) {
    #expect(scans(events) == expected, "\(what)")
  }

  @Test func axesBeforeTheFirstEventAreThoseOfTheNode() {
    #expect(scans("y4 c1000 ;", raw: AngularRate(x: 1, y: 2, z: 3)) == "1.0 1 4 3")
  }

  @Test func withoutACounterTheTimeIsTheKernels() {
    #expect(scans("@5 x1 ; @9 c77 x2 ;", .kernel) == "5.0 1 0 0, 9.0 2 0 0")
  }

  /// Three samples at once, as hid-nintendo gives them; its counter (here 5, 5, 20 ms) is not used.
  @Test(
    arguments: [
      ("every 15 ms", "@30 ; ; ; @45 ; ; ; @60 ; ; ;", "20 25 30 35 40 45 50 55 60"),
      ("every 12 ms", "@30 ; ; ; @42 ; ; ;", "20 25 30 34 38 42"),
      ("a transfer was lost", "@30 ; ; ; @60 ; ; ;", "20 25 30 40 50 60"),
      ("after a second", "@30 ; ; ; @1030 ; ; ;", "20 25 30 1010 1020 1030"),
      ("spread a little", "@30 ; @31 ; ; @45 ; ; ;", "20 25 30 35 40 45"),
    ])
  func bursts(what: String, events: String, expected: String) {
    let times = scans(events, .bursts(of: 3)).split(separator: ", ").compactMap {
      $0.split(separator: " ").first.flatMap { Double($0) }.map { "\(Int($0))" }
    }
    #expect(times.joined(separator: " ") == expected, "\(what)")
  }
}
