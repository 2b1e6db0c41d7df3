// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
@testable import ParallaxMotion
import ParallaxTestSupport
import Testing

/// Samples in columns give the frames that they give one at a time, bit for bit.
@Suite struct SampleRunTests {
  private struct Frame: Equatable {
    var time: MotionInstant
    var x: UInt64
    var y: UInt64

    init(_ time: MotionInstant, _ x: Double, _ y: Double) {
      self.time = time
      // The sign of a zero is not printed.
      self.x = (x == 0 ? 0 : x).bitPattern
      self.y = (y == 0 ? 0 : y).bitPattern
    }
  }

  static let smoothings = [
    "none", "ema:0.12", "one-euro:1,0.2", "spring:0.5,0.825", "spring:0.3,1.4", "auto", "auto:calm",
  ]

  @Test(arguments: smoothings)
  func randomSamples(smoothing: String) throws {
    var generator = SeededGenerator.forTest()
    for round in 0..<60 {
      var settings = MotionSettings()
      settings.smoothing = try Smoothing(parsing: smoothing)
      settings.frameRate = round % 4 == 0 ? .standard : .native
      settings.scale = try PixelScale(parsing: ["12", "0,-3", "1000000"][round % 3])
      settings.rangeX = try PixelRange(parsing: "-20:7")
      if round % 5 == 0 { settings.mountMatrix = try MountMatrix(parsing: "0,1,0;0,0,1;1,0,0") }
      if round % 7 == 0 { settings.mode = .tilt }
      let samples = Self.samples(&generator)
      let orientation = Orientation.allCases[round % 4]
      let bias = round % 6 == 0 ? BiasState.auto(nil) : .off
      let makePipeline = {
        MotionPipeline(
          settings: settings, orientation: orientation, nominalRateHertz: 100, bias: bias)
      }
      var one = makePipeline()
      var expected: [Frame] = []
      for sample in samples {
        _ = one.push(sample)
        while let frame = one.nextFrame() {
          expected.append(Frame(frame.time, frame.offset.x, frame.offset.y))
        }
      }
      var many = makePipeline()
      let frames = Self.frames(&many, samples, &generator)
      #expect(frames == expected, "\(generator.note)")
      #expect(many.counts == one.counts, "\(generator.note)")
      #expect(many.sensor.firstTime == one.sensor.firstTime)
      #expect(many.sensor.lastTime == one.sensor.lastTime)
    }
  }

  /// Takes samples in batches of any size.
  private static func frames(
    _ pipeline: inout MotionPipeline, _ samples: [GyroSample], _ generator: inout SeededGenerator
  ) -> [Frame] {
    var result: [Frame] = []
    var columns = SampleColumns()
    var frames = FrameColumns()
    var index = 0
    while index < samples.count {
      columns.count = 0
      let size = Int.random(in: 1...SampleColumns.capacity, using: &generator)
      while index < samples.count, columns.count < size {
        columns.append(samples[index])
        index += 1
      }
      var next = 0
      var isFull = true
      while isFull {
        pipeline.take(columns, from: &next, into: &frames)
        isFull = frames.isFull
        // A batch that follows may continue in the same frames.
        if isFull || Bool.random(using: &generator) || index == samples.count {
          for frame in 0..<frames.count {
            result.append(Frame(frames.times[frame], frames.x[frame], frames.y[frame]))
          }
          frames.removeAll()
        }
      }
    }
    return result
  }

  /// Runs with gaps, duplicates, clocks set back, and rates that are not finite.
  private static func samples(_ generator: inout SeededGenerator) -> [GyroSample] {
    var time: Int64 = .random(in: -1_000_000_000...1_000_000_000, using: &generator)
    let oddness = Int.random(in: 0...40, using: &generator)
    return (0..<Int.random(in: 0...6_000, using: &generator)).map { _ in
      time += [9_999_000, 10_000_000, 10_001_000].randomElement(using: &generator) ?? 0
      var rate = AngularRate(
        x: .random(in: -3...3, using: &generator), y: .random(in: -3...3, using: &generator), z: 0.1
      )
      if Int.random(in: 0..<2_000, using: &generator) < oddness {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: time += 400_000_000
        case 1: time += 600_000_000
        case 2: time -= 10_000_000
        case 3: time -= 50_000_000
        case 4: rate.x = .nan
        case 5: rate.y = .infinity
        case 6: rate.z = -.infinity
        default: rate = AngularRate(x: 1e308, y: -1e308, z: 1e308)
        }
      }
      return GyroSample(time: MotionInstant(nanoseconds: time), rateRadPerSec: rate)
    }
  }

  @Test(.enabled(if: AllocationCount.isAvailable, "a sanitizer owns malloc"), arguments: smoothings)
  func aRunAllocatesNothing(smoothing: String) throws {
    var settings = MotionSettings()
    settings.smoothing = try Smoothing(parsing: smoothing)
    settings.frameRate = .native
    var pipeline = MotionPipeline(
      settings: settings, orientation: .normal, nominalRateHertz: 100, bias: .off)
    var columns = SampleColumns()
    for index in 0..<SampleColumns.capacity {
      columns.append(
        GyroSample(
          time: .zero + .milliseconds(Int64(index) * 10),
          rateRadPerSec: AngularRate(x: Double(index % 7) - 3, y: 0.5, z: 0)))
    }
    var frames = FrameColumns()
    var next = 0
    pipeline.take(columns, from: &next, into: &frames)
    let allocations = AllocationCount.during {
      pipeline.startSegment(continuing: true)
      frames.removeAll()
      next = 0
      pipeline.take(columns, from: &next, into: &frames)
    }
    #expect(allocations == 0)
    #expect(frames.count > 2_000)
  }
}
