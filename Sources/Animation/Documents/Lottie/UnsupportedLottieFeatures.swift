// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// Descriptions of the parts of a file that are not played.
struct UnsupportedLottieFeatures: Sendable {
  /// Such as `the effects of 3 layers`.
  private let drawing: [String]

  /// - Parameter nodes: The JSON of the layers.
  init(_ layers: [LottieLayer], _ nodes: [JSONNode]) throws(JSONShapeError) {
    var drawing: [String] = []
    for (kind, text) in Self.kinds {
      drawing.append(count: layers.count { $0.kind == kind }, of: text)
    }
    drawing.append(count: layers.count { $0.kind == nil }, of: "the unknown content")
    for (key, text) in Self.keys {
      var count = 0
      for (node, layer) in zip(nodes, layers) where try Self.isThere(node.member(key)?.value) {
        // The time remapping of a precomposition is played.
        if key == "tm", layer.kind == .precomposition { continue }
        count += 1
      }
      drawing.append(count: count, of: text)
    }
    self.drawing = drawing
  }

  /// Returns the texts for the animation of one layer.
  ///
  /// - Parameter driver: The index of the layer.
  func texts(driver place: Int, of layers: [LottieLayer]) -> [String] {
    let driver = layers[place]
    var texts: [String] = []
    if !driver.expressions.isEmpty {
      texts.append(
        "\(driver.title): the expression of \(driver.expressions.joined(separator: ", ")); "
          + "its keyframes play unchanged")
    }
    texts += driver.unsupportedFeatures.map { "\(driver.title): \($0)" }
    if driver.kind == .null, driver.transform.opacity.differs(from: LottieVector(x: 100, y: 0)) {
      texts.append("\(driver.title): its opacity, because a null object is never drawn")
    }
    if driver.parent != nil { texts.append("\(driver.title): the transforms of its parents") }
    if let container = driver.container {
      texts.append("\(driver.title): the transform of \(layers[container].title), which shows it")
    }
    let others = layers.indices.filter { $0 != place && layers[$0].transform.moves }
    if !others.isEmpty {
      texts.append(
        "\(others.count) more animated \(others.count == 1 ? "layer" : "layers"): "
          + shortList(others.map { layers[$0].shortTitle }))
    }
    return texts + drawing
  }

  /// Returns the texts for the tracks of all layers.
  func texts(tracks layers: [LottieLayer]) -> [String] {
    var texts: [String] = []
    for layer in layers where layer.hasKeyframes || layer.parent != nil {
      if !layer.expressions.isEmpty {
        texts.append(
          "\(layer.title): not among the tracks because of the expression of "
            + layer.expressions.joined(separator: ", "))
      }
      texts += layer.unsupportedFeatures.map { "\(layer.title): \($0)" }
    }
    return texts + drawing
  }

  private static let kinds: [(LottieLayer.Kind, String)] = [
    (.shape, "the shapes"), (.image, "the image"), (.text, "the text"),
    (.precomposition, "the drawing of the nested layers"), (.solid, "the color"),
    (.audio, "the sound"),
    (.camera, "the camera"),
  ]

  /// The members of a layer that affect how it is drawn.
  private static let keys = [
    ("ef", "the effects"), ("masksProperties", "the masks"), ("tt", "the matte"),
    ("tm", "the time remapping"), ("sy", "the layer styles"),
  ]

  private static func isThere(_ value: JSONValue?) -> Bool {
    switch value {
    case nil, .null, .integer(0), .bool(false): false
    case .array(let elements): !elements.isEmpty
    default: true
    }
  }
}

extension [String] {
  fileprivate mutating func append(count: Int, of text: String) {
    if count > 0 { append("\(text) of \(count) \(count == 1 ? "layer" : "layers")") }
  }
}

extension LottieMotionTrack {
  /// Returns whether its value ever differs from the neutral one.
  func differs(from neutral: LottieVector) -> Bool { moves || value(at: 0) != neutral }
}
