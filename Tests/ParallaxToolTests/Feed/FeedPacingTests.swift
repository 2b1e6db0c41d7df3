// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxTool

/// When a row is sent, and with which time. All times are in ms.
@Suite struct FeedPacingTests {
  private static func row(_ ms: Int64, x: Double = 1) -> GyroSample {
    GyroSample(
      time: MotionInstant(nanoseconds: ms * 1_000_000),
      rateRadPerSec: AngularRate(x: x, y: 2, z: 3))
  }

  private static func at(_ ms: Int64) -> MotionInstant {
    MotionInstant(nanoseconds: ms * 1_000_000)
  }

  /// Adds rows at an instant.
  private func add(_ times: [Int64], to pacing: inout FeedPacing, at now: Int64) {
    pacing.add(times.map { Self.row($0) }, at: Self.at(now))
  }

  /// Lets time pass until all rows were sent, and returns `DUE:TIME` of each.
  private func play(_ pacing: inout FeedPacing, from start: Int64 = 0) -> String {
    var words: [String] = []
    var now = Self.at(start)
    while let due = pacing.due {
      now = max(now, due)
      while let row = pacing.next(at: now) {
        words.append("\(now.nanoseconds / 1_000_000):\(row.time.nanoseconds / 1_000_000)")
      }
    }
    return words.joined(separator: " ")
  }

  // MARK: - Files

  @Test func aFileKeepsTheDifferencesOfItsTimes() {
    var pacing = FeedPacing(keepsTimes: true)
    add([500, 510, 525, 900], to: &pacing, at: 7000)
    #expect(play(&pacing) == "7000:7000 7010:7010 7025:7025 7400:7400")
    #expect(pacing.isEmpty)
    // The next rows continue, whenever they were read.
    add([910], to: &pacing, at: 7400)
    #expect(play(&pacing) == "7410:7410")
  }

  @Test func nothingIsSentEarly() {
    var pacing = FeedPacing(keepsTimes: true)
    add([0, 10], to: &pacing, at: 1000)
    #expect(pacing.next(at: Self.at(1000)) != nil)
    #expect(pacing.next(at: Self.at(1009)) == nil)
    #expect(pacing.due == Self.at(1010))
    #expect(pacing.next(at: Self.at(1010)) != nil)
    #expect(pacing.due == nil)
  }

  @Test func rowsOutOfOrderAreSentAtOnceWithTheirTimes() {
    var pacing = FeedPacing(keepsTimes: true)
    add([100, 120, 110, 120, 130], to: &pacing, at: 1000)
    #expect(play(&pacing) == "1000:1000 1020:1020 1020:1010 1020:1020 1030:1030")
  }

  @Test func aClockThatWasSetBackCausesNoPause() {
    var pacing = FeedPacing(keepsTimes: true)
    // The time rule takes the eighth row as one frame after the last.
    add([50_000, 50_010] + (0..<10).map { 49_000 + 10 * $0 }, to: &pacing, at: 60_000)
    let words = play(&pacing).split(separator: " ")
    #expect(words.last == "60063:59090")
    #expect(words.count == 12)
  }

  @Test func timesBeforeZeroContinueInstead() {
    var pacing = FeedPacing(keepsTimes: true)
    add([50_000, 50_010, 20, 30], to: &pacing, at: 1000)
    #expect(play(&pacing) == "1000:1000 1010:1010 1043:1043 1053:1053")
  }

  @Test func aStoppedProgramContinuesLater() {
    var pacing = FeedPacing(keepsTimes: true)
    add([0, 10, 20, 30], to: &pacing, at: 1000)
    #expect(pacing.next(at: Self.at(1000)) != nil)
    // Up to a second, rows keep their times.
    #expect(pacing.next(at: Self.at(2010))?.time == Self.at(1010))
    #expect(play(&pacing, from: 6020) == "6020:6020 6030:6030")
  }

  @Test func aRepetitionContinuesOneFrameLater() {
    var pacing = FeedPacing(keepsTimes: true)
    let isRepeated = pacing.restart()
    #expect(!isRepeated)
    add([500, 510], to: &pacing, at: 1000)
    #expect(play(&pacing) == "1000:1000 1010:1010")
    let first = pacing.restart()
    #expect(first)
    add([500, 510], to: &pacing, at: 1010)
    #expect(play(&pacing) == "1043:1043 1053:1053")
    // A pass without a usable row is the last.
    let second = pacing.restart()
    #expect(second)
    pacing.add([Self.row(500, x: .nan)], at: Self.at(1053))
    let third = pacing.restart()
    #expect(!third)
  }

  // MARK: - Pipes

  @Test func theRowsOfAPipeAreSentOnArrivalWithTheirOwnTimes() {
    var pacing = FeedPacing(keepsTimes: false)
    add([500, 510], to: &pacing, at: 7000)
    #expect(play(&pacing) == "7000:500 7000:510")
    add([520], to: &pacing, at: 7300)
    #expect(play(&pacing) == "7300:520")
    #expect(!pacing.isAhead)
  }

  @Test func aClockBeforeZeroIsShifted() {
    var pacing = FeedPacing(keepsTimes: false)
    add([-500, -490], to: &pacing, at: 7000)
    #expect(play(&pacing) == "7000:0 7000:10")
  }

  @Test func aRecordingInAPipeIsPacedFromItsFirstRow() {
    var pacing = FeedPacing(keepsTimes: false)
    add((0...110).map { $0 * 10 }, to: &pacing, at: 5000)
    #expect(pacing.isAhead)
    let words = play(&pacing).split(separator: " ")
    #expect(words.first == "5000:0" && words.last == "6100:1100")
  }

  @Test func aBurstAfterAStallIsLive() {
    var pacing = FeedPacing(keepsTimes: false)
    add([0], to: &pacing, at: 5000)
    #expect(play(&pacing) == "5000:0")
    // A network held back 3 s of rows.
    add((1...300).map { $0 * 10 }, to: &pacing, at: 8000)
    #expect(!pacing.isAhead)
    #expect(play(&pacing, from: 8000).hasSuffix("8000:3000"))
  }

  @Test func aJumpOfALiveClockIsNoLead() {
    var pacing = FeedPacing(keepsTimes: false)
    for index in 0..<1000 as Range<Int64> {
      // An hour forward in the middle.
      add([index * 10 + (index > 500 ? 3_600_000 : 0)], to: &pacing, at: 5000 + index * 10)
      #expect(pacing.next(at: Self.at(5000 + index * 10)) != nil)
    }
    #expect(!pacing.isAhead)
  }

  @Test func aFastWriterIsPacedOnceItIsASecondAhead() {
    var pacing = FeedPacing(keepsTimes: false)
    var sent = 0
    // Twice as fast as its times.
    for index in 0..<400 as Range<Int64> where !pacing.isAhead {
      add([index * 10], to: &pacing, at: 5000 + index * 5)
      while pacing.next(at: Self.at(5000 + index * 5)) != nil { sent += 1 }
    }
    #expect(pacing.isAhead)
    #expect((195...205).contains(sent))
    add([4000, 4010], to: &pacing, at: 7000)
    let dues = play(&pacing, from: 7000).split(separator: " ").compactMap { word in
      word.split(separator: ":").first.flatMap { Int($0) }
    }
    #expect(dues.count == 2 && dues[1] == dues[0] + 10)
  }

  @Test func rowsThatTheDaemonWouldRefuseAreLeftOut() {
    var pacing = FeedPacing(keepsTimes: false)
    pacing.add(
      [Self.row(0, x: .infinity), Self.row(1, x: .nan), Self.row(2)], at: Self.at(5000))
    #expect(play(&pacing) == "5000:2")
    pacing.add([GyroSample(time: .distantFuture, rateRadPerSec: .zero)], at: Self.at(5000))
    #expect(pacing.isEmpty)
  }
}
