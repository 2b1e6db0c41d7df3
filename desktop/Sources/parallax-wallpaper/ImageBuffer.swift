// SPDX-License-Identifier: Apache-2.0

import CPixbuf
import CWayland
import Glibc
import ParallaxWallpaperCore

/// Pixels that the compositor shows. It reads them from memory that both share, and may upload them once.
final class ImageBuffer {
  let object: OpaquePointer
  let width: Int
  let height: Int

  /// Fills a new buffer.
  ///
  /// - Parameter draw: Writes rows of `width` pixels, 0xAARRGGBB with premultiplied alpha; they are 0.
  init(
    _ shm: OpaquePointer, width: Int, height: Int,
    draw: (UnsafeMutableBufferPointer<UInt32>) -> Void
  ) throws(WallpaperError) {
    self.width = width
    self.height = height
    let bytes = width * height * 4
    func failure() -> WallpaperError {
      WallpaperError(
        "no memory for a picture of \(width) x \(height) pixels: \(String(cString: strerror(errno)))"
      )
    }
    guard bytes <= Int32.max else { throw failure() }
    let file = cwayland_memory_file("parallax-wallpaper", bytes)
    guard file >= 0 else { throw failure() }
    defer { close(file) }
    guard let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
      memory != MAP_FAILED
    else { throw failure() }
    memory.withMemoryRebound(to: UInt32.self, capacity: width * height) { pixels in
      draw(UnsafeMutableBufferPointer(start: pixels, count: width * height))
    }
    // The compositor keeps its own mapping.
    munmap(memory, bytes)
    let pool = wl_shm_create_pool(shm, file, Int32(bytes))
    object = wl_shm_pool_create_buffer(
      pool, 0, Int32(width), Int32(height), Int32(width) * 4, WL_SHM_FORMAT_ARGB8888.rawValue)
    wl_shm_pool_destroy(pool)
  }

  deinit { wl_buffer_destroy(object) }
}

/// A decoded picture, in the colors of an `ImageBuffer`.
struct DecodedImage: ~Copyable {
  private let image: CPixbufImage

  /// Returns the size of a picture in a file, in pixels.
  static func size(of path: String) throws(WallpaperError) -> (width: Int, height: Int) {
    var size = cpixbuf_size(path)
    guard size.width > 0, size.height > 0 else {
      throw WallpaperError("\(path): \(text(&size.message))")
    }
    return (Int(size.width), Int(size.height))
  }

  init(_ path: String, width: Int, height: Int) throws(WallpaperError) {
    var image = cpixbuf_decode(path, Int32(clamping: width), Int32(clamping: height))
    guard image.pixels != nil else { throw WallpaperError("\(path): \(Self.text(&image.message))") }
    self.image = image
  }

  deinit { cpixbuf_free(image) }

  private static func text<Bytes>(_ message: inout Bytes) -> String {
    withUnsafeBytes(of: &message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  var width: Int { Int(image.width) }
  var height: Int { Int(image.height) }

  /// Calls `body` with the pixels, row by row.
  func withPixels<Result>(_ body: (UnsafeBufferPointer<UInt32>) -> Result) -> Result? {
    guard let pixels = image.pixels else { return nil }
    return pixels.withMemoryRebound(to: UInt32.self, capacity: width * height) {
      body(UnsafeBufferPointer(start: $0, count: width * height))
    }
  }

  /// Returns the smallest rectangle with all pixels of a part that are not transparent.
  func content(of part: PixelRect) -> PixelRect {
    withPixels { pixels -> PixelRect in
      func row(_ y: Int) -> UnsafeBufferPointer<UInt32>.SubSequence {
        let start = y * width + part.x
        return pixels[start..<(start + part.width)]
      }
      var top = part.y
      var bottom = part.y + part.height
      while top < bottom, row(top).allSatisfy({ $0 == 0 }) { top += 1 }
      while bottom > top, row(bottom - 1).allSatisfy({ $0 == 0 }) { bottom -= 1 }
      var (left, right) = (part.width, 0)
      for y in top..<bottom {
        let row = row(y)
        guard let first = row.firstIndex(where: { $0 != 0 }),
          let last = row.lastIndex(where: { $0 != 0 })
        else { continue }
        left = min(left, first - row.startIndex)
        right = max(right, last - row.startIndex + 1)
      }
      return PixelRect(
        x: part.x + left, y: top, width: max(0, right - left), height: bottom - top)
    } ?? PixelRect(x: 0, y: 0, width: 0, height: 0)
  }
}
