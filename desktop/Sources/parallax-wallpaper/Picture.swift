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

  /// What the command line says instead of a picture.
  struct Overrides: Sendable {
    /// As of `WallpaperDocument.travel`.
    var travel: Double?
    /// The path of a photo's depth map.
    var depthMap: String?
  }

  /// Opens a folder with a `wallpaper.toml`, that file itself, or an image.
  ///
  /// - Parameters:
  ///   - overrides: Values of the command line, which replace those in the file.
  ///   - errors: Receives an error for each layer that cannot be used and is left out. One layer is always left.
  init(
    path: String, _ overrides: Overrides, errors: inout [WallpaperError]
  ) throws(WallpaperError) {
    let file = Self.listFile(path)
    var document =
      if let file { try WallpaperDocument(toml: try bytes(of: file), path: file) } else {
        WallpaperDocument(photo: .init(image: path))
      }
    if let depthMap = overrides.depthMap {
      guard document.photo != nil else {
        throw WallpaperError("\(path): --depth is for a photo, and this has layers; omit --depth")
      }
      document.photo?.depthMap = depthMap
    }
    files = Self.files(path, document)
    stamps = files.map(FileStamp.init)
    background = document.background
    travel = overrides.travel ?? document.travel
    source = try Self.source(document, errors: &errors)
  }

  private static func source(
    _ document: WallpaperDocument, errors: inout [WallpaperError]
  ) throws(WallpaperError) -> any LayerSource {
    guard let photo = document.photo else { return try ImageLayers(document, errors: &errors) }
    let depth =
      if let path = photo.depthMap { try DepthFile.read(path, for: photo.image) } else {
        try DepthFile.companion(of: photo.image)
      }
    if let depth { return try PhotoLayers(photo.image, depth: depth) }
    let whole = WallpaperDocument.Layer(name: "image", image: photo.image, depth: 1)
    return try ImageLayers(WallpaperDocument(layers: [whole]), errors: &errors)
  }

  /// Returns what may change a picture, even if it cannot be read.
  static func files(of path: String) -> [String] {
    guard let file = listFile(path), let bytes = try? bytes(of: file),
      let document = try? WallpaperDocument(toml: bytes, path: file)
    else { return [path] + (listFile(path).map { [$0] } ?? []) }
    return files(path, document)
  }

  private static func files(_ path: String, _ document: WallpaperDocument) -> [String] {
    var files = [path] + (listFile(path).map { [$0] } ?? []) + document.layers.map(\.image)
    if let photo = document.photo {
      files.append(photo.image)
      // A depth map may be added later.
      files += [photo.depthMap ?? PhotoFiles.companion(of: photo.image)].compactMap { $0 }
    }
    return files
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

  /// Returns the work that draws the picture for an output.
  func pieces(_ fit: Fit) throws(WallpaperError) -> [any LayerPiece] {
    let (width, height) = (fit.picture.width, fit.picture.height)
    guard width * height <= Self.maxPixels else {
      throw WallpaperError(
        "\(files[0]): at the shape of \(source.width) x \(source.height) pixels it would be \(width) x "
          + "\(height) on this output; use images of about the output's shape")
    }
    return source.pieces(width: width, height: height, reach: fit.nearestReach)
  }

  /// Draws every layer, small.
  func check() throws(WallpaperError) {
    for piece in try pieces(fit(width: 320, height: 240, scale: 1)) {
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
