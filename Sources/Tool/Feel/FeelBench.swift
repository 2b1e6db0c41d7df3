// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion

/// How a recording is measured.
struct FeelOptions: Equatable, Sendable {
  /// Pictures per second, nominally.
  var displayHertz = 120.0
  var client = ClientKind.velocity
  /// Of the subscriber, px: it gets up to 60 frames per second, as many as it needs for that. nil: every frame on the
  /// grid.
  var tolerancePx: Double? = 0.01
  /// From drawing a picture until it is seen, seconds; nil: one picture.
  var aheadSeconds: Double?
  /// Every n-th frame is lost on its way to the client; nil: none is.
  var losesEvery: Int?
  /// Whether the scale is chosen so that clamping is rare: the 99.9th percentile of the ideal is then
  /// `FeelBench.fittedShare` of the range.
  var fitsScale = false
  /// Whether frames have the decimals of the stream.
  var roundsFrames = true

  /// The delay of the low-pass that the sensor applies itself; 0: it has none.
  var sensorDelaySeconds = 0.0

  static let displayRange = 24.0...1000.0
  static let losesEveryRange = 2.0...1000.0
  static let aheadMillisecondsRange = 0.0...100.0
  static let sensorDelayMillisecondsRange = 0.0...100.0

  /// As `aheadSeconds`, with the default.
  var ahead: Double { aheadSeconds ?? 1 / displayHertz }
}

/// Measures smoothings on one recording: every figure but those of stops. The ideal is computed once.
struct FeelBench: Sendable {
  /// The share of the range for `FeelOptions.fitsScale`: 4.9 of 5 px.
  static let fittedShare = 0.98

  private let recording: FeelRecording
  private let options: FeelOptions
  /// The part of the recording whose pictures count, in seconds from its first sample.
  let span: ClosedRange<Double>
  /// The segments that are long enough.
  let segments: [IdealMotion]
  private let range: IdealRange
  /// As in the settings, or fitted.
  let scale: PixelScale

  /// - Parameter span: The part of the recording to measure. A fitted scale is that of the whole recording.
  init(_ recording: FeelRecording, options: FeelOptions, span: RecordingSpan = RecordingSpan()) {
    self.recording = recording
    self.options = options
    self.span = span.from.seconds...(span.to?.seconds ?? .infinity)
    range = IdealRange(recording.settings)
    func segments(_ scale: PixelScale) -> [IdealMotion] {
      var settings = recording.settings
      settings.scale = scale
      return recording.segments.map {
        IdealMotion(recording.kept[$0], settings: settings, orientation: recording.orientation)
      }
    }
    scale =
      options.fitsScale
      // Without a scale, the tilt has no limit.
      ? Self.fittedScale(segments(PixelScale(x: 0, y: 0)), recording.settings)
      : recording.settings.resolvedScale
    self.segments = segments(scale)
  }

  /// Returns the figures of a smoothing.
  func figures(smoothing: Smoothing) -> FeelFigures {
    guard let display = Display(recording, smoothing: smoothing, scale: scale, options: options)
    else { return FeelFigures() }
    var figures = FigureMeasure(
      segments.map { motion in
        let instants = instants(of: motion)
        return ShownSegment(motion, instants: instants, shown: display.drawn(at: instants))
      },
      scale: SIMD2(scale.x, scale.y), range: range,
      nominalHertz: options.displayHertz
    ).figures()
    figures.framesPerSecond = display.framesPerSecond
    return figures
  }

  /// The seconds of the segments that are in the span.
  var measuredSeconds: Double {
    segments.reduce(0) { sum, motion in
      let part = (motion.start...motion.end).clamped(to: span)
      return sum + part.upperBound - part.lowerBound
    }
  }

  /// The rests that are in the span, in seconds.
  var rests: [ClosedRange<Double>] {
    segments.flatMap(\.rests).filter { $0.overlaps(span) }.map { $0.clamped(to: span) }
  }

  /// Whether a picture counts.
  var hasPictures: Bool { segments.contains { !instants(of: $0).isEmpty } }

  /// Returns the instants at which the display draws a part of a segment that counts.
  private func instants(of motion: IdealMotion) -> [Double] {
    motion.pictures(hertz: options.displayHertz * Display.rateShare).filter { span.contains($0) }
  }

  /// What a display draws at an instant, and what it should.
  struct Picture: Sendable {
    /// Seconds from the first sample.
    let seconds: Double
    /// px.
    let shown: SIMD2<Double>
    let ideal: SIMD2<Double>
  }

  /// Returns every picture of a smoothing, by segment.
  func pictures(smoothing: Smoothing) -> [[Picture]] {
    guard let display = Display(recording, smoothing: smoothing, scale: scale, options: options)
    else { return [] }
    return segments.map { motion in
      let instants = instants(of: motion)
      return zip(instants, display.drawn(at: instants)).map { instant, shown in
        let ideal = motion.value(of: motion.ideal, at: instant) * SIMD2(scale.x, scale.y)
        return Picture(seconds: instant, shown: shown, ideal: range.shown(ideal))
      }
    }
  }

  /// Returns the settings' scale times a factor, with four digits.
  private static func fittedScale(_ segments: [IdealMotion], _ settings: MotionSettings)
    -> PixelScale
  {
    let scale = settings.resolvedScale
    let shares = SIMD2(
      scale.x.magnitude / settings.rangeX.reach, scale.y.magnitude / settings.rangeY.reach)
    var values: [Double] = []
    for segment in segments {
      for value in segment.ideal {
        values.append((value.x * shares.x).magnitude)
        values.append((value.y * shares.y).magnitude)
      }
    }
    values.sort()
    guard let top = FigureMeasure.percentile(99.9, of: values), top > 0 else { return scale }
    let factor = fittedShare / top
    return PixelScale(x: fourDigits(scale.x * factor), y: fourDigits(scale.y * factor))
  }

  private static func fourDigits(_ value: Double) -> Double {
    guard value != 0, value.isFinite else { return value }
    var (digits, exponent) = (value, 0)
    while digits.magnitude >= 10_000 { (digits, exponent) = (digits / 10, exponent + 1) }
    while digits.magnitude < 1000, exponent > -300 {
      (digits, exponent) = (digits * 10, exponent - 1)
    }
    // Powers of ten up to 10^22 are exact, so the quotient reads back as four digits.
    var power = 1.0
    for _ in 0..<exponent.magnitude { power *= 10 }
    return exponent < 0 ? digits.rounded() / power : digits.rounded() * power
  }
}

extension Display {
  /// Creates a display for the frames that the pipeline makes of a recording; nil if there are none.
  init?(
    _ recording: FeelRecording, smoothing: Smoothing, scale: PixelScale, options: FeelOptions
  ) {
    let settings = recording.settings
    let frames = recording.frames(
      smoothing: smoothing, scale: scale, tolerancePx: options.tolerancePx,
      sensorDelaySeconds: options.sensorDelaySeconds
    )
    .enumerated().filter { number, _ in
      options.losesEvery.map { (number + 1) % $0 != 0 } ?? true
    }.map(\.element)
    guard !frames.isEmpty else { return nil }
    var period: Double?
    if case .hertz(let hertz) = settings.frameRate, options.tolerancePx == nil {
      period = 1 / hertz
    }
    self.init(
      frames: options.roundsFrames ? frames.map(\.rounded) : frames,
      samples: recording.kept.map(\.seconds), client: options.client, period: period,
      ahead: options.ahead,
      range: (
        SIMD2(settings.rangeX.low, settings.rangeY.low),
        SIMD2(settings.rangeX.high, settings.rangeY.high)
      ))
  }
}
