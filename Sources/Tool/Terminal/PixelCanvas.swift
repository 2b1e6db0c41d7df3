// SPDX-License-Identifier: Apache-2.0

/// A picture in cells, for terminals with many colors: each cell is two square pixels, one above the other.
struct PixelCanvas: Sendable {
  /// Red, green and blue, 0...1.
  typealias Pixel = SIMD3<Float>

  let width: Int
  let height: Int
  var pixels: [Pixel]

  init(columns: Int, rows: Int) {
    width = max(0, columns)
    height = max(0, rows * 2)
    pixels = Array(repeating: .zero, count: width * height)
  }

  /// Mixes a color into a pixel; ignored outside of the canvas.
  mutating func blend(_ x: Int, _ y: Int, _ color: Pixel, _ opacity: Float) {
    guard x >= 0, y >= 0, x < width, y < height, opacity > 0 else { return }
    let index = y * width + x
    pixels[index] += (color - pixels[index]) * min(1, opacity)
  }

  /// Copies the picture into a grid.
  func draw(into grid: inout CellGrid, row: Int, column: Int) {
    for y in 0..<height / 2 {
      for x in 0..<width {
        let (upper, lower) = (pixels[2 * y * width + x], pixels[(2 * y + 1) * width + x])
        grid[row + y, column + x] = Cell(
          "▀", CellStyle(Self.color(upper), on: Self.color(lower)))
      }
    }
  }

  /// Rounds to 64 levels: a change that no eye sees need not be sent.
  private static func color(_ pixel: Pixel) -> Color {
    func level(_ value: Float) -> UInt32 {
      let step = UInt32(max(0, min(63, (value * 63).rounded())))
      return step << 2 | step >> 4
    }
    return Color(level(pixel.x) << 16 | level(pixel.y) << 8 | level(pixel.z), ansi: 7)
  }
}
