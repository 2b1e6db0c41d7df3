// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import Testing

@Suite struct RestDetectorTests {
  /// The mean after each sample of a rate about x that alternates around 1 rad/s, at 100 Hz for 2
  /// s.
  private func means(_ rule: RestRule, deviation: Double, seconds: Double = 2) -> [AngularRate?] {
    var detector = RestDetector(rule)
    return (0...Int(seconds * 100)).map { index in
      let x = 1 + (index.isMultiple(of: 2) ? deviation : -deviation)
      return detector.add(
        AngularRate(x: x, y: 0, z: -2), time: .zero + .milliseconds(10) * Int64(index),
        span: .seconds(1))
    }
  }

  @Test(
    arguments: [
      (.lying, 0.0197, true), (.lying, 0.0203, false), (.held, 0.0985, true),
      (.held, 0.102, false),
    ] as [(RestRule, Double, Bool)])
  func deviationFromTheMean(rule: RestRule, deviation: Double, isRest: Bool) throws {
    let means = means(rule, deviation: deviation)
    #expect(means.prefix(100).allSatisfy { $0 == nil }, "shorter than the span")
    #expect(means.dropFirst(100).allSatisfy { ($0 != nil) == isRest })
    if isRest {
      let mean = try #require(means.last ?? nil)
      #expect(mean.isWithin(0.001, of: AngularRate(x: 1, y: 0, z: -2)))
    }
  }

  @Test func oneOutlierEndsTheRestForItsSpan() {
    var detector = RestDetector(.lying)
    var rests: [Int] = []
    for index in 0...400 {
      let rate = AngularRate(x: 0, y: index == 150 ? 1 : 0, z: 0)
      let time = MotionInstant.zero + .milliseconds(10) * Int64(index)
      if detector.add(rate, time: time, span: .seconds(1)) != nil { rests.append(index) }
    }
    #expect(rests == Array(100..<150) + Array(251...400))
  }

  @Test func segmentStartsAgain() {
    var detector = RestDetector(.held)
    func add(_ milliseconds: Int64) -> Bool {
      detector.add(.zero, time: .zero + .milliseconds(milliseconds), span: .seconds(1)) != nil
    }
    let long = [0, 500, 1_000].map { add($0) }
    #expect(long == [false, false, true])
    detector.removeAll()
    let again = [1_100, 2_000, 2_100].map { add($0) }
    #expect(again == [false, false, true])
  }

  @Test func notANumberIsNotARest() {
    var detector = RestDetector(.held)
    var mean: AngularRate?
    for index in 0...200 {
      mean = detector.add(
        AngularRate(x: index == 150 ? .nan : 0, y: 0, z: 0),
        time: .zero + .milliseconds(10) * Int64(index), span: .seconds(1))
    }
    #expect(mean == nil)
  }
}
