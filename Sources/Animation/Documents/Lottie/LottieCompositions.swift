// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// The layers of a file with those of its precompositions, and the clock of each.
///
/// The layers of a precomposition follow those of the file, once for each layer that shows it.
/// Precompositions that cannot be read are left out, with a description: a file may play without them.
struct LottieCompositions: Sendable {
  /// Those of the file first; then those of each precomposition, outer ones first.
  private(set) var layers: [LottieLayer]

  private var nodes: [JSONNode]
  private var assets: [String: JSONNode] = [:]
  private var read: [String: Content] = [:]

  /// A precomposition as it is in the file.
  private struct Content {
    var layers: [LottieLayer]
    var nodes: [JSONNode]
  }

  /// - Parameters:
  ///   - root: The file.
  ///   - layers: The layers of the file, connected to their parents.
  ///   - nodes: Their JSON.
  init(
    _ root: JSONNode, _ layers: [LottieLayer], _ nodes: [JSONNode], frameRate: Double,
    reader: inout LottieReader
  ) {
    self.layers = layers
    self.nodes = nodes
    do {
      for asset in try root.member("assets")?.elements() ?? [] {
        guard case .object = asset.value, try asset.member("layers") != nil,
          let id = try asset.member("id")
        else { continue }
        assets[try id.text()] = asset
      }
    } catch {
      reader.failures.append("the precompositions: \(error)")
    }
    var place = 0
    while place < self.layers.count {
      if self.layers[place].kind == .precomposition {
        do throws(JSONShapeError) {
          try expand(place, frameRate: frameRate, &reader)
        } catch {
          reader.failures.append("the layers in \(self.layers[place].title): \(error)")
          // Whatever follows exceeds the limit, too.
          if reader.isFull { break }
        }
      }
      place += 1
    }
  }

  private mutating func expand(
    _ place: Int, frameRate: Double, _ reader: inout LottieReader
  ) throws(JSONShapeError) {
    let node = nodes[place]
    guard let reference = try node.member("refId") else { return }
    let id = try reference.text()
    guard let asset = assets[id] else {
      throw reference.error("no precomposition has the id \(QuotedText.of(id))")
    }
    try checkAncestors(of: place, id, reference)
    layers[place].composition = id
    layers[place].clock = try reader.clock(node, frameRate: frameRate)
    let content = try content(id, asset, of: layers[place], &reader)
    let first = layers.count
    for (layer, node) in zip(content.layers, content.nodes) {
      try reader.count(node)
      var layer = layer
      layer.container = place
      layer.parent = layer.parent.map { $0 + first }
      layers.append(layer)
      nodes.append(node)
    }
  }

  private mutating func content(
    _ id: String, _ asset: JSONNode, of layer: LottieLayer, _ reader: inout LottieReader
  ) throws(JSONShapeError) -> Content {
    if let content = read[id] { return content }
    let nodes = try asset.required("layers").elements()
    var layers: [LottieLayer] = []
    for (place, node) in nodes.enumerated() {
      layers.append(
        try reader.layer(
          node, place: place, composition: layer.inFrame...max(layer.inFrame, layer.outFrame)))
    }
    try LottieParents.connect(&layers, nodes, failures: &reader.failures)
    let content = Content(layers: layers, nodes: nodes)
    read[id] = content
    return content
  }

  private func checkAncestors(
    of place: Int, _ id: String, _ reference: JSONNode
  ) throws(JSONShapeError) {
    var depth = 1
    var outer = layers[place].container
    while let current = outer {
      guard layers[current].composition != id else {
        throw reference.error("the precomposition \(QuotedText.of(id)) contains itself")
      }
      depth += 1
      guard depth <= DocumentLimits.depth else {
        throw reference.error(
          "precompositions nested too deep; the limit is \(DocumentLimits.depth) levels")
      }
      outer = layers[current].container
    }
  }
}

/// How the frame of a precomposition follows from that of the composition in which it is shown.
enum LottieClock: Sendable {
  /// From `start` on, slower by the factor `stretch`, which is not 0.
  case shifted(start: Double, stretch: Double)
  /// By time remapping: the second to show, at each frame.
  case remapped(LottieMotionTrack, frameRate: Double)

  func frame(at outer: Double) -> Double {
    switch self {
    case .shifted(let start, let stretch): (outer - start) / stretch
    case .remapped(let track, let frameRate): track.value(at: outer).x * frameRate
    }
  }

  /// Returns the range of frames in a range of outer frames.
  func frames(in outer: ClosedRange<Double>) -> ClosedRange<Double> {
    switch self {
    case .shifted:
      let ends = (frame(at: outer.lowerBound), frame(at: outer.upperBound))
      return min(ends.0, ends.1)...max(ends.0, ends.1)
    case .remapped(let track, let frameRate):
      let seconds = track.extent(in: outer)
      return (seconds.lowerBound * frameRate)...(seconds.upperBound * frameRate)
    }
  }

  /// Returns the frames per outer frame.
  func slope(at outer: Double) -> Double {
    switch self {
    case .shifted(_, let stretch): 1 / stretch
    case .remapped(let track, let frameRate): track.slope(at: outer).x * frameRate
    }
  }
}

extension LottieReader {
  /// Reads `st`, `sr` and `tm` of a layer that shows a precomposition.
  fileprivate mutating func clock(
    _ node: JSONNode, frameRate: Double
  ) throws(JSONShapeError) -> LottieClock {
    if let remapping = try node.member("tm"), remapping.value != .null {
      return .remapped(try property(remapping, .number).track, frameRate: frameRate)
    }
    let start = try node.member("st").map(Self.frame) ?? 0
    let stretch = try node.member("sr").map { (node) throws(JSONShapeError) in
      let stretch = try node.quantity(in: -1e3...1e3)
      guard stretch.magnitude >= 1e-3 else {
        throw node.error("expected a factor of at least 0.001")
      }
      return stretch
    }
    return .shifted(start: start, stretch: stretch ?? 1)
  }
}

extension JSONNode {
  /// Returns a string, or a number as one: some exporters write ids so.
  fileprivate func text() throws(JSONShapeError) -> String {
    if case .integer(let number) = value { return "\(number)" }
    return try string()
  }
}
