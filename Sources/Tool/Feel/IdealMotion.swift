// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion

/// What one segment of a recording should look like: the measured motion on the screen's axes without scale,
/// and the same without its share above 10 Hz and without delay.
struct IdealMotion: Sendable {
  /// The cutoff (-6 dB) of the ideal, Hz.
  static let cutoffHertz = 10.0
  /// The rate at which both signals are stored, Hz.
  static let gridHertz = 1000.0
  /// Seconds at the start of a segment in which smoothing has not met its signal yet.
  static let skippedSeconds = 1.0
  /// Seconds at the end of a segment in which the ideal sees its mirrored end.
  static let lostSeconds = 0.3

  /// The time of the first sample and of the last, seconds.
  let start: Double
  let end: Double
  /// rad/s or rad, on straight lines between the samples.
  let measured: [SIMD2<Double>]
  let ideal: [SIMD2<Double>]
  /// The stretches in which the device lies still, in seconds.
  let rests: [ClosedRange<Double>]

  init(
    _ samples: ArraySlice<FeelRecording.Sample>, settings: MotionSettings, orientation: Orientation
  ) {
    start = samples.first?.seconds ?? 0
    end = samples.last?.seconds ?? 0
    let remap = ScreenRemap(orientation)
    let device =
      settings.mode == .tilt
      ? ViewerAngle.angles(
        of: samples, timeConstantSeconds: settings.recenterSeconds,
        limit: settings.maxTiltRadians)
      : samples.map { SIMD2($0.rate.y, $0.rate.x) }
    measured = Self.onGrid(
      device.map {
        let offset = remap.apply(DrivingMotion(a: $0.x, b: $0.y))
        return SIMD2(offset.x, offset.y)
      }, at: samples)
    ideal = ZeroPhaseLowPass(cutoffHertz: Self.cutoffHertz, rateHertz: Self.gridHertz)
      .filtered(measured, margin: Int(Self.gridHertz))
    rests = RestFinder.rests(in: samples)
  }

  /// Returns one of the signals at an instant of the segment.
  @inline(__always)
  func value(of signal: [SIMD2<Double>], at seconds: Double) -> SIMD2<Double> {
    let position = min(
      max(0, (seconds - start) * Self.gridHertz), Double(signal.count) - 1.000001)
    let index = Int(position)
    let share = position - Double(index)
    return signal[index] * (1 - share) + signal[index + 1] * share
  }

  /// Returns the instants at which a display draws, seconds.
  func pictures(hertz: Double) -> [Double] {
    let first = start + Self.skippedSeconds
    let count = max(0, Int(((end - Self.lostSeconds - first) * hertz).rounded(.up)))
    return (0..<count).map { first + Double($0) / hertz }
  }

  /// Returns for each instant, in order, whether the device moves.
  func moves(at instants: [Double]) -> [Bool] {
    var next = 0
    return instants.map { instant in
      while next < rests.count, rests[next].upperBound < instant { next += 1 }
      return next == rests.count || instant < rests[next].lowerBound
    }
  }

  private static func onGrid(
    _ values: [SIMD2<Double>], at samples: ArraySlice<FeelRecording.Sample>
  ) -> [SIMD2<Double>] {
    guard let start = samples.first?.seconds, let end = samples.last?.seconds else { return [] }
    let count = Int(((end - start) * gridHertz).rounded(.up))
    let base = samples.startIndex
    var next = 1
    return (0..<count).map { index in
      let instant = start + Double(index) / gridHertz
      while next < values.count - 1, samples[base + next].seconds <= instant { next += 1 }
      let before = samples[base + next - 1].seconds
      let share = (instant - before) / (samples[base + next].seconds - before)
      return values[next - 1] + share * (values[next] - values[next - 1])
    }
  }
}
