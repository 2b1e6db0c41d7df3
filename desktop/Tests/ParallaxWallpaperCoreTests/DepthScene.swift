// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxWallpaperCore

/// A scene of flat shapes whose true picture is known at any offset.
struct DepthScene {
  /// A disc, or a square box.
  struct Shape {
    var x: Double
    var y: Double
    var radius: Double
    /// 0 far, 1 near.
    var depth: Double
    var color: SIMD3<Double>
    var isBox = false

    func contains(_ x: Double, _ y: Double) -> Bool {
      let (dx, dy) = (x - self.x, y - self.y)
      return isBox ? max(abs(dx), abs(dy)) <= radius : dx * dx + dy * dy <= radius * radius
    }
  }

  let width = 320
  let height = 200
  /// From far to near.
  var shapes: [Shape] = [
    .init(x: 60, y: 60, radius: 34, depth: 0.3, color: .init(200, 40, 30), isBox: true),
    .init(x: 150, y: 120, radius: 45, depth: 0.55, color: .init(40, 190, 60)),
    .init(x: 245, y: 80, radius: 38, depth: 0.8, color: .init(230, 210, 40), isBox: true),
    .init(x: 190, y: 150, radius: 30, depth: 1, color: .init(20, 20, 30)),
  ]

  /// The farthest plane: a gradient with a fine texture.
  func background(_ x: Double, _ y: Double) -> SIMD3<Double> {
    let texture = 3 * sin(x * 0.9) * sin(y * 0.7)
    return SIMD3(90 + 0.2 * x + texture, 120 + 0.3 * y + texture, 215 - 0.1 * x + texture)
  }

  /// Returns the shape that is seen at a place; nil for the background.
  func shape(_ x: Double, _ y: Double, shift: SIMD2<Double> = .zero) -> Shape? {
    shapes.last { $0.contains(x - shift.x * $0.depth, y - shift.y * $0.depth) }
  }

  /// Returns the true picture, with smooth edges.
  ///
  /// - Parameter shift: How far the nearest plane has moved, in pixels.
  func picture(shift: SIMD2<Double> = .zero) -> LayerPixels {
    LayerPixels(width: width, height: height) { pixels in
      for y in 0..<height {
        for x in 0..<width {
          var sum = SIMD3<Double>.zero
          for part in 0..<9 {
            let placeX = Double(x) + (Double(part % 3) + 0.5) / 3
            let placeY = Double(y) + (Double(part / 3) + 0.5) / 3
            sum += shape(placeX, placeY, shift: shift)?.color ?? background(placeX, placeY)
          }
          let color = sum / 9 + 0.5
          pixels[y * width + x] =
            0xFF00_0000 | UInt32(color.x) << 16 | UInt32(color.y) << 8 | UInt32(color.z)
        }
      }
    }
  }

  /// Returns the true depths, at the photo's size or a part of it.
  func depths(every step: Int = 1, move: Double = 0) -> DepthMap {
    let (columns, rows) = (width / step, height / step)
    return DepthMap(
      width: columns, height: rows,
      values: (0..<(columns * rows)).map { index in
        let x = (Double(index % columns) + 0.5) * Double(step) - move
        let y = (Double(index / columns) + 0.5) * Double(step)
        return UInt16(8000 + 48000 * (shape(x, y)?.depth ?? 0))
      })
  }

  /// Returns how far a pixel is from the next edge of a shape, at most `most`, in each direction.
  func isNearEdge(_ x: Int, _ y: Int, _ distance: Int) -> Bool {
    let depth = shape(Double(x) + 0.5, Double(y) + 0.5)?.depth
    for dy in -distance...distance {
      for dx in -distance...distance
      where shape(Double(x + dx) + 0.5, Double(y + dy) + 0.5)?.depth != depth { return true }
    }
    return false
  }
}

/// Random numbers that a seed repeats (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// Returns a number of the normal distribution.
  mutating func normal() -> Double {
    let (a, b) = (Double.random(in: 1e-9...1, using: &self), Double.random(in: 0...1, using: &self))
    return (-2 * log(a)).squareRoot() * cos(2 * .pi * b)
  }
}
