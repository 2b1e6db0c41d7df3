// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDaemon
import ParallaxTestSupport
import Testing

struct UserCadenceTests {
  /// A user's only connection gets exactly the frames that `Cadence` alone picks, whatever the rates of
  /// the source and of the connection. A change of the rate may bring a frame early, which the quota
  /// takes back at most once.
  @Test func aSingleConnectionGetsTheFramesOfItsRate() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<300 {
      let stated = Double.random(in: 0.5...300, using: &generator)
      let rated = stated * Double.random(in: 1 / 1.2...1.02, using: &generator)
      let pace = FramePace(ratedHertz: rated, actualHertz: stated)
      // A source is a little faster or slower than it states, but not faster than the tolerance.
      var real = stated * Double.random(in: 0.99...1.01, using: &generator)
      if stated <= 61.2 { real = min(real, 61.2) }
      var rate: Double?
      var (changes, missing) = (0, 0)
      var alone = Cadence()
      var (user, own) = (UserCadence(), Cadence())
      user.add(rate)
      let start = MotionInstant(
        nanoseconds: Int64.random(in: 0...1_000_000_000_000_000, using: &generator))
      for index in 0..<600 {
        if index % 97 == 0, Bool.random(using: &generator) {
          changes += 1
          user.remove(rate)
          rate = Double.random(in: 0.1...60, using: &generator)
          user.add(rate)
          (alone, own) = (Cadence(rateHertz: rate), Cadence(rateHertz: rate))
        }
        let jitter = Double.random(in: 0...0.2, using: &generator)
        let time = start + MotionDuration(seconds: (Double(index) + jitter) / real)
        let expected = alone.isDue(time: time, pace: pace)
        let isShown = user.isDue(time: time, pace: pace)
        let isDue = isShown && own.isDue(time: time, pace: pace)
        if expected, !isDue { missing += 1 }
        #expect(expected || !isDue, generator.commented((index, stated, rated, real, rate)))
        #expect(missing <= changes, generator.commented((index, stated, rated, real, rate)))
      }
    }
  }

  @Test func withoutConnectionsNoFrameIsLetThrough() {
    var user = UserCadence()
    let pace = FramePace(ratedHertz: 30, actualHertz: 30)
    var due: [Bool] = []
    for (second, change) in ["", "add", "remove", "remove again"].enumerated() {
      switch change {
      case "add": user.add(nil)
      case "remove": user.remove(nil)
      // A rate that no connection has changes nothing.
      default: user.remove(7)
      }
      due.append(user.isDue(time: .zero + .seconds(Int64(second)), pace: pace))
    }
    #expect(due == [false, true, false, false])
  }

  /// In any second there are at most 60 frames and those of 0.2 s, whatever the times.
  @Test func theQuotaHoldsForAnyTimes() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<200 {
      let pace = FramePace(ratedHertz: 50, actualHertz: 50)
      var quota = FrameQuota()
      var time: MotionInstant = 5_000_000_000
      var admitted: [MotionInstant] = []
      for _ in 0..<2_000 {
        let most = Int64.random(in: 1...30_000_000, using: &generator)
        time += .nanoseconds(Int64.random(in: 1...most, using: &generator))
        if quota.admit(time, pace: pace) { admitted.append(time) }
      }
      for (index, first) in admitted.enumerated() {
        let count = admitted[index...].prefix { $0 - first < .seconds(1) }.count
        #expect(count <= 73, generator.commented(count))
      }
    }
  }

  /// A pause does not add up: afterwards only the burst comes at once.
  @Test func thePauseBeforeABurstDoesNotCount() {
    var quota = FrameQuota()
    let pace = FramePace(ratedHertz: 200, actualHertz: 200)
    _ = quota.admit(0, pace: pace)
    let later: MotionInstant = 60_000_000_000
    let admitted = (0..<10).filter { quota.admit(later + .microseconds($0), pace: pace) }
    #expect(admitted.count == 4)
    #expect(!quota.isIdle(at: later))
    #expect(quota.isIdle(at: later + .milliseconds(68)))
  }
}
