// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxWallpaperCore
import Testing

struct DepthCutTests {
  private let scene = DepthScene()
  private static let reach = 8.0
  private let reach = Self.reach

  private func cut(_ depths: DepthMap) -> [DrawnLayer] {
    DepthCut(photo: scene.picture(), depth: depths, reach: reach).layers
  }

  /// Returns the layers over each other; magenta shows a hole.
  private func composed(_ layers: [DrawnLayer], shift: SIMD2<Double> = .zero) -> LayerPixels {
    PreviewFrame.draw(
      width: scene.width, height: scene.height, background: 0xFF00FF,
      layers.map {
        .init(
          layer: $0, x: Double($0.x) + shift.x * $0.depth, y: Double($0.y) + shift.y * $0.depth)
      })
  }

  private func difference(_ a: UInt32, _ b: UInt32) -> Int {
    [0, 8, 16].map { abs(Int(a >> $0 & 255) - Int(b >> $0 & 255)) }.max() ?? 0
  }

  private func isBackground(_ x: Int, _ y: Int, shift: SIMD2<Double>) -> Bool {
    [(0, 0), (2, 0), (-2, 0), (0, 2), (0, -2)].allSatisfy {
      scene.shape(Double(x + $0.0) + 0.5, Double(y + $0.1) + 0.5, shift: shift) == nil
    }
  }

  private func channels(_ pixel: UInt32) -> SIMD3<Double> {
    SIMD3(Double(pixel >> 16 & 255), Double(pixel >> 8 & 255), Double(pixel & 255))
  }

  /// The ends of the travel, and the true pictures there.
  private static let truths = [
    SIMD2(1.0, 0), SIMD2(-1, 0), SIMD2(0, 1), SIMD2(1, 1), SIMD2(-1, 1),
  ].map { ($0, DepthScene().picture(shift: $0 * reach)) }

  private let truth = [0, 0.3, 0.55, 0.8, 1]

  private func expectTruth(
    _ layers: [DrawnLayer], within tolerance: Double = 0.01,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(layers.count == truth.count, sourceLocation: sourceLocation)
    for (layer, depth) in zip(layers, truth) {
      #expect((layer.depth - depth).magnitude < tolerance, sourceLocation: sourceLocation)
    }
  }

  @Test func layersAreThoseOfTheScene() {
    let layers = cut(scene.depths())
    expectTruth(layers)
    // The farthest layer is opaque everywhere.
    #expect(layers[0].pixels.width == scene.width && layers[0].pixels.height == scene.height)
    for y in 0..<scene.height { #expect(layers[0].pixels.row(y).allSatisfy { $0 >> 24 == 255 }) }
    // The nearest is where the dark disc is, and 2 px of soft edge.
    var differs = 0
    for y in 0..<scene.height {
      for x in 0..<scene.width where !scene.isNearEdge(x, y, 3) {
        let isThere = scene.shape(Double(x) + 0.5, Double(y) + 0.5)?.depth == 1
        if (alpha(layers[4], x, y) == 255) != isThere { differs += 1 }
      }
    }
    #expect(differs == 0)
  }

  private func alpha(_ layer: DrawnLayer, _ x: Int, _ y: Int) -> UInt32 {
    let (x, y) = (x - layer.x, y - layer.y)
    guard x >= 0, y >= 0, x < layer.pixels.width, y < layer.pixels.height else { return 0 }
    return layer.pixels.row(y)[x] >> 24
  }

  @Test func atRestTheLayersAreThePhoto() {
    let (photo, rest) = (scene.picture(), composed(cut(scene.depths())))
    var (most, edge, edgePixels) = (0, 0, 0)
    for y in 0..<scene.height {
      for x in 0..<scene.width {
        let error = difference(photo.row(y)[x], rest.row(y)[x])
        if scene.isNearEdge(x, y, 3) {
          edge += error
          edgePixels += 1
        } else {
          most = max(most, error)
        }
      }
    }
    #expect(most <= 1)
    // Edges are softened, not changed.
    #expect(Double(edge) / Double(edgePixels) < 4)
  }

  /// The maps that the next test cuts with.
  enum Map: CaseIterable {
    /// Exactly the scene's.
    case exact
    /// Two pixels too far to the right.
    case moved
    /// A quarter of the size.
    case small
    /// Half the size, with depths between those of both sides at each edge.
    case blurred
    /// 8 bits.
    case coarse
    case noisy
  }

  private func depths(_ map: Map) -> DepthMap {
    switch map {
    case .exact: return scene.depths()
    case .moved: return scene.depths(move: 2)
    case .small: return scene.depths(every: 4)
    case .blurred:
      let sharp = scene.depths(every: 2)
      return DepthMap(
        width: sharp.width, height: sharp.height,
        values: sharp.values.indices.map { index in
          let row = index / sharp.width * sharp.width
          let neighbors = [-1, 0, 1].map { min(max(row, index + $0), row + sharp.width - 1) }
          return UInt16(neighbors.map { Int(sharp.values[$0]) }.reduce(0, +) / 3)
        })
    case .coarse:
      let exact = scene.depths()
      return DepthMap(
        width: exact.width, height: exact.height, values: exact.values.map { $0 / 257 * 257 })
    case .noisy:
      var numbers = SeededNumbers(seed: 7)
      let exact = scene.depths()
      return DepthMap(
        width: exact.width, height: exact.height,
        values: exact.values.map { UInt16(clamping: Int(Double($0) + 700 * numbers.normal())) })
    }
  }

  /// At each end of the travel there is no hole, and where a shape has moved away, its color has gone, too.
  @Test(arguments: Map.allCases)
  func atFullTravelThereIsNeitherHoleNorHalo(map: Map) {
    let layers = cut(depths(map))
    expectTruth(layers, within: 0.03)
    for (direction, expected) in Self.truths {
      let shift = direction * reach
      let shown = composed(layers, shift: shift)
      let margin = Int(reach) + 1
      var (holes, halos, revealed) = (0, 0, 0)
      for y in margin..<(scene.height - margin) {
        for x in margin..<(scene.width - margin) {
          let pixel = shown.row(y)[x]
          if difference(pixel, 0xFF00FF) < 40 { holes += 1 }
          // A shape in the photo; background now, and all around.
          guard let was = scene.shape(Double(x) + 0.5, Double(y) + 0.5),
            isBackground(x, y, shift: shift)
          else { continue }
          revealed += 1
          // How far the color is from the true one towards the shape's.
          let truth = channels(expected.row(y)[x])
          let (away, error) = (was.color - truth, channels(pixel) - truth)
          if (away * error).sum() / (away * away).sum() > 0.1, error.max() > 8 || error.min() < -8 {
            halos += 1
          }
        }
      }
      #expect(holes == 0, "\(map) \(direction)")
      #expect(revealed > 50)
      // A map that is coarse or wrong knows corners to 2 px only.
      let most = [.small, .blurred, .moved].contains(map) ? revealed / 100 : 0
      #expect(halos <= most, "\(map) \(direction): \(halos) of \(revealed)")
    }
  }

  @Test func aFlatMapIsOneLayer() throws {
    let photo = scene.picture()
    let values = (0..<1000).map { index -> UInt16 in index.isMultiple(of: 2) ? 20_000 : 20_257 }
    let layers = DepthCut(
      photo: photo, depth: DepthMap(width: 40, height: 25, values: values), reach: reach
    ).layers
    let only = try #require(layers.first)
    #expect(layers.count == 1 && only.depth == 1 && only.pixels === photo)
  }

  /// Ground that rises evenly has no gap; it gets the most layers, and still no seam.
  @Test func aRampBecomesEvenLayers() {
    let values = (0..<64_000).map { index -> UInt16 in UInt16(index / 320 * 65_535 / 199) }
    let photo = scene.picture()
    let layers = DepthCut(
      photo: photo, depth: DepthMap(width: 320, height: 200, values: values), reach: reach
    ).layers
    #expect(layers.count == 8)
    for (layer, next) in zip(layers, layers.dropFirst()) {
      #expect((next.depth - layer.depth - 1.0 / 7).magnitude < 0.03)
    }
    let rest = composed(layers)
    var most = 0
    for y in 0..<200 {
      for x in 0..<320 { most = max(most, difference(photo.row(y)[x], rest.row(y)[x])) }
    }
    #expect(most <= 2)
  }

  @Test func aSpeckJoinsItsSurroundings() {
    let exact = scene.depths()
    var values = exact.values
    // 3 x 3 of 64,000 pixels: less than 0.02 %.
    for y in 10..<13 { for x in 290..<293 { values[y * 320 + x] = 56_000 } }
    let layers = cut(DepthMap(width: 320, height: 200, values: values))
    #expect(alpha(layers[4], 291, 11) == 0)
  }

  @Test func anInvertedMapIsNoticed() {
    // The ground is near, the sky far, and someone is in the middle.
    let values = (0..<(90 * 60)).map { index -> UInt16 in
      let (x, y) = (index % 90, index / 90)
      return (30..<60).contains(x) && y >= 15 ? 60_000 : UInt16(y * 900)
    }
    #expect(!DepthMap(width: 90, height: 60, values: values).looksInverted)
    #expect(DepthMap(width: 90, height: 60, values: values.map { 65_535 - $0 }).looksInverted)
    #expect(!DepthMap(width: 2, height: 1, values: [7, 7]).looksInverted)
  }

  /// Any map gives layers in order, the farthest opaque, that cover the photo; twice the same.
  @Test func anyMapGivesSoundLayers() {
    let seed = getenv("PARALLAX_SEED").flatMap { UInt64(String(cString: $0)) } ?? 20_261
    print("parallax tests: random tests use PARALLAX_SEED=\(seed)")
    var numbers = SeededNumbers(seed: seed)
    for _ in 0..<30 {
      let (width, height) = (
        Int.random(in: 1...60, using: &numbers), Int.random(in: 1...60, using: &numbers)
      )
      let photo = LayerPixels(width: width, height: height) { pixels in
        for index in pixels.indices {
          pixels[index] = 0xFF00_0000 | UInt32.random(in: 0...0xFF_FFFF, using: &numbers)
        }
      }
      let (across, down) = (
        Int.random(in: 1...80, using: &numbers), Int.random(in: 1...80, using: &numbers)
      )
      let levels = UInt16.random(in: 1...20, using: &numbers)
      let map = DepthMap(
        width: across, height: down,
        values: (0..<(across * down)).map { _ in
          UInt16.random(in: 0...levels, using: &numbers) * (65_535 / levels)
        })
      let reach = Double.random(in: 0...20, using: &numbers)
      let layers = DepthCut(photo: photo, depth: map, reach: reach).layers
      let again = DepthCut(photo: photo, depth: map, reach: reach).layers
      #expect((1...8).contains(layers.count))
      #expect(zip(layers, layers.dropFirst()).allSatisfy { $0.depth < $1.depth })
      #expect(layers[0].pixels.width == width && layers[0].pixels.height == height)
      for (layer, same) in zip(layers, again) {
        let pixels = layer.pixels
        #expect(layer.x >= 0 && layer.x + pixels.width <= width)
        #expect(layer.y >= 0 && layer.y + pixels.height <= height)
        #expect(
          (0..<pixels.height).allSatisfy { pixels.row($0).elementsEqual(same.pixels.row($0)) })
        // Premultiplied: no color is above its opacity.
        for y in 0..<pixels.height {
          #expect(
            pixels.row(y).allSatisfy { pixel in
              [0, 8, 16].allSatisfy { pixel >> $0 & 255 <= pixel >> 24 }
            })
        }
      }
      for y in 0..<height { #expect(layers[0].pixels.row(y).allSatisfy { $0 >> 24 == 255 }) }
    }
  }

  @Test(arguments: [
    (400, 300, true), (4000, 3000, true), (401, 300, true), (300, 400, false), (400, 225, false),
  ])
  func aMapHasThePhotosShape(width: Int, height: Int, fits: Bool) {
    let map = DepthMap(width: 400, height: 300, values: Array(repeating: 0, count: 120_000))
    #expect(map.fits(width: width, height: height) == fits)
  }
}

struct PhotoFilesTests {
  @Test(arguments: [
    ("/a/photo.jpg", "/a/photo.depth.png"), ("photo.v2.heic", "photo.v2.depth.png"),
    ("/a.b/photo", "/a.b/photo.depth.png"), (".photo", ".photo.depth.png"),
  ])
  func aDepthMapHasThePhotosName(photo: String, map: String) {
    #expect(PhotoFiles.companion(of: photo) == map)
    #expect(PhotoFiles.companion(of: map) == nil)
  }

  @Test func aFoldersPhotosAreSorted() {
    let names = ["b.JPG", "a.png", "a.depth.png", ".hidden.png", "notes.txt", "c.heic"]
    #expect(PhotoFiles.photos(among: names) == ["a.png", "b.JPG", "c.heic"])
  }
}

struct PreviewFrameTests {
  @Test func aFullTurnPassesBothEndsOfBothAxes() {
    let turn = (0..<60).map { PreviewFrame.motion($0, of: 60) }
    #expect(turn[0].x == 1 && (turn[30].x + 1).magnitude < 1e-9)
    #expect((turn[15].y - 1).magnitude < 1e-9 && (turn[45].y + 1).magnitude < 1e-9)
  }

  /// A pixel between two is shared by them.
  @Test func layersAreInterpolated() {
    let layer = DrawnLayer(
      depth: 1, pixels: LayerPixels(width: 1, height: 1) { $0[0] = 0xFFFF_FFFF })
    let frame = PreviewFrame.draw(
      width: 4, height: 1, background: 0, [.init(layer: layer, x: 1.25, y: 0)])
    #expect(frame.row(0).map { $0 & 255 } == [0, 191, 64, 0])
    #expect(frame.row(0).allSatisfy { $0 >> 24 == 255 })
  }
}
