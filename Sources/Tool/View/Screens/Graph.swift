// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// Curves of the last seconds. The newest value is on the right.
///
/// A column of dots covers a fixed span of time and shows the least and the greatest value in it, so a
/// curve moves to the left without changing its form.
struct Graph {
  var area: CellArea
  /// The value at the lower edge and the one at the upper edge.
  var low: Double
  var high: Double
  /// The values, and which part of them each curve shows, in the order in which they are drawn.
  var history: History
  var curves: [(index: Int, style: CellStyle)]
  /// Draws a line at 0.
  var hasZero = true
  /// How long a value holds without another one; nil: until the next.
  var longestGap: MotionDuration?

  /// Seconds from the left edge to the right one: 6 at 36 columns.
  static func seconds(columns: Int) -> Double { min(12, max(2, Double(columns) / 6)) }

  func draw(into grid: inout CellGrid, at now: MotionInstant, isBraille: Bool) {
    var canvas = DotCanvas<CellStyle>(columns: area.columns, rows: area.rows, isBraille: isBraille)
    guard canvas.width > 1, canvas.height > 1, high > low else { return }
    func row(_ value: Double) -> Int {
      let part = (high - min(high, max(low, value))) / (high - low)
      return Int((part * Double(canvas.height - 1)).rounded())
    }
    if hasZero, low < 0, high > 0 {
      for x in stride(from: 0, to: canvas.width, by: isBraille ? 4 : 3) {
        canvas.set(x, row(0), Theme.faint)
      }
    }
    let span = MotionDuration(seconds: Self.seconds(columns: area.columns) / Double(canvas.width))
    let last = now.nanoseconds / span.nanoseconds
    let start = MotionInstant(
      nanoseconds: (last - Int64(canvas.width) + 1) * span.nanoseconds)
    let points = history.points(since: start)
    for curve in curves {
      var before: Int?
      var index = points.startIndex
      var value = points.first?.value[curve.index]
      var known = points.first?.time ?? start
      for x in 0..<canvas.width {
        let end = start + (Int64(x) + 1) * span
        var (least, most) = (value, value)
        while index < points.endIndex, points[index].time < end {
          let next = points[index].value[curve.index]
          if points[index].time >= end - span {
            least = least.map { min($0, next) } ?? next
            most = most.map { max($0, next) } ?? next
          } else {
            (least, most) = (next, next)
          }
          value = next
          known = points[index].time
          index += 1
        }
        // Nothing is known before the first point.
        guard let least, let most, let first = points.first, first.time < end else { continue }
        if let longestGap, end - span - known > longestGap {
          before = nil
          continue
        }
        var (top, bottom) = (row(most), row(least))
        // The curve has no holes.
        if let before { (top, bottom) = (min(top, before), max(bottom, before)) }
        for y in top...bottom { canvas.set(x, y, curve.style) }
        before = value.map(row)
      }
    }
    canvas.draw(into: &grid, row: area.row, column: area.column)
  }
}
