// SPDX-License-Identifier: Apache-2.0

/// A wallpaper: images of the same size that lie over each other and move by their depths.
package struct WallpaperDocument: Equatable, Sendable {
  /// An image and how far it follows the motion.
  package struct Layer: Equatable, Sendable {
    /// The name of its table.
    package var name: String
    /// The path of the image.
    package var image: String
    /// The share of the motion, -10...10: 0 rests, 1 moves with it, above 1 is nearer to the viewer.
    package var depth: Double

    /// Creates a layer.
    package init(name: String, image: String, depth: Double) {
      self.name = name
      self.image = image
      self.depth = depth
    }
  }

  /// The color where no image is: 0xRRGGBB.
  package var background: UInt32
  /// The distance that the nearest layer moves at full offset, as a share of the output's width, on both axes. The
  /// nearest layer has the largest depth in magnitude; the others move in proportion to their depths.
  package var travel: Double
  /// From back to front; at least one, but none with a photo.
  package var layers: [Layer]
  /// A photo that is cut into layers.
  package struct Photo: Equatable, Sendable {
    /// The path of the photo.
    package var image: String
    /// The path of its depth map; nil for the one that belongs to the photo, if there is one.
    package var depthMap: String?

    /// Creates a photo.
    package init(image: String, depthMap: String? = nil) {
      self.image = image
      self.depthMap = depthMap
    }
  }

  /// The photo instead of layers.
  package var photo: Photo?

  /// The most layers of a wallpaper.
  package static let maxLayers = 16
  /// The range of a depth, as of the stream's layers.
  package static let depthRange = -10.0...10.0
  /// The range of `travel`.
  package static let travelRange = 0.0...0.1
  /// Of a wallpaper that does not say.
  package static let standardTravel = 0.025

  /// Creates a wallpaper.
  package init(
    background: UInt32 = 0, travel: Double = standardTravel, layers: [Layer]
  ) {
    self.background = background
    self.travel = travel
    self.layers = layers
  }

  /// A photo, or another single image.
  package init(photo: Photo) {
    self.init(layers: [])
    self.photo = photo
  }
}

/// What is wrong with a wallpaper: the place, the error, what to do.
package struct WallpaperError: Error, Equatable, CustomStringConvertible {
  /// What the error is about, which decides the exit code.
  package enum Kind: Equatable, Sendable {
    /// A file is there, but is not what it should be.
    case invalid
    /// There is no such file.
    case notFound
    /// The compositor is not there, or lacks something.
    case unavailable
    /// The command line is wrong.
    case usage
  }

  /// The message, in one line.
  package let description: String
  /// What the error is about.
  package let kind: Kind

  /// Creates an error.
  package init(_ description: String, kind: Kind = .invalid) {
    self.description = description
    self.kind = kind
  }
}

extension WallpaperDocument {
  /// Reads a `wallpaper.toml`.
  ///
  /// `[wallpaper]` has `background = "#rrggbb"`, `travel`, and for a photo instead of layers `photo` and `depth-map`.
  /// Every other table is a layer with `image` and `depth` (default: 1), from back to front.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - path: Its path, for messages; images are relative to its folder.
  package init(toml bytes: [UInt8], path: String) throws(WallpaperError) {
    var reader = DocumentReader(path: path)
    for entry in try TomlEntries.read(bytes, path: path) { try reader.add(entry) }
    self = try reader.finish()
  }
}

/// Collects the entries of a file.
private struct DocumentReader {
  let path: String
  private var document = WallpaperDocument(layers: [])
  private var images: Set<String> = []
  private var depthMap: (path: String, entry: TomlEntry)?

  init(path: String) {
    self.path = path
  }

  private func error(_ entry: TomlEntry, _ message: String) -> WallpaperError {
    WallpaperError("\(path):\(entry.line):\(entry.column): \(message)")
  }

  mutating func add(_ entry: TomlEntry) throws(WallpaperError) {
    guard let key = entry.key else {
      guard case .table = entry.value else {
        throw error(
          entry,
          "'\(entry.table)' is outside a table; write [wallpaper] or a layer's [NAME] above it")
      }
      if entry.table != "wallpaper" { try addLayer(entry) }
      return
    }
    if entry.table == "wallpaper" { return try addGeneral(key, entry) }
    guard let index = document.layers.firstIndex(where: { $0.name == entry.table }) else { return }
    switch key {
    case "image":
      document.layers[index].image = try file(entry, key, example: "sky.png")
      images.insert(entry.table)
    case "depth":
      guard case .number(let depth) = entry.value, WallpaperDocument.depthRange.contains(depth)
      else {
        throw error(entry, "depth: expected a number from -10 to 10, as in 0.5")
      }
      document.layers[index].depth = depth
    default:
      throw error(entry, "unknown key '\(key)'; a layer has image and depth")
    }
  }

  /// Returns the path of the file that an entry names.
  private func file(
    _ entry: TomlEntry, _ key: String, example: String
  ) throws(WallpaperError) -> String {
    guard case .string(let name) = entry.value, !name.isEmpty else {
      throw error(entry, "\(key): expected a file's name in quotes, as in \"\(example)\"")
    }
    return name.hasPrefix("/") ? name : folder + name
  }

  private var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

  private mutating func addLayer(_ entry: TomlEntry) throws(WallpaperError) {
    guard document.layers.count < WallpaperDocument.maxLayers else {
      throw error(entry, "more than \(WallpaperDocument.maxLayers) layers; join some images")
    }
    document.layers.append(WallpaperDocument.Layer(name: entry.table, image: "", depth: 1))
  }

  private mutating func addGeneral(_ key: String, _ entry: TomlEntry) throws(WallpaperError) {
    switch key {
    case "photo":
      document.photo = .init(image: try file(entry, key, example: "photo.jpg"))
    case "depth-map":
      depthMap = (try file(entry, key, example: "photo.depth.png"), entry)
    case "background":
      document.background = try color(entry)
    case "travel":
      guard case .number(let travel) = entry.value, WallpaperDocument.travelRange.contains(travel)
      else { throw error(entry, "travel: expected a number from 0 to 0.1, as in 0.025") }
      document.travel = travel
    default:
      throw error(
        entry, "unknown key '\(key)'; [wallpaper] has background, travel, photo and depth-map")
    }
  }

  private func color(_ entry: TomlEntry) throws(WallpaperError) -> UInt32 {
    guard case .string(let text) = entry.value, text.utf8.count == 7, text.hasPrefix("#"),
      text.dropFirst().allSatisfy(\.isHexDigit), let color = UInt32(text.dropFirst(), radix: 16)
    else { throw error(entry, "background: expected a color in quotes, as in \"#1c1d4a\"") }
    return color
  }

  func finish() throws(WallpaperError) -> WallpaperDocument {
    if let depthMap, document.photo == nil {
      throw error(depthMap.entry, "depth-map belongs to a photo; add photo = \"FILE\"")
    }
    if document.photo != nil {
      if let layer = document.layers.first {
        throw WallpaperError(
          "\(path): a photo and [\(layer.name)]; write either a photo or layers")
      }
      var document = document
      document.photo?.depthMap = depthMap?.path
      return document
    }
    guard !document.layers.isEmpty else {
      throw WallpaperError(
        "\(path): no layers; add a table for each, as in [sky] image = \"sky.png\"")
    }
    if let layer = document.layers.first(where: { !images.contains($0.name) }) {
      throw WallpaperError("\(path): [\(layer.name)] has no image; add image = \"FILE\"")
    }
    return document
  }
}
