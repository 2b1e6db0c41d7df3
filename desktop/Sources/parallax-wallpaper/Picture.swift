// SPDX-License-Identifier: Apache-2.0

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

  /// The most pixels of an image, and of a picture on an output.
  static let maxPixels = 100_000_000

  /// The layers whose images can be read.
  let document: WallpaperDocument
  /// The picture's own path, its list of layers and its images, whether they can be read or not.
  let files: [String]
  private let width: Int
  private let height: Int

  /// Opens a folder with a `wallpaper.toml`, that file itself, or an image.
  ///
  /// - Parameter skip: Receives the error of an image that cannot be used, whose layer is left out; nil throws
  ///   it. There is always one layer left.
  init(path: String, skip: ((WallpaperError) -> Void)?) throws(WallpaperError) {
    let file = Self.listFile(path)
    var document =
      if let file { try WallpaperDocument(toml: try bytes(of: file), path: file) } else {
        WallpaperDocument(image: path)
      }
    files = Self.files(path, document)
    var first: (size: (width: Int, height: Int), path: String)?
    var usable: [WallpaperDocument.Layer] = []
    var failure: WallpaperError?
    for layer in document.layers {
      do throws(WallpaperError) {
        let size = try DecodedImage.size(of: layer.image)
        if let first, size != first.size {
          throw WallpaperError(
            "\(layer.image): \(size.width) x \(size.height) pixels, but \(first.path) has "
              + "\(first.size.width) x \(first.size.height); all images of a wallpaper have the same size"
          )
        }
        first = first ?? (size, layer.image)
        usable.append(layer)
      } catch {
        guard let skip, document.layers.count > 1 else { throw error }
        failure = failure ?? error
        skip(error)
      }
    }
    guard let first else { throw failure ?? WallpaperError("\(path): no layers") }
    document.layers = usable
    self.document = document
    (width, height) = first.size
  }

  /// Returns what may change a picture, even if it cannot be read.
  static func files(of path: String) -> [String] {
    guard let file = listFile(path), let bytes = try? bytes(of: file),
      let document = try? WallpaperDocument(toml: bytes, path: file)
    else { return [path] + (listFile(path).map { [$0] } ?? []) }
    return files(path, document)
  }

  private static func files(_ path: String, _ document: WallpaperDocument) -> [String] {
    [path] + (listFile(path).map { [$0] } ?? []) + document.layers.map(\.image)
  }

  /// Returns the list of layers; nil for a single image.
  private static func listFile(_ path: String) -> String? {
    var status = stat()
    let isFolder = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    if isFolder { return path.hasSuffix("/") ? path + "wallpaper.toml" : path + "/wallpaper.toml" }
    return path.hasSuffix(".toml") ? path : nil
  }

  func fit(width: Int, height: Int, scale: Double, range: MotionRange) -> Fit {
    Fit(
      outputWidth: width, outputHeight: height, scale: scale, imageWidth: self.width,
      imageHeight: self.height, depths: document.layers.map(\.depth), range: range)
  }

  /// Decodes the layers for an output; layers without pixels are left out.
  ///
  /// - Parameter skip: Receives the error of a layer, which is left out; nil throws it.
  func buffers(
    _ fit: Fit, range: MotionRange, shm: OpaquePointer, skip: ((WallpaperError) -> Void)?
  ) throws(WallpaperError) -> [Image] {
    guard fit.picture.width * fit.picture.height <= Self.maxPixels else {
      throw WallpaperError(
        "\(files[0]): at the shape of \(width) x \(height) pixels it would be \(fit.picture.width) x "
          + "\(fit.picture.height) on this output; use images of about the output's shape")
    }
    var images: [Image] = []
    for layer in document.layers {
      do throws(WallpaperError) {
        if let image = try image(layer, fit, range: range, shm: shm) { images.append(image) }
      } catch {
        guard let skip else { throw error }
        skip(error)
      }
    }
    return images
  }

  private func image(
    _ layer: WallpaperDocument.Layer, _ fit: Fit, range: MotionRange, shm: OpaquePointer
  ) throws(WallpaperError) -> Image? {
    let decoded = try DecodedImage(
      layer.image, width: fit.picture.width, height: fit.picture.height)
    let content = decoded.content(of: fit.visiblePart(depth: layer.depth, range: range))
    guard !content.isEmpty else { return nil }
    let placement = LayerPlacement(fit, content: content)
    let part = PixelRect(
      x: placement.buffer.x - fit.picture.x, y: placement.buffer.y - fit.picture.y,
      width: placement.buffer.width, height: placement.buffer.height)
    let buffer = try ImageBuffer(shm, width: part.width, height: part.height) {
      decoded.copy(part, to: $0)
    }
    return Image(depth: layer.depth, placement: placement, buffer: buffer)
  }

  /// Decodes every image, small.
  func check() throws(WallpaperError) {
    let size = fit(width: 320, height: 240, scale: 1, range: .standard).picture
    for layer in document.layers {
      _ = try DecodedImage(
        layer.image, width: min(size.width, 4096), height: min(size.height, 4096))
    }
  }
}

/// Returns the bytes of a small file.
private func bytes(of path: String) throws(WallpaperError) -> [UInt8] {
  func failure() -> WallpaperError {
    WallpaperError(
      "\(path): \(String(cString: strerror(errno)))", kind: errno == ENOENT ? .notFound : .invalid)
  }
  let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard file >= 0 else { throw failure() }
  defer { close(file) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(file, &block, block.count)
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw failure() }
    if count == 0 { return bytes }
    bytes += block[..<count]
    // A file of this size is refused by its reader.
    if bytes.count > 1 << 20 { return bytes }
  }
}
