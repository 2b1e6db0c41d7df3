// SPDX-License-Identifier: Apache-2.0

import CDepthImage
import CPixbuf
import Glibc
import ParallaxWallpaperCore

/// Depth maps in files.
enum DepthFile {
  /// Returns the depth map of a photo for which the user names none: `photo.depth.png` in the folder of
  /// `photo.jpg`, otherwise the depth image in a phone's portrait photo. nil if there is neither.
  static func companion(of photo: String) throws(WallpaperError) -> DepthMap? {
    if let path = companionPath(of: photo) { return try read(path, for: photo) }
    guard cdepth_is_heif(photo) != 0 else { return nil }
    return try map(cdepth_heif(photo, Int64(Picture.maxPixels)), photo)
      .map { map throws(WallpaperError) in try checked(map, photo, for: photo) }
  }

  /// Returns the path of the depth map in the folder of a photo, or of the file to which a link to a photo leads;
  /// nil if there is none.
  static func companionPath(of photo: String) -> String? {
    var candidates = [PhotoFiles.companion(of: photo)]
    if let real = realpath(photo, nil) {
      candidates.append(PhotoFiles.companion(of: String(cString: real)))
      free(real)
    }
    return candidates.compactMap { $0 }.first { access($0, F_OK) == 0 }
  }

  /// Reads a depth map, 8 or 16 bits of gray, near = white.
  ///
  /// - Parameter photo: The path of the photo, which must have the map's shape.
  static func read(_ path: String, for photo: String) throws(WallpaperError) -> DepthMap {
    if cdepth_is_png(path) != 0 {
      guard let map = try map(cdepth_png(path, Int64(Picture.maxPixels)), path) else {
        throw WallpaperError("\(path): not an image")
      }
      return try checked(map, path, for: photo)
    }
    if cdepth_is_heif(path) != 0,
      let map = try map(cdepth_heif(path, Int64(Picture.maxPixels)), path)
    {
      return try checked(map, path, for: photo)
    }
    let size = try DecodedImage.size(of: path)
    let pixels = try DecodedImage.pixels(of: path, width: size.width, height: size.height)
    var values: [UInt16] = []
    values.reserveCapacity(size.width * size.height)
    for y in 0..<pixels.height {
      // The mean of red, green and blue.
      for pixel in pixels.row(y) {
        let sum = (pixel >> 16 & 255) + (pixel >> 8 & 255) + (pixel & 255)
        values.append(UInt16(sum * 257 / 3))
      }
    }
    return try checked(
      DepthMap(width: pixels.width, height: pixels.height, values: values), path, for: photo)
  }

  private static func map(_ image: CDepthImage, _ path: String) throws(WallpaperError) -> DepthMap?
  {
    var image = image
    defer { cdepth_free(image) }
    guard let values = image.values, image.width > 0, image.height > 0 else {
      let message = withUnsafeBytes(of: &image.message) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if message.isEmpty { return nil }
      throw WallpaperError(
        "\(path): \(message)", kind: access(path, F_OK) == 0 ? .invalid : .notFound)
    }
    let (width, height) = (Int(image.width), Int(image.height))
    return DepthMap(
      width: width, height: height,
      values: Array(UnsafeBufferPointer(start: values, count: width * height)))
  }

  private static func checked(
    _ map: DepthMap, _ path: String, for photo: String
  ) throws(WallpaperError) -> DepthMap {
    let size = try DecodedImage.size(of: photo)
    guard map.fits(width: size.width, height: size.height) else {
      throw WallpaperError(
        "\(path): the depth map has \(map.width) x \(map.height) pixels, another shape than the photo's "
          + "\(size.width) x \(size.height); turn or crop it like the photo")
    }
    let reduced = map.reduced()
    if reduced.looksInverted {
      say(
        "\(path): near seems to be dark here, and must be white; if the layers move the wrong way, invert the "
          + "map, as with 'convert \(path) -negate NEW.png'")
    }
    return reduced
  }
}
