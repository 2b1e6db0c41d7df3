// SPDX-License-Identifier: Apache-2.0

/// A color of a cell: one of the terminal's 16, and the RGB that terminals with more colors show.
struct Color: Hashable, Sendable {
  /// 0 for the terminal's own color; otherwise 0x80 | ANSI number, red, green, blue.
  let bits: UInt32

  private init(bits: UInt32) { self.bits = bits }

  /// The terminal's own text or background color.
  static let standard = Color(bits: 0)

  /// - Parameters:
  ///   - rgb: 0xRRGGBB.
  ///   - ansi: 0 black, 1 red, 2 green, 3 yellow, 4 blue, 5 magenta, 6 cyan, 7 white; 8 more is bright.
  init(_ rgb: UInt32, ansi: UInt8) {
    bits = (0x80 | UInt32(ansi & 15)) << 24 | rgb & 0xFF_FFFF
  }

  var isStandard: Bool { bits == 0 }
  var ansi: Int { Int(bits >> 24 & 15) }
  var red: Int { Int(bits >> 16 & 255) }
  var green: Int { Int(bits >> 8 & 255) }
  var blue: Int { Int(bits & 255) }

  /// The nearest color of xterm's 256: of the 6 x 6 x 6 cube or of the 24 grays.
  var palette256: Int {
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
enum ColorLevel: Int, Comparable, Sendable {
  case none, eight, sixteen, palette256, trueColor

  static func < (left: ColorLevel, right: ColorLevel) -> Bool {
    left.rawValue < right.rawValue
  }
}
