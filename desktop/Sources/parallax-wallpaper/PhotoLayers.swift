// SPDX-License-Identifier: Apache-2.0

import ParallaxWallpaperCore

/// A photo that is cut into layers by its depth map.
struct PhotoLayers: LayerSource {
  let width: Int
  let height: Int
  private let path: String
  private let depth: DepthMap

  /// The cut decides how many layers there are; the farthest has depth 0, the nearest 1.
  let depths = [0.0, 1]

  init(_ path: String, depth: DepthMap) throws(WallpaperError) {
    (width, height) = try DecodedImage.size(of: path)
    self.path = path
    self.depth = depth
  }

  func pieces(width: Int, height: Int, reach: Double) -> [any LayerPiece] {
    [Piece(photo: self, width: width, height: height, reach: reach)]
  }

  private struct Piece: LayerPiece {
    var photo: PhotoLayers
    var width: Int
    var height: Int
    var reach: Double

    func draw() throws(WallpaperError) -> [DrawnLayer] {
      let pixels = try DecodedImage.pixels(of: photo.path, width: width, height: height)
      return DepthCut(
        photo: pixels, depth: photo.depth, reach: reach,
        photoScale: Double(width) / Double(photo.width)
      ).layers
    }
  }
}
