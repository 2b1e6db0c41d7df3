// SPDX-License-Identifier: Apache-2.0

/// The figures of one configuration on one recording. A figure is nil if the recording has nothing to measure
/// it on.
struct FeelFigures: Equatable, Sendable {
  /// By how much the picture is later than the hand, over everything that moves, ms.
  var lagMilliseconds: Double?
  /// The same over the quieter half of the moving seconds, each second counting alike, ms.
  var slowLagMilliseconds: Double?
  /// RMS of (shown - ideal) over the standard deviation of the ideal.
  var error: Double?
  /// The 99th percentile of |shown - ideal|, px.
  var errorPercentile: Double?
  /// RMS of (step from picture to picture - the ideal's, `lag` earlier) over the RMS step of the ideal.
  var judder: Double?
  /// The gain from 8 to 12 Hz, of what the shown and the measured motion have in common.
  var tremor: Double?
  /// RMS at rest, without the slow part, 0.001 px.
  var rest: Double?
  /// RMS of the step from picture to picture at rest, without the slow part, 0.001 px.
  var restStep: Double?
  /// Frames per second that the client gets.
  var framesPerSecond: Double?
  /// How far the picture runs beyond an abrupt stop, % of the peak; the worst of `StopTrace`.
  var overshoot: Double?
  /// The time from an abrupt stop until the picture stays within 5 % of the peak of the ideal, ms; the median.
  var settleMilliseconds: Double?
  /// By how much later than the hand the picture leaves a rest, ms; the median of `StopTrace`.
  var onsetMilliseconds: Double?
  /// The share of moving pictures that stay at the end of the range while the ideal returns, %; nil in rate mode.
  var windup: Double?
  /// How long the picture stays when a turn is reversed, ms; the longest of `TurnTrace`; nil in rate mode.
  var reversalMilliseconds: Double?
  /// The RMS error after a slow turn that was taken for a rest, px, of `SlowTurnTrace`.
  var falseRestPx: Double?
}

/// What a display has shown of one segment.
struct ShownSegment {
  let motion: IdealMotion
  /// When the display drew, seconds.
  let instants: [Double]
  /// px.
  let shown: [SIMD2<Double>]
  /// Whether the device moved, for each picture.
  let moves: [Bool]
  /// The pictures in motion, as indices.
  let moving: [Int]

  init(_ motion: IdealMotion, on display: Display, hertz: Double) {
    let instants = motion.pictures(hertz: hertz)
    self.init(motion, instants: instants, shown: display.drawn(at: instants))
  }

  init(_ motion: IdealMotion, instants: [Double], shown: [SIMD2<Double>]) {
    self.motion = motion
    self.instants = instants
    self.shown = shown
    let moves = motion.moves(at: instants)
    self.moves = moves
    moving = instants.indices.filter { moves[$0] }
  }
}

/// Computes the figures from what a display has shown, held against the ideal.
struct FigureMeasure {
  let segments: [ShownSegment]
  /// px per rad/s or rad on the screen's axes.
  let scale: SIMD2<Double>
  let range: IdealRange
  /// The rate at which the display draws, and its nominal one.
  let hertz: Double
  let nominalHertz: Double

  /// A second moves if at least half of its pictures do.
  private static let minMovingShare = 0.5
  /// Seconds whose ideal has a lower RMS say nothing about the lag: share of the range.
  private static let minSlowShare = 0.02

  init(
    _ segments: [ShownSegment], scale: SIMD2<Double>, range: IdealRange, nominalHertz: Double
  ) {
    self.segments = segments
    self.scale = scale
    self.range = range
    self.nominalHertz = nominalHertz
    hertz = nominalHertz * Display.rateShare
  }

  func figures() -> FeelFigures {
    var figures = FeelFigures()
    let lag = lag()
    figures.lagMilliseconds = lag.map { 1000 * $0 }
    figures.slowLagMilliseconds = slowLag().map { 1000 * $0 }
    (figures.error, figures.errorPercentile) = errors()
    figures.judder = lag.flatMap { judder(lag: $0) }
    figures.tremor = tremor()
    figures.windup = windup()
    (figures.rest, figures.restStep) = rest()
    return figures
  }

  // MARK: - Lag

  private func lag() -> Double? {
    LagSearch.best { lag in
      var correlation = Correlation()
      for segment in segments {
        add(segment, pictures: segment.moving, lag: lag, to: &correlation)
      }
      return correlation.value
    }
  }

  private func slowLag() -> Double? {
    var windows: [(segment: ShownSegment, pictures: [Int], rms: Double)] = []
    for segment in segments {
      for pictures in self.windows(
        of: segment, count: Int(hertz.rounded()), step: Int(hertz.rounded()))
      {
        let rms = rmsOfIdeal(segment, pictures)
        guard rms > Self.minSlowShare * range.reach else { continue }
        windows.append((segment, Array(pictures), rms))
      }
    }
    guard !windows.isEmpty else { return nil }
    if windows.count > 3 {
      windows.sort { $0.rms < $1.rms }
      windows.removeLast(windows.count - windows.count / 2)
    }
    return LagSearch.best { lag in
      windows.reduce(0) { sum, window in
        var correlation = Correlation()
        add(window.segment, pictures: window.pictures, lag: lag, to: &correlation)
        return sum + correlation.value
      }
    }
  }

  private func add(
    _ segment: ShownSegment, pictures: [Int], lag: Double, to correlation: inout Correlation
  ) {
    correlation.add(
      count: pictures.count, { segment.shown[pictures[$0]] },
      { ideal(segment, at: segment.instants[pictures[$0]] - lag) })
  }

  // MARK: - Errors

  private func errors() -> (rms: Double?, percentile: Double?) {
    var deviations: [Double] = []
    var ideals: [SIMD2<Double>] = []
    var errorSquare = 0.0
    for segment in segments {
      for picture in segment.moving {
        let ideal = ideal(segment, at: segment.instants[picture])
        let error = segment.shown[picture] - ideal
        errorSquare += (error * error).sum()
        deviations.append(abs(error.x))
        deviations.append(abs(error.y))
        ideals.append(ideal)
      }
    }
    guard !ideals.isEmpty else { return (nil, nil) }
    let idealSquare = segmentwiseSquare(ideals)
    deviations.sort()
    return (
      idealSquare > 0 ? (errorSquare / idealSquare).squareRoot() : nil,
      Self.percentile(99, of: deviations)
    )
  }

  /// Returns the sum of squares of the moving ideals about the mean of their segment.
  private func segmentwiseSquare(_ ideals: [SIMD2<Double>]) -> Double {
    var square = 0.0
    var start = 0
    for segment in segments where !segment.moving.isEmpty {
      let part = ideals[start..<start + segment.moving.count]
      let mean = part.reduce(.zero, +) / Double(part.count)
      for ideal in part { square += ((ideal - mean) * (ideal - mean)).sum() }
      start += segment.moving.count
    }
    return square
  }

  private func judder(lag: Double) -> Double? {
    var (unlike, steps) = (0.0, 0.0)
    for segment in segments where segment.instants.count > 1 {
      var before = ideal(segment, at: segment.instants[0] - lag)
      for picture in 1..<segment.instants.count {
        let now = ideal(segment, at: segment.instants[picture] - lag)
        let step = now - before
        before = now
        guard segment.moves[picture], segment.moves[picture - 1] else { continue }
        let difference = segment.shown[picture] - segment.shown[picture - 1] - step
        unlike += (difference * difference).sum()
        steps += (step * step).sum()
      }
    }
    return steps > 0 ? (unlike / steps).squareRoot() : nil
  }

  // MARK: - Windup

  /// A picture that is beyond this share of the range is at its end.
  private static let endShare = 0.98
  /// An ideal returns if it moves back by at least this many ranges per second: recentering is slower.
  private static let minReturn = 1.0

  private func windup() -> Double? {
    guard range.isSoft else { return nil }
    var (stuck, moving) = (0, 0)
    for segment in segments {
      for picture in segment.moving {
        moving += 1
        let (instant, shown) = (segment.instants[picture], segment.shown[picture])
        let ideals = (
          segment.motion.value(of: segment.motion.ideal, at: instant) * scale,
          segment.motion.value(of: segment.motion.ideal, at: instant - 1 / hertz) * scale
        )
        if (0..<2).contains(where: { axis in
          let end = shown[axis] < 0 ? range.lowest[axis] : range.highest[axis]
          return end != 0 && shown[axis] / end >= Self.endShare
            && (ideals.1[axis] - ideals.0[axis]) / end * hertz > Self.minReturn
        }) {
          stuck += 1
        }
      }
    }
    return moving == 0 ? nil : 100 * Double(stuck) / Double(moving)
  }

  // MARK: - Tremor

  private func tremor() -> Double? {
    let count = Int(2 * nominalHertz)
    var spectrum = BandSpectrum(count: count, sampleHertz: hertz)
    for segment in segments {
      for window in windows(of: segment, count: count, step: count / 2) {
        spectrum.add(
          shown: window.map { segment.shown[$0] },
          measured: window.map {
            range.shown(
              segment.motion.value(of: segment.motion.measured, at: segment.instants[$0]) * scale)
          })
      }
    }
    return spectrum.gain
  }

  // MARK: - Signals

  private func ideal(_ segment: ShownSegment, at instant: Double) -> SIMD2<Double> {
    range.shown(segment.motion.value(of: segment.motion.ideal, at: instant) * scale)
  }

  /// Returns the windows of a segment in which the device moves, one every `step` pictures.
  private func windows(of segment: ShownSegment, count: Int, step: Int) -> [Range<Int>] {
    stride(from: 0, to: segment.instants.count - count, by: max(1, step)).compactMap { start in
      let window = start..<start + count
      let moving = segment.moves[window].count { $0 }
      return Double(moving) < Self.minMovingShare * Double(count) ? nil : window
    }
  }

  private func rmsOfIdeal(_ segment: ShownSegment, _ pictures: Range<Int>) -> Double {
    let ideals = pictures.map { ideal(segment, at: segment.instants[$0]) }
    let mean = ideals.reduce(.zero, +) / Double(ideals.count)
    let square = ideals.reduce(0) { $0 + (($1 - mean) * ($1 - mean)).sum() }
    return (square / Double(ideals.count)).squareRoot()
  }

  /// Returns a percentile of sorted values, between the two nearest.
  static func percentile(_ percent: Double, of sorted: [Double]) -> Double? {
    guard !sorted.isEmpty else { return nil }
    let position = percent / 100 * Double(sorted.count - 1)
    let index = min(Int(position), sorted.count - 1)
    let next = min(index + 1, sorted.count - 1)
    return sorted[index] + (position - Double(index)) * (sorted[next] - sorted[index])
  }
}
