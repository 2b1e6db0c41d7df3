// SPDX-License-Identifier: Apache-2.0

import ParallaxWallpaperCore
import Testing

struct LayerPixelsTests {
  /// 6 x 4 pixels with three that are not transparent, at (1, 1), (4, 2) and (5, 3).
  private let pixels = LayerPixels(width: 6, height: 4) { rows in
    rows[6 + 1] = 0xFF11_1111
    rows[12 + 4] = 0x8022_2222
    rows[18 + 5] = 0x0100_0000
  }

  @Test(arguments: [
    (PixelRect(x: 0, y: 0, width: 6, height: 4), PixelRect(x: 1, y: 1, width: 5, height: 3)),
    (PixelRect(x: -9, y: -9, width: 99, height: 99), PixelRect(x: 1, y: 1, width: 5, height: 3)),
    (PixelRect(x: 2, y: 0, width: 3, height: 4), PixelRect(x: 4, y: 2, width: 1, height: 1)),
  ])
  func contentIsWhatIsNotTransparent(part: PixelRect, content: PixelRect) {
    #expect(pixels.content(of: part) == content)
  }

  @Test func withoutPixelsThereIsNoContent() {
    #expect(pixels.content(of: PixelRect(x: 2, y: 0, width: 2, height: 4)).isEmpty)
    #expect(pixels.content(of: PixelRect(x: 60, y: 0, width: 2, height: 4)).isEmpty)
  }

  /// A part may reach beyond the pixels, on every side.
  @Test func aPartIsCopied() {
    var rows = [UInt32](repeating: 7, count: 9)
    rows.withUnsafeMutableBufferPointer { buffer in
      if let start = buffer.baseAddress {
        pixels.copy(PixelRect(x: 4, y: 2, width: 3, height: 3), to: start)
      }
    }
    #expect(rows == [0x8022_2222, 0, 7, 0, 0x0100_0000, 7, 7, 7, 7])
    rows.withUnsafeMutableBufferPointer { buffer in
      if let start = buffer.baseAddress {
        pixels.copy(PixelRect(x: -2, y: -1, width: 3, height: 3), to: start)
      }
    }
    #expect(rows == [0x8022_2222, 0, 7, 0, 0x0100_0000, 0, 7, 7, 0])
  }

  @Test func rowsOfForeignMemoryMayBeLongerThanThePicture() {
    let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: 6)
    memory.initialize(repeating: 5, count: 6)
    do {
      let pixels = LayerPixels(
        width: 2, height: 2, stride: 3, pixels: memory, release: memory.deallocate)
      memory[3] = 9
      #expect(Array(pixels.row(1)) == [9, 5])
    }
  }
}
