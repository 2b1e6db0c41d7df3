// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// The values of up to four signals in one column of time.
struct EnvelopeColumn: Equatable, Sendable {
  var lowest = SIMD4<Double>.zero
  var highest = SIMD4<Double>.zero
  var first = SIMD4<Double>.zero
  var last = SIMD4<Double>.zero
  var marks: ColumnMarks = []

  /// Whether a value fell in the column.
  var hasValues: Bool { marks.contains(.hasValues) }

  fileprivate mutating func add(_ value: SIMD4<Double>, startsSegment: Bool) {
    if hasValues {
      lowest = pointwiseMin(lowest, value)
      highest = pointwiseMax(highest, value)
    } else {
      (lowest, highest, first) = (value, value, value)
      marks.formUnion(startsSegment ? [.hasValues, .startsSegment] : .hasValues)
    }
    last = value
  }

  /// Adds the next column.
  fileprivate mutating func add(_ next: EnvelopeColumn) {
    guard hasValues else {
      let before = marks
      self = next
      marks.formUnion(before)
      return
    }
    // A segment that begins within the column is not visible.
    marks.formUnion(next.marks.subtracting(.startsSegment))
    guard next.hasValues else { return }
    lowest = pointwiseMin(lowest, next.lowest)
    highest = pointwiseMax(highest, next.highest)
    last = next.last
  }
}

/// What else is in a column of time.
struct ColumnMarks: OptionSet, Sendable {
  let rawValue: UInt8

  init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  static let hasValues = ColumnMarks(rawValue: 1)
  /// The first value begins a segment: no line leads to it.
  static let startsSegment = ColumnMarks(rawValue: 2)
  /// A gap between two segments, or a part of it.
  static let gap = ColumnMarks(rawValue: 4)
  /// A row that does not count.
  static let dropped = ColumnMarks(rawValue: 8)
}

/// The least and the greatest values of signals per column of time, in bounded memory for any number of
/// values and any duration.
///
/// Columns begin one nanosecond wide. When a value lies beyond the last one, each column takes in the one
/// after it, as often as necessary. With a capacity of `oversampling` columns per pixel, the borders of
/// pixels are then rounded by at most 1/16 pixel, and each pixel has the exact extremes of the values
/// between its borders.
struct MinMaxEnvelope: Sendable {
  /// Columns in memory per pixel.
  static let oversampling = 16
  /// The longest time, which is longer than any trace: 2^62 ns, 146 years.
  private static let maxNanoseconds = Int64(1) << 62

  private var columns: [EnvelopeColumn]
  private let capacity: Int
  /// The logarithm to base 2 of a column's width in nanoseconds.
  private var widthLog = 0
  /// The extremes of all values; zero before the first.
  private(set) var lowest = SIMD4<Double>.zero
  private(set) var highest = SIMD4<Double>.zero
  private(set) var count: UInt64 = 0
  var columnsInMemory: Int { columns.count }

  /// - Parameter pixels: The width of the plot that will be drawn, in pixels.
  init(pixels: Int) {
    capacity = max(1, pixels) * Self.oversampling
    columns = []
    columns.reserveCapacity(capacity)
  }

  /// Adds the values of the signals at a time.
  ///
  /// - Parameters:
  ///   - time: The time from the start of the plot, not negative and not before that of the last value.
  ///   - startsSegment: Whether a gap precedes.
  mutating func add(
    _ value: SIMD4<Double>, at time: MotionDuration, startsSegment: Bool = false
  ) {
    columns[column(at: time)].add(value, startsSegment: startsSegment)
    (lowest, highest) =
      count == 0
      ? (value, value) : (pointwiseMin(lowest, value), pointwiseMax(highest, value))
    count += 1
  }

  mutating func mark(_ marks: ColumnMarks, at time: MotionDuration) {
    columns[column(at: time)].marks.formUnion(marks)
  }

  /// Marks a gap between the values before and after it.
  mutating func markGap(from begin: MotionDuration, to end: MotionDuration) {
    let last = column(at: end)
    let first = index(of: begin)
    // A gap is visible even if both values are in the same column or in two that adjoin.
    let gap = last > first + 1 ? first + 1..<last : first..<first + 1
    for index in gap { columns[index].marks.insert(.gap) }
  }

  /// Returns the columns of a plot, whose borders are those of `borders(pixels:span:)`.
  ///
  /// - Parameter span: The time from the left edge to the right one.
  func columns(pixels: Int, span: MotionDuration) -> [EnvelopeColumn] {
    let borders = indices(pixels: pixels, span: span)
    return (0..<pixels).map { pixel in
      var sum = EnvelopeColumn()
      for index in borders[pixel]..<max(borders[pixel], min(borders[pixel + 1], columns.count)) {
        sum.add(columns[index])
      }
      return sum
    }
  }

  /// Returns the times between which the pixels lie, one more than there are pixels. A time belongs to a
  /// pixel if it is at or after its first border and before the next one. The last pixel contains `span`.
  func borders(pixels: Int, span: MotionDuration) -> [MotionDuration] {
    indices(pixels: pixels, span: span).map { .nanoseconds(Int64($0) << Int64(widthLog)) }
  }

  private func indices(pixels: Int, span: MotionDuration) -> [Int] {
    let span = UInt128(max(0, span.nanoseconds))
    let whole = UInt128(pixels) << UInt128(widthLog)
    var indices = (0..<pixels).map { Int((UInt128($0) * span * 2 + whole) / (2 * whole)) }
    indices.append(Int(span >> UInt128(widthLog)) + 1)
    return indices
  }

  private func index(of time: MotionDuration) -> Int {
    Int(min(max(0, time.nanoseconds), Self.maxNanoseconds) >> Int64(widthLog))
  }

  /// Returns the column of a time, which is in memory afterwards.
  private mutating func column(at time: MotionDuration) -> Int {
    var index = index(of: time)
    if index >= capacity {
      var steps = 0
      while index >> steps >= capacity { steps += 1 }
      widen(by: steps)
      index >>= steps
    }
    while columns.count <= index { columns.append(EnvelopeColumn()) }
    return index
  }

  /// Makes columns 2^steps times as wide.
  private mutating func widen(by steps: Int) {
    widthLog += steps
    var wide = 0
    for index in columns.indices {
      if index >> steps > wide || index == 0 {
        wide = index >> steps
        columns[wide] = columns[index]
      } else {
        columns[wide].add(columns[index])
      }
    }
    if !columns.isEmpty { columns.removeSubrange((wide + 1)...) }
  }
}
