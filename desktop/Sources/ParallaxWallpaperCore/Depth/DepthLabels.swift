// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The class of each pixel, found from a depth map and aligned to the edges of the photo.
enum DepthLabels {
  /// Smaller regions join a neighbor, as shares of the picture.
  private static let leastArea = 0.0002

  /// - Parameters:
  ///   - map: The depths, coarser than the photo or as fine.
  ///   - photo: The colors.
  static func make(_ map: Plane<UInt16>, _ classes: DepthClasses, photo: LayerPixels) -> Plane<
    UInt8
  > {
    let (width, height) = (photo.width, photo.height)
    let table = (0...255).map { step in
      // Classes end inside of a step of 256 values, too: those are looked up exactly.
      let first = classes.index(UInt16(step << 8))
      return first == classes.index(UInt16(step << 8 | 255)) ? first : UInt8.max
    }
    var labels = Plane<UInt8>(width: width, height: height, repeating: 0)
    inParallel(height) { [labels] rows in
      for y in rows {
        let (from, to) = (map.row(y * map.height / height), labels.row(y))
        for x in 0..<width {
          let value = from[x * map.width / width]
          let known = table[Int(value >> 8)]
          to[x] = known == .max ? classes.index(value) : known
        }
      }
    }
    let step = max(1, (width + map.width) / (2 * map.width))
    // First roughly, over a few values of the map, then finely.
    let block = max(1, step / 2)
    labels = aligned(labels, photo, step: step, reach: 4, block: block)
    labels = aligned(labels, photo, step: block, reach: 3, block: 1)
    joinSpecks(labels)
    return labels
  }

  /// Returns the labels with their edges moved to the photo's edges. Each pixel near an edge takes the label with
  /// the most votes around it; a vote weighs more the closer its pixel is in place and color.
  ///
  /// The weights of joint bilateral upsampling (J. Kopf and others, SIGGRAPH 2007), for labels instead of
  /// averages.
  ///
  /// - Parameters:
  ///   - step: The distance of those who vote, in pixels.
  ///   - reach: How many steps away the last ones are, in each direction.
  ///   - block: The side of the squares that take one label.
  private static func aligned(
    _ labels: Plane<UInt8>, _ photo: LayerPixels, step: Int, reach: Int, block: Int
  ) -> Plane<UInt8> {
    let (width, height) = (labels.width, labels.height)
    let near = reach * step / 2 + 1
    let low = labels.extremes(radius: near, largest: false)
    let high = labels.extremes(radius: near, largest: true)
    let result = Plane<UInt8>(width: width, height: height, repeating: 0)
    // Colors that differ by 10 of 255 in each channel weigh 0.6.
    let weights = (0...1524).map { 0.02 + exp(-Float($0 << 7) / (2 * 3 * 100)) }
    let nearness = (0...(2 * reach * reach)).map { exp(-Float($0) / Float(reach * reach)) }
    inParallel((height + block - 1) / block) { rows in
      let votes = UnsafeMutablePointer<Float>.allocate(capacity: DepthClasses.maxCount)
      defer { votes.deallocate() }
      for top in rows {
        let y = min(top * block + block / 2, height - 1)
        let (here, low, high) = (labels.row(y), low.row(y), high.row(y))
        let photoRow = photo.row(y)
        for left in 0..<((width + block - 1) / block) {
          let x = min(left * block + block / 2, width - 1)
          guard low[x] != high[x] else {
            fill(result, left * block, top * block, block, here[x])
            continue
          }
          let color = photoRow[x]
          votes.update(repeating: 0, count: DepthClasses.maxCount)
          for stepY in -reach...reach {
            let otherY = y + stepY * step
            guard otherY >= 0, otherY < height else { continue }
            let (other, colors) = (labels.row(otherY), photo.row(otherY))
            for stepX in -reach...reach {
              let otherX = x + stepX * step
              guard otherX >= 0, otherX < width else { continue }
              let squares = difference(color, colors[otherX])
              votes[Int(other[otherX])] +=
                weights[squares >> 7] * nearness[stepX * stepX + stepY * stepY]
            }
          }
          var best = here[x]
          for label in low[x]...high[x] {
            // In doubt the nearer one: a trace of an object in the background is seen more than a trace of the
            // background that moves with the object.
            votes[Int(label)] *= 1 + 0.05 * Float(label)
            if votes[Int(label)] > votes[Int(best)] { best = label }
          }
          fill(result, left * block, top * block, block, best)
        }
      }
    }
    return result
  }

  @inline(__always)
  private static func fill(_ plane: Plane<UInt8>, _ x: Int, _ y: Int, _ side: Int, _ label: UInt8) {
    for row in y..<min(y + side, plane.height) {
      (plane.row(row) + x).update(repeating: label, count: min(side, plane.width - x))
    }
  }

  /// Returns the sum of the squares of the differences of red, green and blue.
  @inline(__always)
  private static func difference(_ a: UInt32, _ b: UInt32) -> Int {
    func square(_ shift: UInt32) -> Int {
      let difference = Int(a >> shift & 255) - Int(b >> shift & 255)
      return difference * difference
    }
    return square(0) + square(8) + square(16)
  }

  /// A part of a row with one label.
  private struct Run {
    var start: Int32
    var end: Int32
    var row: Int32
    var label: UInt8
    /// An earlier run of the same region, or its own index.
    var parent: Int32
  }

  /// Gives small regions the label that they touch most.
  private static func joinSpecks(_ labels: Plane<UInt8>) {
    let (width, height) = (labels.width, labels.height)
    var runs: [Run] = []
    var firsts: [Int] = []
    func root(_ index: Int) -> Int {
      var index = index
      while Int(runs[index].parent) != index {
        runs[index].parent = runs[Int(runs[index].parent)].parent
        index = Int(runs[index].parent)
      }
      return index
    }
    /// Calls `body` for each pair of runs that touch in rows `y - 1` and `y`.
    func forEachContact(_ y: Int, _ body: (Int, Int, Int) -> Void) {
      var (above, here) = (firsts[y - 1], firsts[y])
      while above < firsts[y], here < firsts[y + 1] {
        let length = min(runs[above].end, runs[here].end) - max(runs[above].start, runs[here].start)
        if length > 0 { body(above, here, Int(length)) }
        if runs[above].end < runs[here].end { above += 1 } else { here += 1 }
      }
    }
    for y in 0..<height {
      firsts.append(runs.count)
      let row = labels.row(y)
      var start = 0
      while start < width {
        let label = row[start]
        var end = start + 1
        while end < width, row[end] == label { end += 1 }
        runs.append(
          Run(
            start: Int32(start), end: Int32(end), row: Int32(y), label: label,
            parent: Int32(runs.count)))
        start = end
      }
    }
    firsts.append(runs.count)
    for y in 1..<max(1, height) {
      forEachContact(y) { above, here, _ in
        guard runs[above].label == runs[here].label else { return }
        let (a, b) = (root(above), root(here))
        runs[max(a, b)].parent = Int32(min(a, b))
      }
    }
    var areas = [Int](repeating: 0, count: runs.count)
    for index in runs.indices { areas[root(index)] += Int(runs[index].end - runs[index].start) }
    let least = Int(leastArea * Double(width * height))
    // How much each small region touches each label; large neighbors count more.
    var contacts: [Int: [Int]] = [:]
    func touch(_ a: Int, _ b: Int, _ length: Int) {
      for (one, other) in [(a, b), (b, a)] {
        let region = root(one)
        guard areas[region] < least, runs[one].label != runs[other].label else { continue }
        let weight = areas[root(other)] < least ? 1 : 1000
        contacts[region, default: Array(repeating: 0, count: DepthClasses.maxCount)][
          Int(runs[other].label)] += length * weight
      }
    }
    for y in 0..<height {
      for index in firsts[y]..<firsts[y + 1] where index + 1 < firsts[y + 1] {
        touch(index, index + 1, 1)
      }
      if y > 0 { forEachContact(y, touch) }
    }
    for index in runs.indices {
      guard let contacts = contacts[root(index)], let most = contacts.max() else { continue }
      let label = contacts.firstIndex(of: most) ?? 0
      let row = labels.row(Int(runs[index].row))
      for x in Int(runs[index].start)..<Int(runs[index].end) { row[x] = UInt8(label) }
    }
  }
}
