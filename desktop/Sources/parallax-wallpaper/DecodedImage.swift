// SPDX-License-Identifier: Apache-2.0

import CPixbuf
import Glibc
import ParallaxWallpaperCore

/// A decoded image at the size of an output's picture.
struct DecodedImage: ~Copyable {
  private let picture: OpaquePointer

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

  init(_ path: String, width: Int, height: Int) throws(WallpaperError) {
    var message = [UInt8](repeating: 0, count: 256)
    let opened = message.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { buffer in
        buffer.baseAddress.flatMap {
          cpixbuf_open(path, Int32(clamping: width), Int32(clamping: height), $0, 256)
        }
      }
    }
    guard let opened else { throw Self.failure(path, message.withUnsafeBytes(text)) }
    picture = opened
  }

  deinit { cpixbuf_close(picture) }

  private static func failure(_ path: String, _ reason: String) -> WallpaperError {
    WallpaperError(
      "\(path): \(reason)", kind: access(path, F_OK) == 0 ? .invalid : .notFound)
  }

  var width: Int { Int(cpixbuf_width(picture)) }
  var height: Int { Int(cpixbuf_height(picture)) }

  /// Returns the smallest rectangle with all pixels of a part that are not transparent.
  func content(of part: PixelRect) -> PixelRect {
    let rect = cpixbuf_content(picture, CPixbufRect(part))
    return PixelRect(
      x: Int(rect.x), y: Int(rect.y), width: Int(rect.width), height: Int(rect.height))
  }

  /// Copies a part, row by row. What is outside of the image is left as it is.
  func copy(_ part: PixelRect, to target: UnsafeMutablePointer<UInt32>) {
    cpixbuf_copy(picture, CPixbufRect(part), target, Int32(part.width))
  }
}

extension CPixbufRect {
  fileprivate init(_ rect: PixelRect) {
    self.init(
      x: Int32(clamping: rect.x), y: Int32(clamping: rect.y), width: Int32(clamping: rect.width),
      height: Int32(clamping: rect.height))
  }
}

/// Returns the text up to the first 0.
private func text(_ bytes: UnsafeRawBufferPointer) -> String {
  String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
}
