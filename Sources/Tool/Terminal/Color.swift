// SPDX-License-Identifier: Apache-2.0

/// A color of a cell: one of the terminal's 16, and the RGB that terminals with more colors show.
package struct Color: Hashable, Sendable {
  /// 0 for the terminal's own color; otherwise 0x80 | ANSI number, red, green, blue.
  package let bits: UInt32

  private init(bits: UInt32) { self.bits = bits }

  /// The terminal's own text or background color.
  package static let standard = Color(bits: 0)

  /// - Parameters:
  ///   - rgb: 0xRRGGBB.
  ///   - ansi: 0 black, 1 red, 2 green, 3 yellow, 4 blue, 5 magenta, 6 cyan, 7 white; 8 more is bright.
  package init(_ rgb: UInt32, ansi: UInt8) {
    bits = (0x80 | UInt32(ansi & 15)) << 24 | rgb & 0xFF_FFFF
  }

  package var isStandard: Bool { bits == 0 }
  package var ansi: Int { Int(bits >> 24 & 15) }
  package var red: Int { Int(bits >> 16 & 255) }
  package var green: Int { Int(bits >> 8 & 255) }
  package var blue: Int { Int(bits & 255) }

  /// The nearest color of xterm's 256: of the 6 x 6 x 6 cube or of the 24 grays.
  package var palette256: Int {
    func step(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }
    let levels = [0, 95, 135, 175, 215, 255]
    let cube = (step(red), step(green), step(blue))
    let mean = (red + green + blue) / 3
    let gray = min(23, max(0, (mean - 3) / 10))
    func distance(_ r: Int, _ g: Int, _ b: Int) -> Int {
      (r - red) * (r - red) + (g - green) * (g - green) + (b - blue) * (b - blue)
    }
    let level = 8 + 10 * gray
    return distance(level, level, level)
      < distance(levels[cube.0], levels[cube.1], levels[cube.2])
      ? 232 + gray : 16 + 36 * cube.0 + 6 * cube.1 + cube.2
  }
}

/// How many colors a terminal shows.
package enum ColorLevel: Int, Comparable, Sendable {
  case none, eight, sixteen, palette256, trueColor

  package static func < (left: ColorLevel, right: ColorLevel) -> Bool {
    left.rawValue < right.rawValue
  }
}
