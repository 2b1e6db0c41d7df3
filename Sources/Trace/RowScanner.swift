// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
package import ParallaxMotion

/// Reads rows as programs write them: the time before the rates, plain numbers, no spaces, no quotes. A replay
/// spends most of its time here.
///
/// It knows no errors and keeps no state, so several threads can use it: it stops before the first row in
/// another form, which is `RowParser`'s.
package struct RowScanner: Sendable {
  private struct Field {
    /// The number of columns to skip before it.
    var skip: Int
    /// Where its column of rates begins; nil if only a rate that is not finite or suspect matters.
    var place: Int?
    var scale: Double
  }

  private let separator: UInt8
  private let timeExponent: Int
  /// The number of columns before the time.
  private let timeSkip: Int
  private let fields: [Field]

  /// nil if no row of this layout is in such a form.
  ///
  /// - Parameter z: What z is needed for.
  init?(_ layout: RowLayout, z: TraceReader.UseOfZ) {
    guard let time = layout.timeColumn, layout.timeScale.mantissa == 1 else { return nil }
    let capacity = SampleColumns.capacity
    var columns: [(column: Int, place: Int?, scale: Double)] = [
      (layout.x, 0, layout.scaleX), (layout.y, capacity, layout.scaleY),
    ]
    if z != .none, let column = layout.z {
      columns.append((column, z == .value ? 2 * capacity : nil, layout.scaleZ))
    }
    columns.sort { $0.column < $1.column }
    var fields: [Field] = []
    var last = time
    for (column, place, scale) in columns {
      guard column > last else { return nil }
      fields.append(Field(skip: column - last - 1, place: place, scale: scale))
      last = column
    }
    separator = layout.separator
    timeExponent = layout.timeScale.exponent
    timeSkip = time
    self.fields = fields
  }

  /// Reads rows of a block into the columns as far as they are in such a form and fit, and consumes them.
  package func scan(_ block: inout LineBlock, into samples: inout SampleColumns) {
    // Whether the last row is whole is the reader's to decide.
    guard !block.isUnterminated else { return }
    block.start = scan(
      block.bytes.span.bytes, block.start..<block.end, &samples.count, &samples.times,
      &samples.rates)
  }

  /// Returns the beginning of the first row that was not read.
  @inline(never)
  private func scan(
    _ text: borrowing RawSpan, _ lines: Range<Int>, _ count: inout Int,
    _ times: inout [MotionInstant], _ rates: inout [Double]
  ) -> Int {
    // A span cannot be of a global variable.
    let (fieldTable, powerTable, exactTable) = (
      self.fields, ParallaxTrace.powers, ParallaxTrace.exactPowers
    )
    let fields = fieldTable.span
    let powers = powerTable.span
    let exactPowers = exactTable.span
    let (separator, timeSkip, timeExponent) = (separator, timeSkip, timeExponent)
    var times = times.mutableSpan
    var rates = rates.mutableSpan
    var row = count
    var begin = lines.lowerBound
    defer { count = row }
    while begin < lines.upperBound, row < times.count {
      var at = begin
      for _ in 0..<timeSkip {
        guard Self.skipField(text, &at, separator) else { return begin }
      }
      guard let timeScan = DecimalScan.plain(text, &at, powers),
        let time = TimeText.instant(of: timeScan, scaleExponent: timeExponent, powers),
        time.isAdmissible
      else { return begin }
      times[row] = time
      for field in fields.indices {
        guard text.byte(at) == separator else { return begin }
        at &+= 1
        let field = fields[field]
        for _ in 0..<field.skip {
          guard Self.skipField(text, &at, separator) else { return begin }
        }
        let start = at
        if field.place == nil {
          if DecimalScan.skipBelowTen(text, &at) { continue }
          at = start
        }
        guard let scan = DecimalScan.plain(text, &at, powers),
          let value = RateText.value(of: scan, powers, exactPowers)
            ?? RateText.readSlowly(text, start..<at)
        else { return begin }
        let rate = value * field.scale
        if let place = field.place {
          rates[place &+ row] = rate
        } else if !(rate.magnitude <= TraceReader.suspectRateRadPerSec) {
          return begin
        }
      }
      if text.byte(at) == separator {
        at = Self.lineFeed(text, at)
      } else if text.byte(at) == UInt8(ascii: "\r") {
        at &+= 1
      }
      guard text.byte(at) == UInt8(ascii: "\n"), at &- begin <= LineBlocks.maxLineLength else {
        return begin
      }
      begin = at &+ 1
      row &+= 1
    }
    return begin
  }

  /// Moves after the next separator; false if the line ends before it or the field may be quoted.
  @inline(__always)
  private static func skipField(
    _ text: borrowing RawSpan, _ at: inout Int, _ separator: UInt8
  ) -> Bool {
    guard text.byte(at) > UInt8(ascii: "\"") else { return false }
    let separators = UInt64(separator) &* 0x0101_0101_0101_0101
    while true {
      let word = text.word(at)
      let hits = zeros(word ^ separators) | zeros(word ^ lineFeeds)
      guard hits == 0 else {
        let bits = UInt64(hits.trailingZeroBitCount & 0x38)
        at &+= Int(truncatingIfNeeded: bits >> 3) &+ 1
        return (word &>> bits) & 0xFF != UInt64(UInt8(ascii: "\n"))
      }
      at &+= 8
    }
  }

  /// Returns the position of the next line feed.
  @inline(__always)
  private static func lineFeed(_ text: borrowing RawSpan, _ start: Int) -> Int {
    var at = start
    while true {
      let hits = zeros(text.word(at) ^ lineFeeds)
      guard hits == 0 else { return at &+ hits.trailingZeroBitCount >> 3 }
      at &+= 8
    }
  }

  private static var lineFeeds: UInt64 { 0x0A0A_0A0A_0A0A_0A0A }

  /// Returns a word whose first set bit is in the first byte that is 0.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }
}
