// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
@testable import ParallaxGates
import ParallaxMotion
import ParallaxProtocol
import ParallaxTestSupport
import Testing

@testable import ParallaxClient

/// What a display draws from random motion: samples through the pipeline, a gate, the encoder, lost and
/// late lines, and the timeline. PARALLAX_STREAMS sets the number of streams.
@Suite struct FollowedMotionTests {
  private static let streams =
    getenv("PARALLAX_STREAMS").flatMap { Int(String(cString: $0)) } ?? 1_000

  @Test func theDrawnOffsetStaysInRangeAndDoesNotJump() throws {
    var generator = SeededGenerator.forTest()
    var drawn = 0
    for stream in 0..<Self.streams {
      var motion = try RandomStream(&generator)
      while let violation = motion.step(&generator) {
        drawn += 1
        guard violation.isEmpty else {
          Issue.record("stream \(stream): \(violation); \(generator.note)")
          return
        }
      }
    }
    #expect(drawn > Self.streams * 10)
  }
}

/// One stream of 0.5 s.
private struct RandomStream {
  private var pipeline: MotionPipeline
  private var gate = GainFade(gain: 1, fadeSeconds: 0.1)
  private var isOpen = true
  private var timeline = OffsetTimeline()
  private let encoder: OffsetEncoder
  private let settings: MotionSettings
  private var seq: UInt64 = 0
  private var time = MotionInstant(nanoseconds: 1_000_000_000)
  private let end: MotionInstant
  /// rad/s and Hz of the motion about each axis.
  private let waves: [(amplitude: Double, hertz: Double)]
  private let loss: Double
  private var intervals = KeptIntervals()
  private var roundingX = BoundRounding()
  private var roundingY = BoundRounding()

  init(_ generator: inout SeededGenerator) throws {
    var settings = MotionSettings()
    settings.mode = Bool.random(using: &generator) ? .rate : .tilt
    settings.frameRate = .hertz([30, 60].randomElement(using: &generator) ?? 30)
    settings.smoothing = try Smoothing(
      parsing: ["auto", "auto", "auto:calm", "none", "one-euro:1,0.2", "spring:0.3,0.6", "ema:0.1"]
        .randomElement(using: &generator) ?? "auto")
    let reach = Double.random(in: 1...8, using: &generator)
    settings.rangeX = try PixelRange(low: -reach, high: reach)
    self.settings = settings
    pipeline = MotionPipeline(
      settings: settings, orientation: .normal, nominalRateHertz: 100, bias: .off)
    encoder = OffsetEncoder(
      layers: .none, rangeX: settings.rangeX, rangeY: settings.rangeY)
    waves = (0..<3).map { _ in
      (.random(in: 0...6, using: &generator), .random(in: 0.1...6, using: &generator))
    }
    loss = [0, 0, 0.2].randomElement(using: &generator) ?? 0
    end = time + .milliseconds(500)
  }

  /// Takes one sample and checks what is drawn; nil at the end of the stream, else a violation or "".
  mutating func step(_ generator: inout SeededGenerator) -> String? {
    guard time < end else { return nil }
    time += .microseconds(.random(in: 8_000...12_000, using: &generator))
    disturb(&generator)
    let phase = Double(time.nanoseconds) / 1e9 * 2 * Double.pi
    let rates = waves.map { $0.amplitude * sin($0.hertz * phase) }
    _ = pipeline.push(
      GyroSample(time: time, rateRadPerSec: AngularRate(x: rates[0], y: rates[1], z: rates[2])))
    while let frame = pipeline.nextFrame() {
      let gain = gate.gain(at: frame.time)
      let shown = frame.motion * gain
      seq += 1
      // The first frames are never lost: they show 1/R.
      if seq > 4, Double.random(in: 0...1, using: &generator) < loss { continue }
      let message = OffsetFrame(
        seq: seq, time: frame.time, motion: shown.offset, velocity: shown.velocity)
      if let violation = add(message, late: time - frame.time) { return violation }
    }
    let later = time + .microseconds(.random(in: 0...90_000, using: &generator))
    return range(at: later) ?? ""
  }

  private mutating func disturb(_ generator: inout SeededGenerator) {
    switch Int.random(in: 0..<60, using: &generator) {
    case 0:
      let orientation = Orientation.allCases.randomElement(using: &generator) ?? .normal
      pipeline.turn(to: orientation, at: time)
    case 1: pipeline.recenter(at: time)
    case 2, 3:
      isOpen.toggle()
      gate.aim(at: isOpen ? 1 : 0, at: time)
      timeline.add(.gate(GateMessage(open: isOpen, gain: isOpen ? 1 : 0, reasons: [])))
    default: break
    }
  }

  /// Adds a frame as it is published.
  private mutating func add(_ frame: OffsetFrame, late: MotionDuration) -> String? {
    var line = OutputBuffer()
    encoder.append(frame, to: &line)
    guard let message = StreamMessage(line: ArraySlice(line.text.utf8)),
      case .offset(let offset) = message
    else { return "an unreadable line: \(line.text)" }
    let before = timeline.offset(at: frame.time)
    timeline.add(message)
    let allowed = PixelOffset(
      x: roundingX.allowedJump(adding: offset.nx, reach: settings.rangeX.reach),
      y: roundingY.allowedJump(adding: offset.ny, reach: settings.rangeY.reach))
    let isSamePeriod = intervals.keepShortest(adding: frame.time)
    guard let before, let after = timeline.offset(at: frame.time) else { return nil }
    let isShut = !isOpen && offset.x == 0 && offset.y == 0
    if isShut {
      let zero = timeline.offset(at: frame.time + late)
      return zero?.x == 0 && zero?.y == 0 ? nil : "\(String(describing: zero)) with a closed gate"
    }
    // At its instant, a frame changes nothing of what is drawn, unless it changes 1/R.
    guard isSamePeriod else { return nil }
    let jump = PixelOffset(x: (after.x - before.x).magnitude, y: (after.y - before.y).magnitude)
    return jump.x <= allowed.x && jump.y <= allowed.y ? nil : "a jump of \(jump) px at \(line.text)"
  }

  private func range(at instant: MotionInstant) -> String? {
    guard let offset = timeline.offset(at: instant) else { return nil }
    // Published offsets are rounded.
    let (x, y) = (settings.rangeX.reach, settings.rangeY.reach)
    let isInside =
      offset.x.magnitude <= x + 0.0051 && offset.y.magnitude <= y + 0.0051
      && offset.nx.magnitude <= 1 && offset.ny.magnitude <= 1
    return isInside ? nil : "\(offset) is out of range"
  }
}

/// The intervals of the frames that the timeline keeps: the shortest is 1/R. After losses it may be twice the
/// stream's.
private struct KeptIntervals {
  private var times: [MotionInstant] = []

  /// Returns whether a frame leaves the shortest interval as it is, within a microsecond.
  mutating func keepShortest(adding time: MotionInstant) -> Bool {
    let before = shortest
    times.append(time)
    if times.count > 8 { times.removeFirst() }
    guard let before, let after = shortest else { return false }
    return after >= before - .microseconds(1) && after <= before + .microseconds(1)
  }

  private var shortest: MotionDuration? {
    zip(times, times.dropFirst()).map { $1 - $0 }.min()
  }
}

/// How exactly the frames so far show the range. A line that ends there ends elsewhere when they show it better.
private struct BoundRounding {
  /// Those that the timeline keeps.
  private var fractions: [Double] = []

  /// Returns how far an end of the range may move with another frame, whose offset has 2 decimals and whose
  /// fraction has 4.
  mutating func allowedJump(adding fraction: Double, reach: Double) -> Double {
    let before = error
    fractions.append(fraction)
    if fractions.count > 8 { fractions.removeFirst() }
    return 0.0051 + 2.2e-4 * reach * max(before, error)
  }

  /// The error of the less exact end, in 1/10000 of the range.
  private var error: Double {
    let ends = [fractions.max() ?? 0, -(fractions.min() ?? 0)].filter { $0 > 0 }
    return ends.min().map { 1 / $0 } ?? .infinity
  }
}
