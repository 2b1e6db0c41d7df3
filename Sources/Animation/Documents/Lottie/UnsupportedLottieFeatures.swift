// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// Descriptions of the parts of a file that are not played.
struct UnsupportedLottieFeatures: Sendable {
  /// Such as `the effects of 2 layers: "card" (layers[0]), "bg" (layers[3])`.
  private let drawing: [String]

  /// - Parameter nodes: The JSON of the layers.
  init(_ layers: [LottieLayer], _ nodes: [JSONNode]) throws(JSONShapeError) {
    var drawing: [String] = []
    for (kind, text) in Self.kinds {
      drawing.append(layers.filter { $0.kind == kind }, of: text)
    }
    drawing.append(layers.filter { $0.kind == nil }, of: "the unknown content")
    for (key, text) in Self.keys {
      var users: [LottieLayer] = []
      for (node, layer) in zip(nodes, layers) where try Self.isThere(node.member(key)?.value) {
        // The time remapping of a precomposition is played.
        if key == "tm", layer.kind == .precomposition { continue }
        users.append(layer)
      }
      drawing.append(users, of: text)
    }
    self.drawing = drawing
  }

  /// Returns the texts for the animation of one layer.
  ///
  /// - Parameter driver: The index of the layer.
  func texts(driver place: Int, of file: LottieFile) -> [String] {
    let driver = file.layers[place]
    let transform = file.transform(of: place)
    var texts: [String] = []
    if !file.changes(place) {
      texts.append("\(driver.title): does not move while the file plays; name another layer")
    }
    if !transform.expressions.isEmpty {
      texts.append(
        "\(driver.label): \(Self.expressions(transform)); its keyframes play unchanged, so convert the "
          + "expression to keyframes before the export")
    }
    texts += transform.unsupportedFeatures.map { "\(driver.label): \($0)" }
    if transform.anchor.moves(in: file.playedFrames[place]) {
      texts.append("\(driver.label): the motion of its anchor (\(transform.path).a)")
    }
    if driver.kind == .null, transform.opacity.moves(in: file.playedFrames[place]) {
      texts.append(
        "\(driver.label): its opacity (\(transform.path).o), because a null object is never drawn")
    }
    let carriers = Array(file.carriers(of: place))
    let moving = carriers.filter(file.changes)
    if !moving.isEmpty {
      texts.append("\(driver.label): the motion of what carries it: \(Self.list(moving, of: file))")
    }
    let others = file.layers.indices.filter {
      $0 != place && !carriers.contains($0) && file.changes($0)
    }
    if !others.isEmpty {
      texts.append("the motion of other layers: \(Self.list(others, of: file))")
    }
    return texts + drawing
  }

  /// Returns the texts for the tracks of all layers.
  func texts(tracks layers: [LottieLayer]) -> [String] {
    var texts: [String] = []
    for layer in layers where layer.transform.hasKeyframes || layer.parent != nil {
      if !layer.transform.expressions.isEmpty {
        texts.append(
          "\(layer.label): not among the tracks because of \(Self.expressions(layer.transform))")
      }
      texts += layer.transform.unsupportedFeatures.map { "\(layer.label): \($0)" }
    }
    return texts + drawing
  }

  /// Names layers that a user may prefer.
  private static func list(_ places: [Int], of file: LottieFile) -> String {
    shortList(places.map { file.layers[$0].listTitle })
      + "; name one with --layer to play it instead"
  }

  /// Such as `the expression of p (layers[0].ks.p.x)`.
  private static func expressions(_ transform: LottieTransform) -> String {
    let keys = transform.expressions
    let places = keys.map { "\(transform.path).\($0).x" }
    return "the expression of \(keys.joined(separator: ", ")) (\(places.joined(separator: ", ")))"
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
  fileprivate mutating func append(_ layers: [LottieLayer], of text: String) {
    guard !layers.isEmpty else { return }
    append(
      "\(text) of \(layers.count) \(layers.count == 1 ? "layer" : "layers"): "
        + shortList(layers.map(\.listTitle)))
  }
}
