// SPDX-License-Identifier: Apache-2.0

/// How near each part of a photo is: 0 is the farthest, 65535 the nearest.
package struct DepthMap: Equatable, Sendable {
  package let width: Int
  package let height: Int
  /// `width * height` values, row by row.
  package let values: [UInt16]

  package init(width: Int, height: Int, values: [UInt16]) {
    precondition(values.count == width * height && !values.isEmpty)
    self.width = width
    self.height = height
    self.values = values
  }

  /// Returns whether the map has the shape of a photo, within 2 % and a pixel on each side.
  package func fits(width photoWidth: Int, height photoHeight: Int) -> Bool {
    let (across, down) = (width * photoHeight, height * photoWidth)
    let tolerance = 0.02 * Double(across) + Double(photoWidth + photoHeight)
    return Double((across - down).magnitude) <= tolerance
  }

  /// Whether the map looks like one in which near is dark: the upper edge nearer than the lower one, and all edges
  /// nearer than the middle. Photos rarely are like that.
  package var looksInverted: Bool {
    func mean(_ rows: Range<Int>, _ columns: Range<Int>) -> Double {
      var sum = 0
      for y in rows { for x in columns { sum += Int(values[y * width + x]) } }
      return Double(sum) / Double(max(1, rows.count * columns.count))
    }
    let (down, across) = (max(1, height / 10), max(1, width / 10))
    let top = mean(0..<down, 0..<width)
    let bottom = mean((height - down)..<height, 0..<width)
    let sides = (mean(0..<height, 0..<across) + mean(0..<height, (width - across)..<width)) / 2
    let middle = mean(
      (height / 3)..<max(height / 3 + 1, height * 2 / 3),
      (width / 3)..<max(width / 3 + 1, width * 2 / 3))
    let step = 0.1 * Double((values.max() ?? 0) - (values.min() ?? 0))
    return step > 0 && top - bottom > step && sides - middle > step
  }

  /// The most values that the cut works with. Finer edges follow from the photo's colors.
  private static let maxValues = 2_400_000

  /// Returns the map with no more values than the cut works with. Every value is one of the map: an average of two
  /// depths is a depth where nothing is.
  package func reduced() -> DepthMap {
    let plane = grid(width: width, height: height)
    var values: [UInt16] = []
    values.reserveCapacity(plane.width * plane.height)
    for y in 0..<plane.height {
      values += UnsafeBufferPointer(start: plane.row(y), count: plane.width)
    }
    return DepthMap(width: plane.width, height: plane.height, values: values)
  }

  /// Returns the map for a picture of a size: no finer than that, nor than the cut works with.
  func grid(width pictureWidth: Int, height pictureHeight: Int) -> Plane<UInt16> {
    let (across, down) = (min(width, pictureWidth), min(height, pictureHeight))
    let share = min(1, (Double(Self.maxValues) / Double(across * down)).squareRoot())
    let columns = max(1, Int(Double(across) * share))
    let rows = max(1, Int(Double(down) * share))
    let plane = Plane<UInt16>(width: columns, height: rows, repeating: 0)
    values.withUnsafeBufferPointer { values in
      for y in 0..<rows {
        let from = (2 * y + 1) * height / (2 * rows) * width
        let to = plane.row(y)
        for x in 0..<columns { to[x] = values[from + (2 * x + 1) * width / (2 * columns)] }
      }
    }
    return plane
  }
}

extension Plane where Element == UInt16 {
  /// Returns the median of each 3 x 3 values, which removes noise and keeps edges.
  func median() -> Plane<UInt16> {
    guard width >= 3, height >= 3 else { return self }
    let result = Plane(width: width, height: height, repeating: 0)
    inParallel(height) { [self] rows in
      for y in rows {
        let above = row(max(0, y - 1))
        let (here, below) = (row(y), row(min(height - 1, y + 1)))
        let to = result.row(y)
        /// A column's three values in order.
        func sorted(_ x: Int) -> (UInt16, UInt16, UInt16) {
          let x = min(max(0, x), width - 1)
          let (a, b, c) = (above[x], here[x], below[x])
          let (low, high) = (min(a, b), max(a, b))
          return (min(low, c), max(low, min(high, c)), max(high, c))
        }
        var (left, middle) = (sorted(-1), sorted(0))
        for x in 0..<width {
          let right = sorted(x + 1)
          // The largest minimum, the median of the medians, the smallest maximum, and their median.
          let a = max(left.0, middle.0, right.0)
          let b = max(
            min(left.1, middle.1), min(max(left.1, middle.1), right.1))
          let c = min(left.2, middle.2, right.2)
          to[x] = max(min(a, b), min(max(a, b), c))
          (left, middle) = (middle, right)
        }
      }
    }
    return result
  }

  /// Returns the values with blurred edges made steep: where values differ by more than `step` within `radius`,
  /// and are about that steep, each becomes the smallest or the largest of them, whichever is closer. Depth maps
  /// that were computed or scaled have ramps of depths that nothing in the scene has.
  ///
  /// H. P. Kramer and J. B. Bruckner, "Iterations of a non-linear transformation for enhancement of digital
  /// images", Pattern Recognition 7 (1975).
  func steepened(radius: Int, step: UInt16) -> Plane<UInt16> {
    let low = extremes(radius: radius, largest: false)
    let high = extremes(radius: radius, largest: true)
    let least = extremes(radius: 1, largest: false)
    let most = extremes(radius: 1, largest: true)
    let slope = step / UInt16(radius)
    let result = Plane(width: width, height: height, repeating: 0)
    inParallel(height) { [self] rows in
      for y in rows {
        let (values, low, high, to) = (row(y), low.row(y), high.row(y), result.row(y))
        let (least, most) = (least.row(y), most.row(y))
        for x in 0..<width {
          let isEdge = high[x] - low[x] > step && most[x] - least[x] > slope
          let nearer = high[x] - values[x] < values[x] - low[x] ? high[x] : low[x]
          to[x] = isEdge ? nearer : values[x]
        }
      }
    }
    return result
  }
}
