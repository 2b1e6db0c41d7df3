// SPDX-License-Identifier: Apache-2.0

/// A rectangle of whole pixels.
package struct PixelRect: Hashable, Sendable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  package var isEmpty: Bool { width <= 0 || height <= 0 }

  /// Returns what both rectangles cover.
  package func intersection(_ other: PixelRect) -> PixelRect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return PixelRect(
      x: left, y: top, width: max(0, min(x + width, other.x + other.width) - left),
      height: max(0, min(y + height, other.y + other.height) - top))
  }
}

/// How many physical pixels a logical px has on an output.
package enum OutputScale {
  /// Scales have steps of 1/120, as in wp_fractional_scale_v1.
  private static let steps = 120.0

  /// Returns the scale of an output.
  ///
  /// Compositors without fractional scales of their own report the next whole number, which makes pictures
  /// larger than the output. The sizes have the true one: a surface covers the output, at least in the
  /// direction in which no panel takes space from it.
  ///
  /// - Parameters:
  ///   - preferred: What the compositor prefers for the surface; nil before it says so.
  ///   - mode: The output's size in physical pixels, before it is turned; nil if unknown.
  ///   - isSideways: The output is turned by a quarter, in either direction.
  ///   - width: The surface's size in logical px.
  ///   - whole: The output's scale as a whole number.
  package static func value(
    preferred: Double?, mode: (width: Int, height: Int)?, isSideways: Bool, width: Int, height: Int,
    whole: Int
  ) -> Double {
    if let preferred { return preferred }
    guard let mode, mode.width > 0, mode.height > 0, width > 0, height > 0 else {
      return Double(whole)
    }
    let (across, down) = isSideways ? (mode.height, mode.width) : (mode.width, mode.height)
    let ratio = min(Double(across) / Double(width), Double(down) / Double(height))
    let scale = (ratio * steps).rounded() / steps
    return scale > Double(whole - 1) && scale <= Double(whole) ? scale : Double(whole)
  }

  /// Returns the smallest whole number of logical px that is a whole number of physical pixels: 2 at a scale
  /// of 1.5. 1 if there is none that is small.
  package static func wholeStep(_ scale: Double) -> Int {
    (1...maxStep).first { step in
      let pixels = Double(step) * scale
      return (pixels - pixels.rounded()).magnitude < 1e-9
    } ?? 1
  }

  /// 8 for scales such as 1.125; others are rare.
  private static let maxStep = 12
}

/// How a wallpaper fits an output.
///
/// The picture is scaled so that it covers the output and, on every side, a margin as wide as the nearest
/// layer moves, and is centered. All layers have the same scale, so that they fit together.
package struct Fit: Hashable, Sendable {
  /// The output's size in logical px.
  package let outputWidth: Int
  package let outputHeight: Int
  /// Physical pixels per logical px.
  package let scale: Double
  /// The whole picture in physical pixels, relative to the output's upper left corner.
  package let picture: PixelRect
  /// How far a layer of depth 1 moves at full offset, in logical px.
  private let unitReach: Double
  /// How far the nearest layer moves at full offset, in physical pixels.
  package let nearestReach: Double

  /// - Parameters:
  ///   - imageWidth: The size of the images, in their own pixels.
  ///   - depths: Of the layers.
  ///   - travel: As of `WallpaperDocument.travel`.
  package init(
    outputWidth: Int, outputHeight: Int, scale: Double, imageWidth: Int, imageHeight: Int,
    depths: [Double], travel: Double
  ) {
    self.outputWidth = outputWidth
    self.outputHeight = outputHeight
    self.scale = scale
    let nearest = depths.map(\.magnitude).max() ?? 0
    let margin = nearest > 0 ? travel * Double(outputWidth) : 0
    unitReach = nearest > 0 ? margin / nearest : 0
    nearestReach = margin * scale
    let factor =
      max(
        (Double(outputWidth) + 2 * margin) / Double(imageWidth),
        (Double(outputHeight) + 2 * margin) / Double(imageHeight)) * scale
    let width = Int((Double(imageWidth) * factor).rounded(.up))
    let height = Int((Double(imageHeight) * factor).rounded(.up))
    picture = PixelRect(
      x: Int(((Double(outputWidth) * scale - Double(width)) / 2).rounded()),
      y: Int(((Double(outputHeight) * scale - Double(height)) / 2).rounded()), width: width,
      height: height)
  }

  /// The output in logical px.
  package var area: PixelRect { PixelRect(x: 0, y: 0, width: outputWidth, height: outputHeight) }

  /// Returns how far a layer moves to the right and down at the full offset (1, 1), in logical px; less
  /// than 0 for a depth below 0.
  package func reach(depth: Double) -> Double { unitReach * depth }

  /// Returns the part of the picture that a layer may ever show, in the picture's own pixels. Pixels
  /// outside of it need no memory.
  package func visiblePart(depth: Double) -> PixelRect {
    let reach = reach(depth: depth).magnitude
    let left = Int((-reach * scale).rounded(.down)) - 1 - picture.x
    let right = Int(((Double(outputWidth) + reach) * scale).rounded(.up)) + 1 - picture.x
    let top = Int((-reach * scale).rounded(.down)) - 1 - picture.y
    let bottom = Int(((Double(outputHeight) + reach) * scale).rounded(.up)) + 1 - picture.y
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
      .intersection(PixelRect(x: 0, y: 0, width: picture.width, height: picture.height))
  }
}
