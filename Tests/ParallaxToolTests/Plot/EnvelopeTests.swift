// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import ParallaxTrace
import Testing

@testable import ParallaxTool

/// A value at a time, as a test gives it to an envelope.
private struct Point {
  var time: MotionDuration
  var value: SIMD4<Double>
}

/// Checks that the columns of a plot are the extremes of the points between its borders.
private func expectExtremes(
  _ envelope: MinMaxEnvelope, of points: [Point], pixels: Int, span: MotionDuration,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let borders = envelope.borders(pixels: pixels, span: span)
  let columns = envelope.columns(pixels: pixels, span: span)
  #expect(borders.count == pixels + 1 && columns.count == pixels, sourceLocation: sourceLocation)
  #expect(
    borders.first == .zero && span < borders[pixels], sourceLocation: sourceLocation)
  var next = 0
  var wrong = 0
  for (pixel, column) in columns.enumerated() {
    let start = next
    while next < points.count, points[next].time < borders[pixel + 1] { next += 1 }
    let inside = points[start..<next]
    if inside.contains(where: { $0.time < borders[pixel] }) { wrong += 1 }
    guard let first = inside.first, let last = inside.last else {
      if column.hasValues { wrong += 1 }
      continue
    }
    var (low, high) = (first.value, first.value)
    for point in inside {
      for lane in 0..<4 {
        low[lane] = min(low[lane], point.value[lane])
        high[lane] = max(high[lane], point.value[lane])
      }
    }
    if !column.hasValues || column.lowest != low || column.highest != high
      || column.first != first.value || column.last != last.value
    {
      wrong += 1
    }
  }
  #expect(next == points.count, "points after the last border", sourceLocation: sourceLocation)
  #expect(wrong == 0, "\(wrong) of \(pixels) columns are wrong", sourceLocation: sourceLocation)
}

@Suite("Envelopes of signals")
struct EnvelopeTests {
  /// The recordings, as paths below Tests/Recordings.
  static let recordings = [
    "phyphox-walk/Gyroscope.csv", "sensorlogger-iphone12/Gyroscope.csv",
    "sensorlogger-uncal/GyroscopeUncalibrated.csv", "xio-fusion/sensor_data.csv",
    "xio-gait/short_walk.csv", "small/above-37.csv", "small/back.csv", "small/gap.csv",
    "small/near-30.3.csv", "small/near-33.csv", "small/slow-20.csv",
  ]

  @Test(arguments: recordings)
  func columnsOfARecordingAreItsExtremes(_ name: String) throws {
    for drawn in [800, 1600] {
      var trace = try OpenedTrace(
        path: testDataPath("Recordings/\(name)"), settings: MotionSettings())
      var pipeline = trace.makePipeline(orientation: nil)
      var plot = ReplayPlot(pixels: drawn)
      var rates: [Point] = []
      var offsets: [Point] = []
      var origin: MotionInstant?
      while let sample = try trace.reader.next() {
        let verdict = pipeline.push(sample)
        plot.add(sample, verdict)
        if case .kept(let time, _) = verdict {
          let rate = sample.rateRadPerSec
          origin = origin ?? time
          rates.append(
            Point(time: time - (origin ?? time), value: SIMD4(rate.x, rate.y, rate.z, 0)))
        }
        while let frame = pipeline.nextFrame() {
          plot.add(frame.offset, at: frame.time)
          offsets.append(
            Point(
              time: frame.time - (origin ?? frame.time),
              value: SIMD4(frame.offset.x, frame.offset.y, 0, 0)))
        }
      }
      #expect(rates.count > 40 && offsets.count > 20)
      let figure = plot.figure(ReplayPlot.Facts())
      for pixels in [drawn, drawn - 61, drawn / 2 + 1] {
        expectExtremes(figure.envelopes[0], of: rates, pixels: pixels, span: figure.span)
        expectExtremes(figure.envelopes[1], of: offsets, pixels: pixels, span: figure.span)
      }
    }
  }

  @Test func everyRecordingIsTested() throws {
    let folder = testDataPath("Recordings")
    let found = try namesInFolder(folder).filter { isFolder("\(folder)/\($0)") }
    #expect(
      Set(found)
        == Set(Self.recordings.compactMap { $0.split(separator: "/").first.map(String.init) }))
  }

  /// Times with bursts, equal times and gaps of up to years; values of any size.
  @Test(arguments: 0..<40) func columnsOfRandomTimesAreTheirExtremes(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pixels = Int.random(in: 1...300, using: &random)
    var envelope = MinMaxEnvelope(pixels: pixels)
    var points: [Point] = []
    var time = MotionDuration.zero
    for index in 0..<Int.random(in: 1...4000, using: &random) {
      let exponent = Double.random(in: 0...(seed.isMultiple(of: 3) ? 15 : 9), using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: break
      case 1: time += .nanoseconds(Int64(pow(10, exponent)))
      default: time += .nanoseconds(Int64.random(in: 1...20_000_000, using: &random))
      }
      if index == 0 { time = .zero }
      let value = SIMD4(
        Double.random(in: -1...1, using: &random), Double.random(in: -1e9...1e9, using: &random),
        0, Double(index))
      envelope.add(value, at: time)
      points.append(Point(time: time, value: value))
    }
    #expect(envelope.count == UInt64(points.count))
    expectExtremes(envelope, of: points, pixels: pixels, span: time)
    expectExtremes(envelope, of: points, pixels: max(1, pixels / 3), span: time)
    // Beyond the last value, as where a second signal is longer.
    expectExtremes(
      envelope, of: points, pixels: pixels, span: time + .seconds(1))
  }

  @Test func bordersAreWithinASixteenthOfAPixel() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      let pixels = Int.random(in: 1...2000, using: &random)
      let span = MotionDuration.nanoseconds(Int64.random(in: 1...1 << 60, using: &random))
      var envelope = MinMaxEnvelope(pixels: pixels)
      envelope.add(.zero, at: .zero)
      envelope.add(.one, at: span)
      let borders = envelope.borders(pixels: pixels, span: span)
      for (index, border) in borders.dropLast().enumerated() {
        let place: Double = border / span * Double(pixels)
        // A column is at least a nanosecond wide.
        let rounding = Double(pixels) / Double(span.nanoseconds)
        #expect((place - Double(index)).magnitude <= 1.0 / 16 + rounding)
      }
    }
  }

  @Test func memoryDoesNotGrowWithTheNumberOfValues() {
    var envelope = MinMaxEnvelope(pixels: 50)
    for index in 0..<100_000 {
      envelope.add(SIMD4(repeating: Double(index)), at: .milliseconds(Int64(index)))
    }
    #expect(envelope.columnsInMemory <= 50 * MinMaxEnvelope.oversampling)
    #expect(envelope.lowest == .zero && envelope.highest == SIMD4(repeating: 99_999))
  }

  @Test func gapsAndDroppedRowsAreMarkedWhereTheyAre() {
    var envelope = MinMaxEnvelope(pixels: 100)
    for tenth in 0..<1000 where !(400..<600).contains(tenth) {
      let time = MotionDuration.milliseconds(Int64(tenth) * 100)
      if tenth == 600 { envelope.markGap(from: .milliseconds(39_900), to: time) }
      envelope.add(.one, at: time, startsSegment: tenth == 0 || tenth == 600)
      if tenth == 250 { envelope.mark(.dropped, at: time) }
    }
    let columns = envelope.columns(pixels: 100, span: .milliseconds(99_900))
    #expect(columns.indices.filter { columns[$0].marks.contains(.gap) } == Array(40...60))
    #expect(columns.indices.filter { columns[$0].marks.contains(.dropped) } == [25])
    #expect(columns.indices.filter { columns[$0].marks.contains(.startsSegment) } == [0, 60])
    let lines = EnvelopeLines.lines(columns, lane: 0) { PlotPoint(Double($0), $1) }
    #expect(lines.map { $0.count } == [40, 40])
    #expect(lines.map { $0.first?.x } == [0, 60])
  }

  /// A gap between values in the same column, or in two that adjoin, is still marked.
  @Test func aShortGapIsVisible() {
    for end in [1000, 100_000] {
      var envelope = MinMaxEnvelope(pixels: 10)
      envelope.add(.zero, at: .zero)
      envelope.add(.zero, at: .seconds(Int64(end)))
      envelope.markGap(from: .seconds(Int64(end)), to: .milliseconds(Int64(end) * 1000 + 700))
      envelope.add(.one, at: .milliseconds(Int64(end) * 1000 + 700), startsSegment: true)
      let columns = envelope.columns(pixels: 10, span: .milliseconds(Int64(end) * 1000 + 700))
      #expect(columns.indices.filter { columns[$0].marks.contains(.gap) } == [9])
    }
  }

  @Test func aColumnOfSeveralValuesIsABarBetweenItsExtremes() {
    var envelope = MinMaxEnvelope(pixels: 2)
    for (time, value) in [(0, 1.0), (1, -2), (2, 5), (3, 2), (100, 2), (101, 3)] {
      envelope.add(SIMD4(repeating: value), at: .milliseconds(Int64(time)))
    }
    let columns = envelope.columns(pixels: 2, span: .milliseconds(101))
    let lines = EnvelopeLines.lines(columns, lane: 3) { PlotPoint(Double($0), $1) }
    #expect(
      lines == [
        [
          PlotPoint(0, 1), PlotPoint(0, -2), PlotPoint(0, 5), PlotPoint(0, 2), PlotPoint(1, 2),
          PlotPoint(1, 3),
        ]
      ])
  }
}
