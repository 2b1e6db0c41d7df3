// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxTool

@Suite("Recordings and their figures")
struct BenchTests {
  private func recording(
    _ settings: MotionSettings = MotionSettings(), hertz: Double = 100, bias: BiasState = .off,
    seconds: Double = 12, rate: (Double) -> AngularRate
  ) -> FeelRecording {
    var recording = FeelRecording(
      settings: settings, orientation: .normal, nominalRateHertz: hertz, bias: bias)
    for index in 0..<Int(seconds * hertz) {
      let time = MotionInstant(nanoseconds: Int64(Double(index) / hertz * 1e9))
      let isMore = recording.add(
        GyroSample(time: time, rateRadPerSec: rate(Double(index) / hertz)))
      if !isMore { break }
    }
    return recording
  }

  private func waves(_ t: Double) -> AngularRate {
    AngularRate(x: 0.6 * sin(3 * t), y: 0.5 * sin(4.1 * t), z: 0.2 * cos(t))
  }

  private func all(_ figures: FeelFigures) -> [Double?] {
    [
      figures.lagMilliseconds, figures.slowLagMilliseconds, figures.error,
      figures.errorPercentile, figures.judder, figures.tremor, figures.rest, figures.restStep,
      figures.overshoot, figures.settleMilliseconds,
      figures.onsetMilliseconds, figures.windup, figures.reversalMilliseconds, figures.falseRestPx,
    ]
  }

  @Test(arguments: MotionMode.allCases, [FrameRate.hertz(30), .hertz(100), .native])
  func aSlowerFilterIsLater(mode: MotionMode, rate: FrameRate) throws {
    var settings = MotionSettings()
    settings.mode = mode
    settings.frameRate = rate
    let bench = FeelBench(recording(settings, rate: waves), options: FeelOptions())
    let quick = bench.figures(smoothing: .ema(timeConstantSeconds: 0.02))
    let slow = bench.figures(smoothing: .ema(timeConstantSeconds: 0.12))
    let difference = try #require(slow.lagMilliseconds) - #require(quick.lagMilliseconds)
    #expect(difference > 40 && difference < 120)
    #expect(try #require(slow.error) > #require(quick.error))
  }

  /// The scale changes what is clamped, and nothing else.
  @Test func aFittedScaleReachesTheRangeSeldom() throws {
    var settings = MotionSettings()
    settings.scale = PixelScale(x: 100, y: -50)
    var options = FeelOptions()
    options.fitsScale = true
    let bench = FeelBench(recording(settings, rate: waves), options: options)
    #expect(abs(bench.scale.x * 0.5 / 4.9 - 1) < 0.1)
    #expect(abs(bench.scale.y / bench.scale.x + 0.5) < 0.001)
    let figures = bench.figures(smoothing: Smoothing.none)
    #expect(try #require(figures.lagMilliseconds).magnitude < 40)
  }

  /// A sensor's bias does not count as motion, and its matrix applies to the ideal too.
  @Test func biasAndMatrixArePartOfTheIdeal() throws {
    var settings = MotionSettings()
    settings.mountMatrix = try MountMatrix(rowMajor: [0, 1, 0, -1, 0, 0, 0, 0, 1])
    let recording = recording(
      settings, bias: .auto(AngularRate(x: 0.01, y: 0.02, z: 0)), rate: waves)
    let sample = try #require(recording.kept.last)
    let rate = waves(sample.seconds)
    #expect(abs(sample.rate.x - (rate.y - 0.01)) < 1e-9)
    #expect(abs(sample.rate.y - (-rate.x - 0.02)) < 1e-9)
  }

  @Test func gapsEndSegmentsAndShortOnesAreLeftOut() {
    var recording = FeelRecording(
      settings: MotionSettings(), orientation: .normal, nominalRateHertz: 100, bias: .off)
    var seconds = 0.0
    for length in [4.0, 2, 5] {
      let end = seconds + length
      while seconds < end {
        _ = recording.add(
          GyroSample(
            time: MotionInstant(nanoseconds: Int64(seconds * 1e9)), rateRadPerSec: waves(seconds)))
        seconds += 0.01
      }
      seconds += 1
    }
    #expect(recording.segments.count == 2)
    #expect(recording.segments.first?.lowerBound == 0)
    #expect(recording.segments.last?.upperBound == recording.kept.count)
  }

  @Test func aRecordingOfASecondHasNoSegment() {
    #expect(recording(seconds: 1, rate: waves).segments.isEmpty)
    #expect(recording(seconds: 0, rate: waves).segments.isEmpty)
  }

  @Test func onlyTheFirstHourIsMeasured() {
    let recording = recording(hertz: 2.5, seconds: 4000, rate: waves)
    #expect(recording.isTruncated)
    #expect((9000...9001).contains(recording.kept.count))
  }

  /// Of extreme recordings, figures are missing or finite.
  @Test(arguments: MotionMode.allCases)
  func figuresAreNeverNaN(mode: MotionMode) {
    let rates: [(Double) -> AngularRate] = [
      { _ in .zero },
      { _ in AngularRate(x: 1e100, y: -1e100, z: 1e100) },
      { _ in AngularRate(x: 1e-12, y: 0, z: 0) },
      { t in AngularRate(x: t < 6 ? 0 : 1e9, y: .nan, z: 0) },
      { t in AngularRate(x: Int(t * 100) % 2 == 0 ? 30 : -30, y: 5, z: -1e5) },
    ]
    for rate in rates {
      for (seconds, fits) in [(3.02, false), (8, true)] {
        var options = FeelOptions()
        options.fitsScale = fits
        var settings = MotionSettings()
        settings.mode = mode
        let recording = recording(settings, seconds: seconds, rate: rate)
        let figures = FeelBench(recording, options: options)
          .figures(smoothing: .spring(responseSeconds: 0.4, damping: 0.1))
        for value in all(figures) { #expect(value.map(\.isFinite) ?? true) }
      }
    }
  }

  /// The turns fit any range, also one with an end at 0.
  @Test func stopsAreMeasuredInAnyRange() throws {
    var settings = MotionSettings()
    let smoothing = Smoothing.ema(timeConstantSeconds: 0.1)
    var (standard, wide) = (FeelFigures(), FeelFigures())
    StopBench(settings, options: FeelOptions()).add(to: &standard, smoothing: smoothing)
    settings.rangeX = try PixelRange(low: 0, high: 50)
    settings.rangeY = try PixelRange(low: -50, high: 10)
    settings.scale = PixelScale(x: 1000, y: -1)
    StopBench(settings, options: FeelOptions()).add(to: &wide, smoothing: smoothing)
    let times = (try #require(standard.settleMilliseconds), try #require(wide.settleMilliseconds))
    #expect(abs(times.0 - times.1) < 5)
    #expect(times.0 > 200)
    #expect(standard.lagMilliseconds == nil)
  }

  @Test(arguments: [24.0, 1000])
  func displaysOfAnyRateAreMeasured(hertz: Double) throws {
    var options = FeelOptions()
    options.displayHertz = hertz
    let figures = FeelBench(recording(rate: waves), options: options)
      .figures(smoothing: .ema(timeConstantSeconds: 0.05))
    #expect(abs(try #require(figures.lagMilliseconds) - 65) < 25)
  }
}
