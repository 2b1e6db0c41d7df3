// SPDX-License-Identifier: Apache-2.0

/// Colors for the places of a layer that the photo does not show, spread smoothly from those that it does.
///
/// Push-pull: S. J. Gortler and others, "The Lumigraph", SIGGRAPH 1996. Averages of the known colors at half the
/// size fill the unknown pixels at the full size, and so on down to one pixel.
struct LayerFill {
  /// Whether a pixel's color is known.
  enum Source: UInt8, BitwiseCopyable {
    case unknown
    /// It may be mixed with the color of another layer. It counts so little that a region of 100 px with
    /// such colors only still takes those around it.
    case doubtful
    case known

    fileprivate var weight: Float {
      switch self {
      case .unknown: 0
      case .doubtful: 1 / 32_768
      case .known: 1
      }
    }
  }

  /// Half the size of the region: red, green, blue and 1.
  private let colors: Plane<SIMD4<Float>>

  /// - Parameters:
  ///   - photo: The colors of the whole picture.
  ///   - region: The part to fill; its edges are even.
  ///   - sources: Which pixels of the region have a color of the layer.
  init(_ photo: LayerPixels, region: PixelRect, sources: Plane<Source>) {
    var levels = [Self.half(photo, region: region, sources: sources)]
    while let last = levels.last, last.width > 1 || last.height > 1 {
      levels.append(Self.half(last))
    }
    for level in levels.indices.dropLast().reversed() {
      Self.fill(levels[level], from: levels[level + 1])
    }
    colors = levels[0]
  }

  private static func half(
    _ photo: LayerPixels, region: PixelRect, sources: Plane<Source>
  ) -> Plane<SIMD4<Float>> {
    let (width, height) = (sources.width, sources.height)
    let result = Plane<SIMD4<Float>>(
      width: (width + 1) / 2, height: (height + 1) / 2, repeating: .zero)
    inParallel(result.height) { rows in
      for y in rows {
        let to = result.row(y)
        for row in (2 * y)..<min(2 * y + 2, height) {
          let sources = sources.row(row)
          let colors = photo.row(region.y + row)
          for x in 0..<width where sources[x] != .unknown {
            let weight = sources[x].weight
            let color = colors[region.x + x]
            to[x >> 1] +=
              weight
              * SIMD4(Float(color >> 16 & 255), Float(color >> 8 & 255), Float(color & 255), 1)
          }
        }
        for x in 0..<result.width where to[x].w > 1 { to[x] /= to[x].w }
      }
    }
    return result
  }

  private static func half(_ level: Plane<SIMD4<Float>>) -> Plane<SIMD4<Float>> {
    let result = Plane<SIMD4<Float>>(
      width: (level.width + 1) / 2, height: (level.height + 1) / 2, repeating: .zero)
    inParallel(result.height) { rows in
      for y in rows {
        let to = result.row(y)
        // Weights 1, 3, 3, 1 in both directions.
        for step in -1...2 {
          let row = level.row(min(max(0, 2 * y + step), level.height - 1))
          let weight: Float = step == 0 || step == 1 ? 3 : 1
          let last = level.width - 1
          for x in 0..<result.width {
            let middle = row[min(2 * x, last)] + row[min(2 * x + 1, last)]
            let ends = row[max(0, 2 * x - 1)] + row[min(2 * x + 2, last)]
            to[x] += weight / 16 * (3 * middle + ends)
          }
        }
        for x in 0..<result.width where to[x].w > 1 { to[x] /= to[x].w }
      }
    }
    return result
  }

  private static func fill(_ level: Plane<SIMD4<Float>>, from coarse: Plane<SIMD4<Float>>) {
    inParallel(level.height) { rows in
      for y in rows {
        let row = level.row(y)
        for x in 0..<level.width where row[x].w < 1 {
          row[x] += (1 - row[x].w) * sample(coarse, x, y)
        }
      }
    }
  }

  /// Returns the color of a pixel of twice the size, between the four that are closest.
  @inline(__always)
  private static func sample(_ coarse: Plane<SIMD4<Float>>, _ x: Int, _ y: Int) -> SIMD4<Float> {
    let (nearX, nearY) = (min(x >> 1, coarse.width - 1), min(y >> 1, coarse.height - 1))
    let farX = min(max(0, nearX + (x & 1 == 0 ? -1 : 1)), coarse.width - 1)
    let farY = min(max(0, nearY + (y & 1 == 0 ? -1 : 1)), coarse.height - 1)
    let (near, far) = (coarse.row(nearY), coarse.row(farY))
    let color = 9 * near[nearX] + 3 * (near[farX] + far[nearX]) + far[farX]
    // 0 where the whole layer has no color.
    return color.w > 0 ? color / color.w : SIMD4(0, 0, 0, 1)
  }

  /// Returns the color of a pixel of the region: red, green and blue, 0...255.
  @inline(__always)
  func color(_ x: Int, _ y: Int) -> SIMD4<Float> { Self.sample(colors, x, y) }
}
