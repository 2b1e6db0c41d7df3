// SPDX-License-Identifier: Apache-2.0

/// Cuts the layers of a photo, from far to near.
struct LayerCutter {
  private let photo: LayerPixels
  private let map: Plane<UInt16>
  private let labels: Plane<UInt8>
  private let classes: DepthClasses
  private let reach: Double
  /// How wide a soft edge is to each side, in pixels.
  private let softness: Int
  /// The distance from an edge within which the photo mixes the colors of both sides, in pixels.
  private let mixed: Int
  /// The layers so far, at rest.
  private let canvas: Plane<UInt32>
  private let boxes: [PixelRect]

  /// Pixels on a side of the cells in which distances are measured.
  private static let cell = 4
  /// A surface goes on across a limit of its class, this share of the range further: ground that
  /// rises through several classes is one surface.
  private static let continuation = 0.03

  init(
    photo: LayerPixels, map: Plane<UInt16>, labels: Plane<UInt8>, classes: DepthClasses,
    reach: Double, softness: Int, mixed: Int
  ) {
    self.photo = photo
    self.map = map
    self.labels = labels
    self.classes = classes
    self.reach = reach
    self.softness = softness
    self.mixed = mixed
    canvas = Plane(width: photo.width, height: photo.height, repeating: 0)
    boxes = Self.boxes(labels, count: classes.depths.count)
  }

  /// Returns the smallest rectangle around the pixels of each class.
  private static func boxes(_ labels: Plane<UInt8>, count: Int) -> [PixelRect] {
    var bounds = (0..<count).map { _ in (left: Int.max, top: Int.max, right: -1, bottom: -1) }
    for y in 0..<labels.height {
      let row = labels.row(y)
      var x = 0
      while x < labels.width {
        let label = Int(row[x])
        let start = x
        while x < labels.width, row[x] == UInt8(label) { x += 1 }
        bounds[label].left = min(bounds[label].left, start)
        bounds[label].right = max(bounds[label].right, x)
        bounds[label].top = min(bounds[label].top, y)
        bounds[label].bottom = y + 1
      }
    }
    return bounds.map { box in
      box.right < 0
        ? PixelRect(x: 0, y: 0, width: 0, height: 0)
        : PixelRect(
          x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top)
    }
  }

  /// Returns the layer of a class; nil if no pixel is left of it.
  mutating func cut(_ index: Int) -> DrawnLayer? {
    let isFarthest = index == 0
    guard isFarthest || !boxes[index].isEmpty else { return nil }
    let extent = reach * (1 - classes.depths[index])
    let region = region(index, extent: extent)
    let opacity = isFarthest ? nil : opacity(index, region: region, extent: extent)
    let soft = opacity.map { softened($0) }
    let near = nearer(index, region: region)
    // Pixels around a nearer object have some of its color, and pixels around this layer some of the farther ones.
    let replaced = near.extremes(radius: mixed, largest: true)
    let doubtful = replaced.extremes(radius: max(2, mixed / 2), largest: true)
    let fill = LayerFill(
      photo, region: region,
      sources: sources(index, region: region, doubtful: doubtful, soft: soft))
    let pixels = LayerPixels(width: region.width, height: region.height) { pixels in
      paint(
        index, region, fill: fill, replaced: replaced, soft: soft,
        to: Target(start: pixels.baseAddress))
    }
    return DrawnLayer(
      depth: classes.depths[index], pixels: pixels, x: region.x, y: region.y)
  }

  /// Returns the part of the picture that a layer may cover, with even edges.
  private func region(_ index: Int, extent: Double) -> PixelRect {
    guard index > 0 else { return PixelRect(x: 0, y: 0, width: photo.width, height: photo.height) }
    let margin = Int(extent.rounded(.up)) + 2 * Self.cell + softness
    let grid = Self.cell
    let box = boxes[index]
    let left = max(0, box.x - margin) / grid * grid
    let top = max(0, box.y - margin) / grid * grid
    return PixelRect(
      x: left, y: top, width: min(photo.width, box.x + box.width + margin) - left,
      height: min(photo.height, box.y + box.height + margin) - top)
  }

  // MARK: - Where a layer is

  /// Returns the coverage of a layer, 0...255: all pixels of its class, and pixels of nearer classes that are close
  /// to it and closer to it than to any farther layer.
  private func opacity(_ index: Int, region: PixelRect, extent: Double) -> Plane<UInt8> {
    let label = UInt8(index)
    let cell = Self.cell
    let columns = (region.width + cell - 1) / cell
    let rows = (region.height + cell - 1) / cell
    let far = UInt16(1 << 14)
    let own = Plane(width: columns, height: rows, repeating: far)
    let farther = Plane(width: columns, height: rows, repeating: far)
    inParallel(rows) { [labels] part in
      for y in part {
        let (own, farther) = (own.row(y), farther.row(y))
        for line in (y * cell)..<min(y * cell + cell, region.height) {
          let labels = labels.row(region.y + line) + region.x
          for x in 0..<region.width {
            if labels[x] == label { own[x / cell] = 0 }
            if labels[x] < label { farther[x / cell] = 0 }
          }
        }
      }
    }
    own.measureDistances()
    farther.measureDistances()
    let spread = Plane<Float>(width: columns, height: rows, repeating: 0)
    let most = Float(extent) / Float(cell) + 2
    for y in 0..<rows {
      for x in 0..<columns {
        let (own, farther) = (Float(own.row(y)[x]), Float(farther.row(y)[x]))
        let nearest = min(max(0, (farther - own) / 2 + 0.5), 1)
        spread.row(y)[x] = 255 * nearest * min(max(0, most - own), 1)
      }
    }
    let result = Plane<UInt8>(width: region.width, height: region.height, repeating: 0)
    inParallel(region.height) { [labels] part in
      for y in part {
        let labels = labels.row(region.y + y) + region.x
        let to = result.row(y)
        let placeY = min(max(0, (Float(y) + 0.5) / Float(cell) - 0.5), Float(rows - 1))
        let (top, down) = (Int(placeY), placeY - placeY.rounded(.down))
        let (above, below) = (spread.row(top), spread.row(min(top + 1, rows - 1)))
        for x in 0..<region.width {
          if labels[x] == label {
            to[x] = 255
          } else if labels[x] > label {
            let placeX = min(max(0, (Float(x) + 0.5) / Float(cell) - 0.5), Float(columns - 1))
            let left = Int(placeX)
            let right = min(left + 1, columns - 1)
            let across = placeX - Float(left)
            let first = above[left] + across * (above[right] - above[left])
            let second = below[left] + across * (below[right] - below[left])
            to[x] = UInt8(first + down * (second - first))
          }
        }
      }
    }
    return result
  }

  /// Returns the opacity with soft edges: a tent as wide as the softness to each side.
  private func softened(_ opacity: Plane<UInt8>) -> Plane<UInt8> {
    let (width, height) = (opacity.width, opacity.height)
    let softness = softness
    let total = UInt32((softness + 1) * (softness + 1))
    let low = opacity.extremes(radius: softness, largest: false)
    let high = opacity.extremes(radius: softness, largest: true)
    let result = Plane<UInt8>(width: width, height: height, repeating: 0)
    inParallel(height) { rows in
      for y in rows {
        let (low, high, to) = (low.row(y), high.row(y), result.row(y))
        for x in 0..<width {
          guard low[x] != high[x] else {
            to[x] = low[x]
            continue
          }
          var sum: UInt32 = 0
          for stepY in -softness...softness {
            let row = opacity.row(min(max(0, y + stepY), height - 1))
            let weight = UInt32(softness + 1 - abs(stepY))
            for stepX in -softness...softness {
              let value = UInt32(row[min(max(0, x + stepX), width - 1)])
              sum += weight * UInt32(softness + 1 - abs(stepX)) * value
            }
          }
          to[x] = UInt8(sum / (total * total))
        }
      }
    }
    return result
  }

  /// Returns where nearer objects are, 255, without what continues this layer's own surface.
  private func nearer(_ index: Int, region: PixelRect) -> Plane<UInt8> {
    let result = Plane<UInt8>(width: region.width, height: region.height, repeating: 0)
    guard index < classes.limits.count else { return result }
    let limit = UInt16(
      clamping: Int(classes.limits[index]) + Int(Double(classes.range) * Self.continuation))
    let columns = (region.x..<(region.x + region.width)).map {
      Int32(truncatingIfNeeded: $0 * map.width / photo.width)
    }
    inParallel(region.height) { [labels, map, photo] rows in
      for y in rows {
        let labels = labels.row(region.y + y) + region.x
        let depths = map.row((region.y + y) * map.height / photo.height)
        let to = result.row(y)
        for x in 0..<region.width where labels[x] > UInt8(index) {
          if depths[Int(columns[x])] >= limit { to[x] = 255 }
        }
      }
    }
    return result
  }

  /// Returns which pixels have a color of the layer.
  private func sources(
    _ index: Int, region: PixelRect, doubtful: Plane<UInt8>, soft: Plane<UInt8>?
  ) -> Plane<LayerFill.Source> {
    let result = Plane(
      width: region.width, height: region.height, repeating: LayerFill.Source.unknown)
    inParallel(region.height) { [labels] rows in
      for y in rows {
        let labels = labels.row(region.y + y) + region.x
        let (doubtful, soft, to) = (doubtful.row(y), soft?.row(y), result.row(y))
        for x in 0..<region.width where labels[x] == UInt8(index) {
          to[x] = doubtful[x] == 0 && (soft?[x] ?? 255) == 255 ? .known : .doubtful
        }
      }
    }
    return result
  }

  // MARK: - What it looks like

  /// Where pixels are written; unchecked, since each thread writes other rows.
  private struct Target: @unchecked Sendable {
    let start: UnsafeMutablePointer<UInt32>?
  }

  private func paint(
    _ index: Int, _ region: PixelRect, fill: LayerFill, replaced: Plane<UInt8>,
    soft: Plane<UInt8>?, to target: Target
  ) {
    let label = UInt8(index)
    inParallel(region.height) { [photo, labels, canvas] rows in
      guard let start = target.start else { return }
      for y in rows {
        let labels = labels.row(region.y + y) + region.x
        let below = canvas.row(region.y + y) + region.x
        let colors = photo.row(region.y + y)
        let (replaced, soft) = (replaced.row(y), soft?.row(y))
        let to = start + y * region.width
        for x in 0..<region.width {
          let opacity = soft?[x] ?? 255
          guard opacity > 0 else { continue }
          let seen = 0xFF00_0000 | colors[region.x + x]
          let isSeen = labels[x] <= label || replaced[x] == 0
          if opacity == 255 {
            to[x] = isSeen && replaced[x] == 0 ? seen : Self.pixel(fill.color(x, y), 1)
          } else if labels[x] > label {
            let color = replaced[x] == 0 ? Self.channels(seen) : fill.color(x, y)
            to[x] = Self.pixel(color, Float(opacity) / 255)
          } else {
            to[x] = Self.edge(
              seen, fill.color(x, y), below: Self.channels(below[x]), Float(opacity) / 255)
          }
          let alpha = to[x] >> 24
          below[x] = alpha == 255 ? to[x] : Self.over(to[x], below[x])
        }
      }
    }
  }

  /// Returns a pixel of the layer's edge that looks like the photo over the layers below.
  ///
  /// Its opacity mixes the photo's color from the layer's and the one below. Where these two are alike, it is the
  /// opacity of the soft edge.
  @inline(__always)
  private static func edge(
    _ seen: UInt32, _ own: SIMD4<Float>, below: SIMD4<Float>, _ soft: Float
  ) -> UInt32 {
    let color = channels(seen)
    var (span, part) = (own - below, color - below)
    (span.w, part.w) = (0, 0)
    let squares = (span * span).sum()
    // Alike: differences of 16 of 255 in each channel.
    let trust = min(squares / (3 * 16 * 16), 1)
    let mixed = squares > 0 ? (span * part).sum() / squares : soft
    let limited = min(max(max(0, 2 * soft - 1), mixed), min(1, 2 * soft))
    let alpha = soft + trust * (limited - soft)
    var premultiplied = color - (1 - alpha) * below
    premultiplied.clamp(lowerBound: .zero, upperBound: SIMD4(repeating: 255 * alpha))
    return pixel(premultiplied / max(alpha, 0.001), alpha)
  }

  @inline(__always)
  private static func channels(_ pixel: UInt32) -> SIMD4<Float> {
    SIMD4(Float(pixel >> 16 & 255), Float(pixel >> 8 & 255), Float(pixel & 255), 255)
  }

  /// Returns a premultiplied pixel.
  @inline(__always)
  private static func pixel(_ color: SIMD4<Float>, _ alpha: Float) -> UInt32 {
    let scaled = color * alpha + 0.5
    return UInt32(255 * alpha + 0.5) << 24 | UInt32(scaled.x) << 16 | UInt32(scaled.y) << 8
      | UInt32(scaled.z)
  }

  /// Returns a premultiplied pixel over an opaque one.
  @inline(__always)
  private static func over(_ pixel: UInt32, _ below: UInt32) -> UInt32 {
    let rest = 255 - (pixel >> 24)
    func channel(_ shift: UInt32) -> UInt32 {
      min(255, (pixel >> shift & 255) + ((below >> shift & 255) * rest + 127) / 255) << shift
    }
    return 0xFF00_0000 | channel(16) | channel(8) | channel(0)
  }
}

extension Plane where Element == UInt16 {
  /// Replaces each value by the distance to the next 0, in steps in any of eight directions.
  fileprivate func measureDistances() {
    for y in 0..<height {
      let (here, above) = (row(y), y > 0 ? row(y - 1) : nil)
      for x in 0..<width {
        var least = here[x]
        if x > 0 { least = min(least, here[x - 1] + 1) }
        if let above {
          least = min(least, above[x] + 1)
          if x > 0 { least = min(least, above[x - 1] + 1) }
          if x + 1 < width { least = min(least, above[x + 1] + 1) }
        }
        here[x] = least
      }
    }
    for y in (0..<height).reversed() {
      let (here, below) = (row(y), y + 1 < height ? row(y + 1) : nil)
      for x in (0..<width).reversed() {
        var least = here[x]
        if x + 1 < width { least = min(least, here[x + 1] + 1) }
        if let below {
          least = min(least, below[x] + 1)
          if x > 0 { least = min(least, below[x - 1] + 1) }
          if x + 1 < width { least = min(least, below[x + 1] + 1) }
        }
        here[x] = least
      }
    }
  }
}
