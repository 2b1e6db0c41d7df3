// SPDX-License-Identifier: Apache-2.0

import CPixbuf
import Glibc
import ParallaxWallpaperCore

/// Images in files, of every format that GdkPixbuf has a loader for. Several threads may decode at once.
enum DecodedImage {
  /// Returns the size of an image in a file, in pixels.
  static func size(of path: String) throws(WallpaperError) -> (width: Int, height: Int) {
    var size = cpixbuf_size(path)
    guard size.width > 0, size.height > 0 else {
      throw failure(path, withUnsafeBytes(of: &size.message, text))
    }
    let (width, height) = (Int(size.width), Int(size.height))
    if size.is_drawn == 0, width * height > Picture.maxPixels {
      throw WallpaperError(
        "\(path): \(width) x \(height) pixels are too many; scale it to at most 100 megapixels")
    }
    return (width, height)
  }

  /// Returns the pixels of an image at a size.
  static func pixels(
    of path: String, width: Int, height: Int
  ) throws(WallpaperError) -> LayerPixels {
    var message = [UInt8](repeating: 0, count: 256)
    let picture = message.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { buffer in
        buffer.baseAddress.map {
          cpixbuf_open(path, Int32(clamping: width), Int32(clamping: height), $0, 256)
        }
      }
    }
    guard let picture, let pixels = picture.pixels, let owner = picture.owner else {
      throw failure(path, message.withUnsafeBytes(text))
    }
    return LayerPixels(
      width: Int(picture.width), height: Int(picture.height), stride: Int(picture.stride),
      pixels: UnsafePointer(pixels), release: { cpixbuf_close(owner) })
  }

  private static func failure(_ path: String, _ reason: String) -> WallpaperError {
    WallpaperError(
      "\(path): \(reason)", kind: access(path, F_OK) == 0 ? .invalid : .notFound)
  }
}

/// Returns the text up to the first 0.
private func text(_ bytes: UnsafeRawBufferPointer) -> String {
  String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
}
