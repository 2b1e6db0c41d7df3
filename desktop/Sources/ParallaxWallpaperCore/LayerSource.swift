// SPDX-License-Identifier: Apache-2.0

/// Where the pixels of a picture come from: an image for each layer, for example.
package protocol LayerSource: Sendable {
  /// The size of the whole picture in its own pixels; only its shape counts.
  var width: Int { get }
  var height: Int { get }
  /// The depths of the layers, from back to front.
  var depths: [Double] { get }

  /// Returns the work that draws the whole picture at a size in physical pixels. Each piece may be drawn on
  /// a thread of its own; the layers of all pieces, one after another, are from back to front.
  ///
  /// - Parameter reach: How far the nearest layer moves in each direction, in these pixels.
  func pieces(width: Int, height: Int, reach: Double) -> [any LayerPiece]
}

/// Some layers of a picture at a size, usually one.
package protocol LayerPiece: Sendable {
  /// Draws them. The error names the file.
  func draw() throws(WallpaperError) -> [DrawnLayer]
}

/// A layer of a picture at a size.
package struct DrawnLayer: Sendable {
  /// The share of the motion, as of `WallpaperDocument.Layer`.
  package var depth: Double
  /// The whole picture, or the part of it that is not transparent.
  package var pixels: LayerPixels
  /// The place of the first pixel in the picture.
  package var x: Int
  package var y: Int

  package init(depth: Double, pixels: LayerPixels, x: Int = 0, y: Int = 0) {
    self.depth = depth
    self.pixels = pixels
    self.x = x
    self.y = y
  }
}
