// SPDX-License-Identifier: Apache-2.0

import CWayland
import Glibc
import ParallaxWallpaperCore

/// A wallpaper's images, and their pixels for each kind of output.
final class Picture {
  /// A layer's pixels for one kind of output.
  struct Image {
    var depth: Double
    var placement: LayerPlacement
    var buffer: ImageBuffer
  }

  let document: WallpaperDocument
  private let width: Int
  private let height: Int

  /// Opens a folder with a `wallpaper.toml`, that file itself, or an image.
  init(path: String) throws(WallpaperError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw WallpaperError("\(path): \(String(cString: strerror(errno)))")
    }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    let file = isFolder ? path + "/wallpaper.toml" : path
    if isFolder || path.hasSuffix(".toml") {
      document = try WallpaperDocument(toml: try bytes(of: file), path: file)
    } else {
      document = WallpaperDocument(image: path)
    }
    var first: (size: (width: Int, height: Int), path: String)?
    for layer in document.layers {
      let size = try DecodedImage.size(of: layer.image)
      if let first, size != first.size {
        throw WallpaperError(
          "\(layer.image): \(size.width) x \(size.height) pixels, but \(first.path) has "
            + "\(first.size.width) x \(first.size.height); all images of a wallpaper have the same size"
        )
      }
      first = first ?? (size, layer.image)
    }
    (width, height) = first?.size ?? (1, 1)
  }

  func fit(width: Int, height: Int, scale: Double, range: MotionRange) -> Fit {
    Fit(
      outputWidth: width, outputHeight: height, scale: scale, imageWidth: self.width,
      imageHeight: self.height, depths: document.layers.map(\.depth), range: range)
  }

  /// Decodes the layers for an output; layers without pixels are left out.
  func buffers(
    _ fit: Fit, range: MotionRange, shm: OpaquePointer
  ) throws(WallpaperError) -> [Image] {
    var images: [Image] = []
    for layer in document.layers {
      let decoded = try DecodedImage(
        layer.image, width: fit.picture.width, height: fit.picture.height)
      let content = decoded.content(of: fit.visiblePart(depth: layer.depth, range: range))
      guard !content.isEmpty else { continue }
      let placement = LayerPlacement(fit, content: content)
      let buffer = try ImageBuffer(
        shm, width: placement.buffer.width, height: placement.buffer.height
      ) { target in
        decoded.copy(into: target, placement: placement, fit: fit)
      }
      images.append(Image(depth: layer.depth, placement: placement, buffer: buffer))
    }
    return images
  }
}

extension DecodedImage {
  /// Copies what a buffer has of the picture.
  fileprivate func copy(
    into target: UnsafeMutableBufferPointer<UInt32>, placement: LayerPlacement, fit: Fit
  ) {
    let area = placement.buffer
    let part = area.intersection(
      PixelRect(x: fit.picture.x, y: fit.picture.y, width: width, height: height))
    _ = withPixels { pixels in
      for y in part.y..<(part.y + part.height) {
        let source = (y - fit.picture.y) * width + part.x - fit.picture.x
        let start = (y - area.y) * area.width + part.x - area.x
        for x in 0..<part.width { target[start + x] = pixels[source + x] }
      }
    }
  }
}

/// Returns the bytes of a small file.
private func bytes(of path: String) throws(WallpaperError) -> [UInt8] {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else {
    throw WallpaperError("\(path): \(String(cString: strerror(errno)))")
  }
  defer { close(file) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(file, &block, block.count)
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw WallpaperError("\(path): \(String(cString: strerror(errno)))") }
    if count == 0 { return bytes }
    bytes += block[..<count]
    // A file of this size is refused by its reader.
    if bytes.count > 1 << 20 { return bytes }
  }
}
