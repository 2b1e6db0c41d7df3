// SPDX-License-Identifier: Apache-2.0

/// Pictures as text that a terminal shows.
enum TerminalPicture {
  /// The most characters of a picture in one command of kitty's protocol.
  private static let kittyChunk = 4096

  /// Returns a PNG document for kitty's graphics protocol, and a line feed.
  static func kitty(png: [UInt8]) -> [UInt8] {
    let text = base64(png)
    var result: [UInt8] = []
    var start = 0
    repeat {
      let end = min(text.count, start + kittyChunk)
      // a=T shows the picture, f=100 is PNG, q=2 asks for no answer, m=1 says that more follows.
      let keys = start == 0 ? "a=T,f=100,q=2,m=" : "m="
      result += Array("\u{1B}_G\(keys)\(end < text.count ? 1 : 0);".utf8)
      result += text[start..<end]
      result += Array("\u{1B}\\".utf8)
      start = end
    } while start < text.count
    return result + [UInt8(ascii: "\n")]
  }

  static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 4 / 3 + 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      var bits = part.reduce(0) { $0 << 8 | UInt32($1) }
      bits <<= UInt32(8 * (3 - part.count))
      for number in 0..<4 {
        text.append(
          number <= part.count
            ? digits[Int(bits >> UInt32(18 - 6 * number) & 63)] : UInt8(ascii: "="))
      }
    }
    return text
  }

  /// Returns pixels as Sixel (VT330/340 Programmer Reference, chapter 14), in at most 256 colors.
  ///
  /// - Parameter pixels: Each 0xRRGGBB; the highest byte is ignored.
  static func sixel(_ pixels: [UInt32], size: PlotSize) -> [UInt8] {
    let (palette, indices) = Self.palette(pixels)
    var text = "\u{1B}Pq\"1;1;\(size.width);\(size.height)"
    for (number, color) in palette.enumerated() {
      let parts = [16, 8, 0].map { Int((PlotColor(color).component($0) * 100).rounded()) }
      text += "#\(number);2;\(parts[0]);\(parts[1]);\(parts[2])"
    }
    var result = Array(text.utf8)
    for top in stride(from: 0, to: size.height, by: 6) {
      let height = min(6, size.height - top)
      // The six pixels below each other that have one color, for each color in this band.
      var bands: [Int: [UInt8]] = [:]
      for y in 0..<height {
        for x in 0..<size.width {
          let index = indices[(top + y) * size.width + x]
          bands[index, default: Array(repeating: 0, count: size.width)][x] |= 1 << UInt8(y)
        }
      }
      for (index, band) in bands.sorted(by: { $0.key < $1.key }) {
        result += Array("#\(index)".utf8)
        append(band, to: &result)
        result.append(UInt8(ascii: "$"))
      }
      result[result.count - 1] = UInt8(ascii: "-")
    }
    return result + Array("\u{1B}\\\n".utf8)
  }

  /// Appends the columns of one color, runs shortened.
  private static func append(_ band: [UInt8], to result: inout [UInt8]) {
    var start = 0
    while start < band.count {
      var end = start
      while end < band.count, band[end] == band[start] { end += 1 }
      let character = band[start] + 63
      if end - start > 3 {
        result += Array("!\(end - start)".utf8) + [character]
      } else {
        result += Array(repeating: character, count: end - start)
      }
      start = end
    }
  }

  /// Returns at most 256 colors and the number of each pixel's color. Colors are the most frequent ones with
  /// five bits per component; all others become the nearest of these.
  private static func palette(_ pixels: [UInt32]) -> (colors: [UInt32], indices: [Int]) {
    func reduced(_ pixel: UInt32) -> Int {
      let (red, green, blue) = (pixel >> 19 & 31, pixel >> 11 & 31, pixel >> 3 & 31)
      return Int(red << 10 | green << 5 | blue)
    }
    var counts = [Int](repeating: 0, count: 1 << 15)
    var examples = [UInt32](repeating: 0, count: 1 << 15)
    for pixel in pixels {
      let cell = reduced(pixel)
      if counts[cell] == 0 { examples[cell] = pixel & 0xFF_FFFF }
      counts[cell] += 1
    }
    let used = counts.indices.filter { counts[$0] > 0 }
      .sorted { (counts[$0], $1) > (counts[$1], $0) }
    let colors = used.prefix(256).map { examples[$0] }
    var numbers = [Int](repeating: 0, count: 1 << 15)
    for (number, cell) in used.enumerated() {
      numbers[cell] = number < colors.count ? number : nearest(examples[cell], in: colors)
    }
    return (colors, pixels.map { numbers[reduced($0)] })
  }

  private static func nearest(_ color: UInt32, in colors: [UInt32]) -> Int {
    func distance(_ other: UInt32) -> Int {
      [16, 8, 0].reduce(0) { sum, shift in
        let difference = Int(color >> UInt32(shift) & 0xFF) - Int(other >> UInt32(shift) & 0xFF)
        return sum + difference * difference
      }
    }
    return colors.indices.min { distance(colors[$0]) < distance(colors[$1]) } ?? 0
  }
}
