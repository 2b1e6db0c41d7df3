// SPDX-License-Identifier: Apache-2.0

import ParallaxWallpaperCore

/// A picture with an image file for each layer.
struct ImageLayers: LayerSource {
  let width: Int
  let height: Int
  private let layers: [WallpaperDocument.Layer]

  var depths: [Double] { layers.map(\.depth) }

  /// - Parameter errors: Receives an error for each image that cannot be used; its layer is left out. There
  ///   is always one layer left.
  init(
    _ document: WallpaperDocument, errors: inout [WallpaperError]
  ) throws(WallpaperError) {
    var first: (size: (width: Int, height: Int), path: String)?
    var layers: [WallpaperDocument.Layer] = []
    var failures: [WallpaperError] = []
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
        layers.append(layer)
      } catch {
        failures.append(error)
      }
    }
    guard let first else { throw failures.first ?? WallpaperError("no layers") }
    errors += failures
    self.layers = layers
    (width, height) = first.size
  }

  func pieces(width: Int, height: Int, reach: Double) -> [any LayerPiece] {
    layers.map { Piece(layer: $0, width: width, height: height) }
  }

  private struct Piece: LayerPiece {
    var layer: WallpaperDocument.Layer
    var width: Int
    var height: Int

    func draw() throws(WallpaperError) -> [DrawnLayer] {
      let pixels = try DecodedImage.pixels(of: layer.image, width: width, height: height)
      return [DrawnLayer(depth: layer.depth, pixels: pixels)]
    }
  }
}
