// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What an output shows, drawn without a compositor.
package struct PreviewFrame {
  /// A layer, and where it is in the frame, in pixels.
  package struct Place: Sendable {
    package var layer: DrawnLayer
    package var x: Double
    package var y: Double

    package init(layer: DrawnLayer, x: Double, y: Double) {
      self.layer = layer
      self.x = x
      self.y = y
    }
  }

  /// Returns the fractions of the range at frame `index` of `count`: a circle through both ends of each axis.
  package static func motion(_ index: Int, of count: Int) -> (x: Double, y: Double) {
    let angle = 2 * Double.pi * Double(index) / Double(max(1, count))
    return (cos(angle), sin(angle))
  }

  /// Draws layers over each other.
  ///
  /// - Parameters:
  ///   - background: The color where no layer is: 0xRRGGBB.
  ///   - places: From back to front. Between two pixels a layer is interpolated, as compositors do.
  package static func draw(
    width: Int, height: Int, background: UInt32, _ places: [Place]
  ) -> LayerPixels {
    LayerPixels(width: width, height: height) { pixels in
      let target = Target(start: pixels.baseAddress.unsafelyUnwrapped)
      inParallel(height) { rows in
        let line = Line(width: width)
        defer { line.deallocate() }
        for y in rows {
          line.fill(background)
          for place in places { line.add(place, y) }
          line.write(to: target.start + y * width)
        }
      }
    }
  }

  /// Where pixels are written; unchecked, since each thread writes other rows.
  private struct Target: @unchecked Sendable {
    let start: UnsafeMutablePointer<UInt32>
  }

  /// A row of colors: red, green, blue and opacity, 0...255, premultiplied.
  private struct Line {
    let width: Int
    private let colors: UnsafeMutablePointer<SIMD4<Float>>

    init(width: Int) {
      self.width = width
      colors = .allocate(capacity: width)
    }

    func deallocate() { colors.deallocate() }

    func fill(_ color: UInt32) {
      colors.initialize(repeating: Self.channels(color | 0xFF00_0000), count: width)
    }

    func add(_ place: Place, _ y: Int) {
      let pixels = place.layer.pixels
      let fromY = Double(y) - place.y
      let top = Int(fromY.rounded(.down))
      let down = Float(fromY - fromY.rounded(.down))
      let left = Int((-place.x).rounded(.down))
      let across = Float(-place.x - (-place.x).rounded(.down))
      func row(_ y: Int) -> UnsafeBufferPointer<UInt32>? {
        y >= 0 && y < pixels.height ? pixels.row(y) : nil
      }
      let (above, below) = (row(top), row(top + 1))
      guard above != nil || below != nil else { return }
      func color(_ row: UnsafeBufferPointer<UInt32>?, _ x: Int) -> SIMD4<Float> {
        guard let row, x >= 0, x < pixels.width else { return .zero }
        return Self.channels(row[x])
      }
      for x in max(0, -left - 1)..<max(0, -left - 1, min(width, pixels.width - left)) {
        let first = color(above, x + left) * (1 - across) + color(above, x + left + 1) * across
        let second = color(below, x + left) * (1 - across) + color(below, x + left + 1) * across
        let value = first * (1 - down) + second * down
        if value.w > 0 { colors[x] = value + colors[x] * (1 - value.w / 255) }
      }
    }

    func write(to target: UnsafeMutablePointer<UInt32>) {
      for x in 0..<width {
        let color = (colors[x] + 0.5).clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
        target[x] =
          UInt32(color.w) << 24 | UInt32(color.x) << 16 | UInt32(color.y) << 8 | UInt32(color.z)
      }
    }

    @inline(__always)
    private static func channels(_ pixel: UInt32) -> SIMD4<Float> {
      SIMD4(
        Float(pixel >> 16 & 255), Float(pixel >> 8 & 255), Float(pixel & 255), Float(pixel >> 24))
    }
  }
}
