// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
@testable import ParallaxGates
@testable import ParallaxMotion
import ParallaxTestSupport
import Testing

@Suite struct GainFadeTests {
  @Test func closingEndsAtExactlyZeroWithinTheFade() {
    var fade = GainFade(gain: 1, fadeSeconds: 0.3)
    fade.aim(at: 0, at: 1_000_000_000)
    #expect(fade.gain(at: 1_000_000_000) == 1)
    #expect((fade.gain(at: 1_150_000_000) - 0.5).magnitude < 1e-12)
    #expect(fade.gain(at: 1_299_000_000) > 0)
    #expect(fade.isMoving)
    #expect(fade.gain(at: 1_300_000_000) == 0)
    #expect(!fade.isMoving)
  }

  @Test func fadeOfNoTimeEndsAtOnce() {
    var fade = GainFade(gain: 0, fadeSeconds: 0)
    fade.aim(at: 1, at: 5)
    #expect(fade.gain(at: 5) == 1)
  }

  /// The column `reversed_uvpa` of Golden/animation/interrupt_ease.csv: 0 to 1 over 0.5 s, reversed at
  /// 0.2 s.
  @Test func reversesLikeAPropertyAnimator() throws {
    let table = try text(ofFile: testDataPath("Golden/animation/interrupt_ease.csv"))
    let rows = table.split(whereSeparator: \.isNewline).dropFirst().map {
      $0.split(separator: ",").compactMap { Double(String($0)) }
    }
    var fade = GainFade(gain: 0, fadeSeconds: 0.5)
    fade.aim(at: 1, at: 0)
    var isReversed = false
    for row in rows {
      let now = MotionInstant.zero + MotionDuration(seconds: row[1])
      let gain = fade.gain(at: now)
      #expect((gain - row[4]).magnitude < 1e-6, "at \(row[1]) s")
      if !isReversed, now >= 200_000_000 {
        fade.aim(at: 0, at: 200_000_000)
        isReversed = true
      }
    }
    #expect(rows.count > 20)
  }

  /// With targets that change at random instants the gain is continuous, monotonic toward each
  /// target, in range, and exactly at the target one fade after the last change.
  @Test func randomFlipsNeverJump() {
    var generator = SeededGenerator.forTest()
    var fade = GainFade(gain: 1, fadeSeconds: 0.3)
    var now: MotionInstant = 0
    var last = 1.0
    let targets = [0, 0.25, 1]
    // The steepest slope of ease-in-out is 1.72 of its span.
    let steepestPerSecond = 1.73 / 0.3
    for _ in 0..<100_000 {
      if Int.random(in: 0..<6, using: &generator) == 0 {
        fade.aim(at: targets.randomElement(using: &generator) ?? 0, at: now)
        let same = fade.gain(at: now)
        if (same - last).magnitude > 1e-12 { Issue.record("a jump; \(generator.note)") }
      }
      let dt = MotionDuration(nanoseconds: .random(in: 1...50_000_000, using: &generator))
      now += dt
      let gain = fade.gain(at: now)
      let risesToTarget = fade.target >= last
      let monotone = risesToTarget ? gain >= last : gain <= last
      let steady = (gain - last).magnitude <= steepestPerSecond * dt.seconds + 1e-12
      if !monotone || !steady || !(0...1).contains(gain) {
        Issue.record(
          "\(last) -> \(gain) in \(dt.nanoseconds) ns to \(fade.target); \(generator.note)")
      }
      last = gain
    }
    now += 300_000_000
    #expect(fade.gain(at: now) == fade.target)
  }

  /// Motion of the pipeline under a gate that opens and closes at random instants: one fade after
  /// the last change it is unchanged or exactly 0, and until then a closing gate only lowers it.
  @Test func gateStopsMotionWithinItsFade() {
    var generator = SeededGenerator.forTest()
    var settings = MotionSettings()
    settings.frameRate = .native
    settings.smoothing = Smoothing.none
    var pipeline = MotionPipeline(
      settings: settings, orientation: .normal, nominalRateHertz: nil, bias: .off)
    let length = MotionDuration(seconds: settings.fadeSeconds)
    var fade = GainFade(gain: 1, fadeSeconds: settings.fadeSeconds)
    var now = MotionInstant.zero
    var lastChange = now - length
    var lastGain = 1.0
    var (openFrames, closedFrames) = (0, 0)
    for _ in 0..<50_000 {
      now += .nanoseconds(.random(in: 1...40_000_000, using: &generator))
      if Int.random(in: 0..<20, using: &generator) == 0 {
        fade.aim(at: fade.target == 0 ? 1 : 0, at: now)
        lastChange = now
        lastGain = fade.gain(at: now)
      }
      let rate = AngularRate(x: 0, y: .random(in: -4...4, using: &generator), z: 0)
      _ = pipeline.push(GyroSample(time: now, rateRadPerSec: rate))
      guard let frame = pipeline.nextFrame() else {
        Issue.record("no frame; \(generator.note)")
        return
      }
      let gain = fade.gain(at: frame.time)
      let offset = frame.offset.x * gain
      if frame.time - lastChange < length {
        if fade.target == 0, gain > lastGain { Issue.record("a rise; \(generator.note)") }
        if offset.magnitude > 5 { Issue.record("\(offset) px; \(generator.note)") }
      } else if fade.target == 0 {
        closedFrames += 1
        if offset != 0 { Issue.record("\(offset) px at a closed gate; \(generator.note)") }
      } else {
        openFrames += 1
        let expected = min(max(rate.y * 5, -5), 5)
        if offset != expected { Issue.record("\(offset) for \(expected); \(generator.note)") }
      }
      lastGain = gain
    }
    #expect(openFrames > 1_000 && closedFrames > 1_000)
  }
}

@Suite struct CubicBezierTests {
  /// The shared table of 13 curves in 50-digit arithmetic.
  @Test func matchesTheTable() throws {
    let table = try text(ofFile: testDataPath("Golden/animation/easing_cubic_bezier.csv"))
    let lines = table.split(whereSeparator: \.isNewline)
    let header = lines[0].split(separator: ",").map(String.init)
    let columns = ["x1", "y1", "x2", "y2"].compactMap { header.firstIndex(of: $0) }
    try #require(columns.count == 4, "columns: \(header)")
    let x = try #require(header.firstIndex { ["x", "t", "progress", "input"].contains($0) })
    let y = try #require(header.firstIndex { ["y", "value", "output"].contains($0) })
    for line in lines.dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      let number = { (index: Int) in Double(String(cells[index])) ?? .nan }
      let curve = CubicBezier(
        x1: number(columns[0]), y1: number(columns[1]), x2: number(columns[2]),
        y2: number(columns[3]))
      #expect((curve.value(at: number(x)) - number(y)).magnitude < 1e-9, "\(line)")
    }
  }
}
