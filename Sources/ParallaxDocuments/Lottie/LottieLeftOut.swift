import ParallaxJSON

/// What of a file is not played, for a person to read.
struct LottieLeftOut: Sendable {
  /// As `the effects of 3 layers`.
  private let drawing: [String]

  /// - Parameter nodes: the layers.
  init(_ layers: [LottieLayer], _ nodes: [JSONNode]) throws(JSONShapeError) {
    var drawing: [String] = []
    for (kind, text) in Self.kinds {
      drawing.append(count: layers.count { $0.kind == kind }, of: text)
    }
    drawing.append(count: layers.count { $0.kind == nil }, of: "what is unknown here")
    for (key, text) in Self.keys {
      var count = 0
      for node in nodes where try Self.isThere(node.member(key)?.value) { count += 1 }
      drawing.append(count: count, of: text)
    }
    self.drawing = drawing
  }

  /// - Parameter driver: the place of the layer that is played.
  func texts(driver place: Int, of layers: [LottieLayer]) -> [String] {
    let driver = layers[place]
    var texts: [String] = []
    if !driver.expressions.isEmpty {
      texts.append(
        "\(driver.title): the expression of \(driver.expressions.joined(separator: ", ")); "
          + "its keyframes are played as they are")
    }
    texts += driver.leftOut.map { "\(driver.title): \($0)" }
    if driver.kind == .null, driver.transform.opacity.differs(from: LottieVector(x: 100, y: 0)) {
      texts.append("\(driver.title): its opacity, a null object is never seen")
    }
    if driver.parent != nil { texts.append("\(driver.title): what its parents do") }
    let others = layers.indices.filter { $0 != place && layers[$0].transform.moves }
    if !others.isEmpty {
      texts.append(
        "\(others.count) more animated \(others.count == 1 ? "layer" : "layers"): "
          + list(others.map { layers[$0].shortTitle }))
    }
    return texts + drawing
  }

  func texts(tracks layers: [LottieLayer]) -> [String] {
    var texts: [String] = []
    for layer in layers where layer.hasKeyframes || layer.parent != nil {
      if !layer.expressions.isEmpty {
        texts.append(
          "\(layer.title): not among the tracks for the expression of "
            + layer.expressions.joined(separator: ", "))
      }
      texts += layer.leftOut.map { "\(layer.title): \($0)" }
    }
    return texts + drawing
  }

  private static let kinds: [(LottieLayer.Kind, String)] = [
    (.shape, "the shapes"), (.image, "the image"), (.text, "the text"),
    (.precomposition, "the layers inside"), (.solid, "the colour"), (.audio, "the sound"),
    (.camera, "the camera"),
  ]

  /// Members of a layer that say how it is drawn.
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

extension LottieCourse {
  /// Whether it is anywhere something other than what changes nothing.
  func differs(from neutral: LottieVector) -> Bool { moves || value(at: 0) != neutral }
}
