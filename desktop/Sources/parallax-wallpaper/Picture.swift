// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxWallpaperCore

/// A picture: where its pixels come from, and the files whose change changes it. Drawing it needs no
/// compositor, and may run on any thread.
final class Picture: Sendable {
  /// The most pixels of an image, and of a picture on an output.
  static let maxPixels = 100_000_000

  let source: any LayerSource
  /// The color where no layer is: 0xRRGGBB.
  let background: UInt32
  /// As of `WallpaperDocument.travel`.
  let travel: Double
  /// The picture's own path, its list of layers and its images, whether they can be read or not.
  let files: [String]
  /// The state of these files when they were read.
  let stamps: [FileStamp?]

  /// Opens a folder with a `wallpaper.toml`, that file itself, or an image.
  ///
  /// - Parameters:
  ///   - travel: Instead of the picture's own; nil: its own.
  ///   - errors: Receives those of layers that cannot be used and are left out. There is always one left.
  init(
    path: String, travel: Double?, errors: inout [WallpaperError]
  ) throws(WallpaperError) {
    let file = Self.listFile(path)
    let document =
      if let file { try WallpaperDocument(toml: try bytes(of: file), path: file) } else {
        WallpaperDocument(image: path)
      }
    files = Self.files(path, document)
    stamps = files.map(FileStamp.init)
    background = document.background
    self.travel = travel ?? document.travel
    source = try ImageLayers(document, errors: &errors)
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

  func fit(width: Int, height: Int, scale: Double) -> Fit {
    Fit(
      outputWidth: width, outputHeight: height, scale: scale, imageWidth: source.width,
      imageHeight: source.height, depths: source.depths, travel: travel)
  }

  /// Returns the work that draws the picture at a size in physical pixels.
  func pieces(width: Int, height: Int) throws(WallpaperError) -> [any LayerPiece] {
    guard width * height <= Self.maxPixels else {
      throw WallpaperError(
        "\(files[0]): at the shape of \(source.width) x \(source.height) pixels it would be \(width) x "
          + "\(height) on this output; use images of about the output's shape")
    }
    return source.pieces(width: width, height: height)
  }

  /// Draws every layer, small.
  func check() throws(WallpaperError) {
    let size = fit(width: 320, height: 240, scale: 1).picture
    for piece in source.pieces(width: min(size.width, 4096), height: min(size.height, 4096)) {
      _ = try piece.draw()
    }
  }
}

/// A state of a file: another one after each change.
struct FileStamp: Equatable, Sendable {
  private let inode: ino_t
  private let size: off_t
  private let seconds: Int
  private let nanoseconds: Int

  /// nil without a file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    inode = status.st_ino
    size = status.st_size
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
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
