// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion

/// A recording in memory: its samples as read, and how its pipeline starts.
struct FeelRecording: Sendable {
  /// The samples that count towards the figures end after this time, without gaps, in seconds. The ideal
  /// takes 32 bytes per millisecond.
  static let maxSeconds = 3600.0
  /// A shorter segment is left out: filters start in its first second, and 0.3 s are lost at its end.
  static let minSegmentSeconds = 3.0
  private static let minSegmentSamples = 9
  /// Faster rates are limited to this, rad/s, so that sums keep their digits. Every range clamps far below.
  private static let maxRate = 1e6

  /// A sample that counts.
  struct Sample: Sendable {
    /// Seconds from the first one.
    var seconds: Double
    /// rad/s about the device's axes, after mount matrix and bias.
    var rate: SIMD3<Double>
    var startsSegment: Bool
  }

  /// As read, for the pipeline.
  private(set) var samples: [GyroSample] = []
  /// Those that count.
  private(set) var kept: [Sample] = []
  /// Whether samples were left out because the recording is longer than `maxSeconds`.
  private(set) var isTruncated = false
  let settings: MotionSettings
  let orientation: Orientation
  let nominalRateHertz: Double?
  let bias: BiasState

  private var pipeline: MotionPipeline
  private let matrix: MountMatrix
  private var origin = MotionInstant.zero
  private var measuredSeconds = 0.0

  /// Creates a recording without samples.
  ///
  /// - Parameter settings: Those of every measurement but the smoothing, with the recording's mount matrix.
  init(
    settings: MotionSettings, orientation: Orientation, nominalRateHertz: Double?, bias: BiasState
  ) {
    self.settings = settings
    self.orientation = orientation
    self.nominalRateHertz = nominalRateHertz
    self.bias = bias
    matrix = settings.mountMatrix ?? .identity
    pipeline = MotionPipeline(
      settings: settings, orientation: orientation, nominalRateHertz: nominalRateHertz, bias: bias)
  }

  /// Adds the next sample.
  ///
  /// - Returns: Whether more samples count: false beyond `maxSeconds`.
  mutating func add(_ sample: GyroSample) -> Bool {
    guard case .kept(let time, let startsSegment) = pipeline.push(sample) else {
      samples.append(sample)
      return true
    }
    while pipeline.nextFrame() != nil {}
    if kept.isEmpty { origin = time }
    let seconds = (time - origin).seconds
    if !startsSegment, let last = kept.last { measuredSeconds += seconds - last.seconds }
    guard measuredSeconds <= Self.maxSeconds else {
      isTruncated = true
      return false
    }
    samples.append(sample)
    var rate = matrix.apply(sample.rateRadPerSec)
    if case .auto(let bias?) = pipeline.biasState {
      rate = AngularRate(x: rate.x - bias.x, y: rate.y - bias.y, z: rate.z - bias.z)
    }
    kept.append(
      Sample(
        seconds: seconds,
        rate: SIMD3(rate.x, rate.y, rate.z).clamped(
          lowerBound: SIMD3(repeating: -Self.maxRate), upperBound: SIMD3(repeating: Self.maxRate)),
        startsSegment: startsSegment))
    return true
  }

  /// The segments that are long enough to measure, as indices of `kept`.
  var segments: [Range<Int>] {
    var found: [Range<Int>] = []
    var start = 0
    for index in 1...max(1, kept.count) {
      guard index >= kept.count || kept[index].startsSegment else { continue }
      if index - start >= Self.minSegmentSamples, index <= kept.count,
        kept[index - 1].seconds - kept[start].seconds >= Self.minSegmentSeconds
      {
        found.append(start..<index)
      }
      start = index
    }
    return found
  }

  /// Returns the frames that a subscriber gets of the samples.
  ///
  /// - Parameters:
  ///   - tolerancePx: nil: every frame on the grid.
  ///   - sensorDelaySeconds: Of the sensor's own low-pass, which the recording is taken to be without.
  func frames(
    smoothing: Smoothing, scale: PixelScale, tolerancePx: Double?, sensorDelaySeconds: Double = 0
  ) -> [DrawnFrame] {
    var settings = settings
    settings.smoothing = smoothing
    settings.scale = scale
    var pipeline = MotionPipeline(
      settings: settings, orientation: orientation, nominalRateHertz: nominalRateHertz, bias: bias)
    pipeline.isFine = tolerancePx != nil
    var needed = tolerancePx.map { NeededFrames(tolerancePx: $0, settings: settings, gain: 1) }
    var frames: [DrawnFrame] = []
    var sensor = SensorLowPass(delaySeconds: sensorDelaySeconds)
    for sample in samples {
      _ = pipeline.push(sensorDelaySeconds > 0 ? sensor.filtered(sample) : sample)
      while let frame = pipeline.nextFrame() {
        guard needed?.needs(frame) ?? true else { continue }
        frames.append(
          DrawnFrame(
            seconds: (frame.time - origin).seconds,
            offset: SIMD2(frame.offset.x, frame.offset.y),
            velocity: SIMD2(frame.motion.velocity.x, frame.motion.velocity.y)))
      }
    }
    return frames
  }
}
