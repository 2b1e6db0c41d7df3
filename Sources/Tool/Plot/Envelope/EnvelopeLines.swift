// SPDX-License-Identifier: Apache-2.0

/// The lines through the columns of an envelope.
enum EnvelopeLines {
  /// Returns one line per segment. Each column contributes its first value, its extremes and its last
  /// value, so that a column with many values is a bar between its extremes.
  static func lines(
    _ columns: [EnvelopeColumn], lane: Int, place: (Int, Double) -> PlotPoint
  ) -> [[PlotPoint]] {
    var lines: [[PlotPoint]] = []
    var line: [PlotPoint] = []
    for (index, column) in columns.enumerated() where column.hasValues {
      if column.marks.contains(.startsSegment), !line.isEmpty {
        lines.append(line)
        line = []
      }
      // The extreme that is nearer to the first value comes first.
      let (first, last) = (column.first[lane], column.last[lane])
      let (low, high) = (column.lowest[lane], column.highest[lane])
      let extremes = first - low <= high - first ? [low, high] : [high, low]
      for value in [first] + extremes + [last] {
        let point = place(index, value)
        if line.last != point { line.append(point) }
      }
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }
}

/// The bars between the extremes of each column, for signals that move up and down within a pixel. They are
/// drawn much faster than lines that cross each other.
enum EnvelopeBars {
  struct Bar: Equatable {
    var column: Int
    var low: Double
    var high: Double
  }

  /// Returns the mean distance between the extremes of a column.
  static func meanLength(_ columns: [EnvelopeColumn], lane: Int) -> Double {
    var (length, count) = (0.0, 0.0)
    for column in columns where column.hasValues {
      length += column.highest[lane] - column.lowest[lane]
      count += 1
    }
    return count > 0 ? length / count : 0
  }

  /// Returns a bar per column with values. It also reaches the last value before it, unless a segment begins.
  static func bars(_ columns: [EnvelopeColumn], lane: Int) -> [Bar] {
    var bars: [Bar] = []
    var last: Double?
    for (index, column) in columns.enumerated() where column.hasValues {
      var bar = Bar(column: index, low: column.lowest[lane], high: column.highest[lane])
      if let last, !column.marks.contains(.startsSegment) {
        (bar.low, bar.high) = (min(bar.low, last), max(bar.high, last))
      }
      bars.append(bar)
      last = column.last[lane]
    }
    return bars
  }
}
