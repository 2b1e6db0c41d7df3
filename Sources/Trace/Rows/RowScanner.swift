// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
package import ParallaxMotion

/// Reads rows to samples, and says which rows it cannot read. A replay spends most of its time here.
///
/// A number as programs write it, without spaces and quotes, is read at once; any other column goes through
/// `readSlowly`. It keeps no state, so several threads can use it.
package struct RowScanner: Sendable {
  /// Why a scan ended.
  package enum Stop: Equatable, Sendable {
    /// The block has no more rows, or the columns are full.
    case none
    /// After a blank line or a comment.
    case ignored
    /// After a sample whose row has no time: its rate about x is NaN, and its time means nothing.
    case withoutTime
    /// After a row that cannot be read, which begins at an offset of the block; the column counts from 0.
    case bad(Fault, column: Int, at: Int)
    /// Before a line that is too long.
    case lineTooLong
  }

  /// The reason why a row cannot be read.
  package enum Fault: Equatable, Sendable {
    /// The row ends before the column.
    case missing
    /// The column does not contain a number.
    case notANumber
    case timeOutOfRange
    /// The file ends in the middle of the row.
    case truncated
  }

  /// A column that is needed.
  private struct Field {
    enum Kind { case time, rate, checkedRate }

    var kind: Kind
    /// Counts from 0.
    var column: Int
    /// The number of columns between it and the needed one before it.
    var skip = 0
    /// Where its rates begin among all rates.
    var place = 0
    /// The rad/s of one unit.
    var scale = 1.0
  }

  /// The content of a column.
  private enum Content {
    case time(MotionInstant)
    case rate(Double)
    /// An empty time, or one that is not finite.
    case noTime
    case bad(Fault)
  }

  private let separator: UInt8
  private let mark: UInt8
  private let timeScale: TimeScale
  private let namedCount: Int
  /// The needed columns from left to right.
  private let fields: [Field]

  /// - Parameter z: What z is needed for.
  init(_ layout: RowLayout, z: TraceReader.UseOfZ) {
    let capacity = SampleColumns.capacity
    var fields = [
      Field(kind: .rate, column: layout.x, scale: layout.scaleX),
      Field(kind: .rate, column: layout.y, place: capacity, scale: layout.scaleY),
    ]
    if let column = layout.timeColumn { fields.append(Field(kind: .time, column: column)) }
    if z != .none, let column = layout.z {
      fields.append(
        Field(
          kind: z == .value ? .rate : .checkedRate, column: column, place: 2 * capacity,
          scale: layout.scaleZ))
    }
    fields.sort { $0.column < $1.column }
    var next = 0
    for index in fields.indices {
      fields[index].skip = max(0, fields[index].column - next)
      next = fields[index].column + 1
    }
    self.fields = fields
    separator = layout.separator
    mark = layout.decimalMark
    timeScale = layout.timeScale
    namedCount = layout.namedCount
  }

  /// Reads rows of a block into the columns until one of them is not a plain sample, and consumes them.
  ///
  /// The time of a row is undefined if the layout has no time column.
  package func scan(_ block: inout LineBlock, into samples: inout SampleColumns) -> Stop {
    var stop = Stop.none
    block.start = scan(
      block.bytes.span.bytes, block.start..<block.end, isUnterminated: block.isUnterminated,
      &samples, &stop)
    return stop
  }

  /// Returns where the scan ended.
  private func scan(
    _ text: borrowing RawSpan, _ lines: Range<Int>, isUnterminated: Bool,
    _ samples: inout SampleColumns, _ stop: inout Stop
  ) -> Int {
    let (first, before) = (lines.lowerBound, samples.count)
    var next = scan(text, lines, &samples.count, &samples.times, &samples.rates, &stop)
    if stop != .none {
      let end = Self.lineFeed(text, next)
      if end - next > LineBlocks.maxLineLength { stop = .lineTooLong } else { next = end + 1 }
    }
    // A last line without a line feed is a block of its own.
    if isUnterminated, samples.count > before, isTruncated(text, first) {
      samples.count = before
      stop = .bad(.truncated, column: 0, at: first)
    }
    return next
  }

  /// Returns the beginning of the first row that was not read, or of the one that is the reason to stop.
  @inline(never)
  private func scan(
    _ text: borrowing RawSpan, _ lines: Range<Int>, _ count: inout Int,
    _ times: inout [MotionInstant], _ rates: inout [Double], _ stop: inout Stop
  ) -> Int {
    // A span cannot be of a global variable.
    let (fieldTable, powerTable, exactTable) = (
      self.fields, ParallaxTrace.powers, ParallaxTrace.exactPowers
    )
    let fields = fieldTable.span
    let powers = powerTable.span
    let exactPowers = exactTable.span
    let (separator, timeExponent) = (separator, timeScale.exponent)
    let isDecimalTime = timeScale.mantissa == 1
    var times = times.mutableSpan
    var rates = rates.mutableSpan
    var row = count
    var begin = lines.lowerBound
    defer { count = row }
    while begin < lines.upperBound, row < times.count {
      var at = begin
      var lacksTime = false
      // Blank lines and comments begin with a character up to this one.
      if text.byte(at) <= UInt8(ascii: "#"), isIgnored(text, at) {
        stop = .ignored
        return begin
      }
      for index in fields.indices {
        let field = fields[index]
        if index > 0 {
          guard text.byte(at) == separator else {
            stop = .bad(.missing, column: field.column - field.skip, at: begin)
            return begin
          }
          at &+= 1
        }
        for skipped in 0..<field.skip {
          guard Self.skipColumn(text, &at, separator) else {
            stop = .bad(.missing, column: field.column - field.skip + skipped + 1, at: begin)
            return begin
          }
        }
        let start = at
        switch field.kind {
        case .time:
          if isDecimalTime, let scan = DecimalScan.plain(text, &at, powers),
            Self.isColumnEnd(text, at, separator),
            let time = TimeText.instant(of: scan, scaleExponent: timeExponent, powers),
            time.isAdmissible
          {
            times[row] = time
            continue
          }
        case .rate:
          if let scan = DecimalScan.plain(text, &at, powers),
            Self.isColumnEnd(text, at, separator),
            let value = RateText.value(of: scan, powers, exactPowers)
          {
            rates[field.place &+ row] = value * field.scale
            continue
          }
        case .checkedRate:
          if DecimalScan.skipBelowTen(text, &at), Self.isColumnEnd(text, at, separator) {
            rates[field.place &+ row] = 0
            continue
          }
        }
        at = start
        switch readSlowly(text, &at, isTime: field.kind == .time) {
        case .time(let time): times[row] = time
        case .rate(let rate): rates[field.place &+ row] = rate * field.scale
        case .noTime: lacksTime = true
        case .bad(let fault):
          stop = .bad(fault, column: field.column, at: begin)
          return begin
        }
      }
      if text.byte(at) != UInt8(ascii: "\n") { at = Self.lineFeed(text, at) }
      guard at &- begin <= LineBlocks.maxLineLength else {
        stop = .lineTooLong
        return begin
      }
      row &+= 1
      if lacksTime {
        rates[row &- 1] = .nan
        stop = .withoutTime
        return begin
      }
      begin = at &+ 1
    }
    return begin
  }

  /// Reads a column in any form and moves `at` to its end; not for a column that is bad.
  @inline(never)
  private func readSlowly(
    _ text: borrowing RawSpan, _ at: inout Int, isTime: Bool
  ) -> Content {
    skipSpaces(text, &at)
    let isQuoted = text.byte(at) == UInt8(ascii: "\"")
    if isQuoted {
      at += 1
      skipSpaces(text, &at)
    }
    let content = readContent(text, &at, isTime: isTime, isQuoted: isQuoted)
    if case .bad = content { return content }
    skipSpaces(text, &at)
    if isQuoted {
      guard text.byte(at) == UInt8(ascii: "\"") else { return .bad(.notANumber) }
      at += 1
      skipSpaces(text, &at)
    }
    return Self.isColumnEnd(text, at, separator) ? content : .bad(.notANumber)
  }

  private func readContent(
    _ text: borrowing RawSpan, _ at: inout Int, isTime: Bool, isQuoted: Bool
  ) -> Content {
    let isEmpty =
      isQuoted
      ? text.byte(at) == UInt8(ascii: "\"") : Self.isColumnEnd(text, at, separator)
    if isEmpty { return isTime ? .noTime : .rate(.nan) }
    let mark = isQuoted ? UInt8(ascii: ",") : mark
    guard isTime else {
      return RateText.read(text, &at, mark: mark).map { .rate($0) } ?? .bad(.notANumber)
    }
    switch TimeText.read(text, &at, mark: mark, scale: timeScale) {
    case .instant(let time): return .time(time)
    case .notFinite: return .noTime
    case .outOfRange: return .bad(.timeOutOfRange)
    case .notANumber: return .bad(.notANumber)
    }
  }

  private func skipSpaces(_ text: borrowing RawSpan, _ at: inout Int) {
    while text.byte(at) == UInt8(ascii: " ")
      || (text.byte(at) == UInt8(ascii: "\t") && separator != UInt8(ascii: "\t"))
    {
      at += 1
    }
  }

  /// Returns whether the line is blank or a comment.
  @inline(never)
  private func isIgnored(_ text: borrowing RawSpan, _ start: Int) -> Bool {
    var at = start
    while text.byte(at) == UInt8(ascii: " ") || text.byte(at) == UInt8(ascii: "\t") { at += 1 }
    return text.byte(at) == UInt8(ascii: "#") || Self.isLineEnd(text, at)
  }

  /// Returns whether a last line without a line feed looks truncated: it has fewer columns than the
  /// header has names, or its last column is needed and empty.
  private func isTruncated(_ text: borrowing RawSpan, _ line: Int) -> Bool {
    var at = line
    var columns = 1
    while Self.skipColumn(text, &at, separator) { columns += 1 }
    let isLastNeeded = fields.last?.column == namedCount - 1 && columns == namedCount
    return columns < namedCount
      || (isLastNeeded && at > line && text.byte(at - 1) == separator)
  }

  /// Returns the text of a column, for a message.
  func text(ofColumn column: Int, in block: borrowing LineBlock, _ line: Int) -> String {
    let text = block.bytes.span.bytes
    var at = line
    for _ in 0..<column {
      guard Self.skipColumn(text, &at, separator) else { return "" }
    }
    let begin = at
    let isFollowed = Self.skipColumn(text, &at, separator)
    let end = isFollowed ? at - 1 : at
    let bytes = (begin..<min(end, begin + 200)).map { text.byte($0) }
    return HeaderCell.trimmed(String(decoding: bytes, as: UTF8.self))
  }

  // MARK: - Steps through a line

  /// Moves after the next separator; false if the line ends before it, whose line feed is then at `at`.
  @inline(__always)
  private static func skipColumn(
    _ text: borrowing RawSpan, _ at: inout Int, _ separator: UInt8
  ) -> Bool {
    if text.byte(at) <= UInt8(ascii: "\"") { skipQuotes(text, &at, separator) }
    let separators = UInt64(separator) &* 0x0101_0101_0101_0101
    while true {
      let word = text.word(at)
      let hits = zeros(word ^ separators) | zeros(word ^ lineFeeds)
      guard hits == 0 else {
        let bits = UInt64(hits.trailingZeroBitCount & 0x38)
        let isSeparator = (word &>> bits) & 0xFF != UInt64(UInt8(ascii: "\n"))
        at &+= Int(truncatingIfNeeded: bits >> 3) &+ (isSeparator ? 1 : 0)
        return isSeparator
      }
      at &+= 8
    }
  }

  /// Skips a quoted text, in which separators have no meaning and a doubled quote is a quote. Otherwise
  /// skips only spaces.
  @inline(never)
  private static func skipQuotes(
    _ text: borrowing RawSpan, _ at: inout Int, _ separator: UInt8
  ) {
    let tab = UInt8(ascii: "\t")
    while text.byte(at) == UInt8(ascii: " ") || (text.byte(at) == tab && separator != tab) {
      at += 1
    }
    while text.byte(at) == UInt8(ascii: "\"") {
      at += 1
      while text.byte(at) != UInt8(ascii: "\""), text.byte(at) != UInt8(ascii: "\n") { at += 1 }
      if text.byte(at) == UInt8(ascii: "\"") { at += 1 }
    }
  }

  /// Returns whether a column ends here: before a separator or at the end of the line.
  @inline(__always)
  private static func isColumnEnd(
    _ text: borrowing RawSpan, _ at: Int, _ separator: UInt8
  ) -> Bool {
    let next = text.byte(at)
    return next == separator || next == UInt8(ascii: "\n")
      || next == UInt8(ascii: "\r") && isLineEnd(text, at)
  }

  /// Returns whether only carriage returns precede the line feed.
  private static func isLineEnd(_ text: borrowing RawSpan, _ start: Int) -> Bool {
    var at = start
    while text.byte(at) == UInt8(ascii: "\r") { at += 1 }
    return text.byte(at) == UInt8(ascii: "\n")
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
