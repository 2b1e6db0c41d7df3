// SPDX-License-Identifier: Apache-2.0

import CPixbuf
import Glibc
import ParallaxWallpaperCore

/// PNG files that this program writes.
enum PngFile {
  /// Writes a picture of a size.
  ///
  /// - Parameters:
  ///   - pixels: May be smaller than the picture.
  ///   - x: Their place in the picture.
  static func write(
    _ pixels: LayerPixels, x: Int = 0, y: Int = 0, width: Int, height: Int, to path: String
  ) throws(WallpaperError) {
    let whole = LayerPixels(width: width, height: height) { target in
      guard let start = target.baseAddress else { return }
      pixels.copy(PixelRect(x: -x, y: -y, width: width, height: height), to: start)
    }
    var message = [CChar](repeating: 0, count: 256)
    let isSaved = message.withUnsafeMutableBufferPointer { message in
      guard let text = message.baseAddress, let first = whole.row(0).baseAddress else {
        return false
      }
      return cpixbuf_save(path, first, Int32(width), Int32(height), text, 256) != 0
    }
    guard isSaved else {
      let reason = String(
        decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      throw WallpaperError("\(path): \(reason)")
    }
  }

  /// Makes a folder for files, or takes one that is empty.
  static func makeFolder(_ path: String) throws(WallpaperError) {
    if mkdir(path, 0o777) == 0 { return }
    guard errno == EEXIST, let stream = opendir(path) else {
      throw WallpaperError("\(path): \(String(cString: strerror(errno)))")
    }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name == "." || name == ".." else {
        throw WallpaperError("\(path): the folder is not empty; name a new one")
      }
    }
  }
}
