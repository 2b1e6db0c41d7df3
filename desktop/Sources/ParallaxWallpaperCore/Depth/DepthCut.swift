// SPDX-License-Identifier: Apache-2.0

/// A photo cut into layers by a depth map.
package struct DepthCut: Sendable {
  /// From far to near: depth 0 for the farthest, 1 for the nearest or the only one. The farthest layer covers the photo
  /// and is opaque; the others are transparent where farther layers show.
  package let layers: [DrawnLayer]

  /// Cuts a photo.
  ///
  /// A layer extends below the nearer ones as far as their motion can reveal it, with colors spread from its
  /// own. Same input, same layers.
  ///
  /// - Parameters:
  ///   - photo: Opaque pixels at the size of the output, with its margins.
  ///   - depth: Its depths, at any size.
  ///   - reach: How far the nearest layer moves in each direction, in pixels.
  ///   - photoScale: How many pixels of `photo` a pixel of the file became.
  package init(
    photo: LayerPixels, depth: DepthMap, reach: Double, photoScale: Double = 1
  ) {
    let grid = depth.grid(width: photo.width, height: photo.height).median()
    let rough = DepthClasses(grid)
    guard !rough.limits.isEmpty else {
      layers = [DrawnLayer(depth: 1, pixels: photo)]
      return
    }
    var map = grid
    for _ in 0..<2 {
      map = map.steepened(
        radius: max(2, map.width / 300), step: UInt16(Double(rough.range) * 0.06))
    }
    let classes = DepthClasses(map)
    guard !classes.limits.isEmpty else {
      layers = [DrawnLayer(depth: 1, pixels: photo)]
      return
    }
    let labels = DepthLabels.make(map, classes, photo: photo)
    // The mixed colors of a photo's edge are 1 to 3 of its pixels wide.
    let softness = min(max(2, Int((1.5 * photoScale).rounded()) + 1), 5)
    let mixed = min(max(softness, Int((3 * photoScale).rounded())), 24)
    var cutter = LayerCutter(
      photo: photo, map: map, labels: labels, classes: classes, reach: reach, softness: softness,
      mixed: mixed)
    layers = classes.depths.indices.compactMap { cutter.cut($0) }
  }
}
