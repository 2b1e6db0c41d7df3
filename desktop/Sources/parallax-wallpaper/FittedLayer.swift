// SPDX-License-Identifier: Apache-2.0

import ParallaxWallpaperCore

/// A layer for one kind of output, cut to its visible part.
struct FittedLayer: Sendable {
  var depth: Double
  var placement: LayerPlacement
  var pixels: SharedPixels

  /// Cuts a drawn layer; nil if an output never shows a pixel of it.
  init?(_ layer: DrawnLayer, _ fit: Fit) throws(WallpaperError) {
    var visible = fit.visiblePart(depth: layer.depth)
    visible.x -= layer.x
    visible.y -= layer.y
    var content = layer.pixels.content(of: visible)
    guard !content.isEmpty else { return nil }
    content.x += layer.x
    content.y += layer.y
    depth = layer.depth
    placement = LayerPlacement(fit, content: content)
    let part = PixelRect(
      x: placement.buffer.x - fit.picture.x - layer.x,
      y: placement.buffer.y - fit.picture.y - layer.y,
      width: placement.buffer.width, height: placement.buffer.height)
    pixels = try SharedPixels(width: part.width, height: part.height) {
      layer.pixels.copy(part, to: $0)
    }
  }
}

extension LayerPiece {
  /// Draws the layers of this piece for an output.
  func layers(_ fit: Fit) throws(WallpaperError) -> [FittedLayer] {
    var layers: [FittedLayer] = []
    for layer in try draw() {
      if let layer = try FittedLayer(layer, fit) { layers.append(layer) }
    }
    return layers
  }
}
