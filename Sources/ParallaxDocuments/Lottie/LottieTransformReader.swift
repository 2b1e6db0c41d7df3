import ParallaxJSON

extension LottieReader {
  /// One element of `layers`. `parent` is looked up by the file, which knows all of them.
  mutating func layer(
    _ node: JSONNode, place: Int, composition: ClosedRange<Double>
  ) throws(JSONShapeError) -> LottieLayer {
    try count(node)
    let number = try node.member("ind")?.integer() ?? Int64(place + 1)
    let name = try node.member("nm")?.string() ?? ""
    let kind = try node.required("ty").integer(in: 0...1000)
    var layer = LottieLayer(
      number: number, name: name, kind: LottieLayer.Kind(rawValue: Int(kind)),
      inFrame: try node.member("ip").map(Self.frame) ?? composition.lowerBound,
      outFrame: try node.member("op").map(Self.frame) ?? composition.upperBound)
    switch layer.kind {
    case .precomposition, .solid, .image, .null, .shape, .text:
      try transform(node.required("ks"), into: &layer)
    case nil:
      // Others may hang on it.
      if let transform = try node.member("ks") { try self.transform(transform, into: &layer) }
    case .audio, .camera:
      // Nothing that is seen; a camera's transform is of another kind.
      break
    }
    if try Self.flag(node.member("ao")) { layer.leftOut.append("turning along its way") }
    return layer
  }

  private mutating func transform(
    _ node: JSONNode, into layer: inout LottieLayer
  ) throws(JSONShapeError) {
    if let position = try node.member("p") {
      layer.transform.position = try self.position(position, &layer)
    }
    if let course = try course(node, "a", .pair, &layer) { layer.transform.anchor = course }
    if let course = try course(node, "s", .pair, &layer) { layer.transform.scale = course }
    // A layer in space has its turn about the axis to the viewer in `rz`.
    let rotation = try node.member("r") == nil ? "rz" : "r"
    if let course = try course(node, rotation, .number, &layer) {
      layer.transform.rotation = course
    }
    if let course = try course(node, "o", .number, &layer) { layer.transform.opacity = course }
    if try isUsed(node, "sk") { layer.leftOut.append("skew") }
    let turnsInSpace = try (x: isUsed(node, "rx"), y: isUsed(node, "ry"))
    if turnsInSpace.x || turnsInSpace.y { layer.leftOut.append("turning in space") }
  }

  private mutating func position(
    _ node: JSONNode, _ layer: inout LottieLayer
  ) throws(JSONShapeError) -> LottieTransform.Position {
    guard try Self.flag(node.member("s")) else {
      return .joined(note(try property(node, .pair), "p", &layer))
    }
    let x = try property(node.required("x"), .number)
    let y = try property(node.required("y"), .number)
    return .split(x: note(x, "p.x", &layer), y: note(y, "p.y", &layer))
  }

  private mutating func course(
    _ node: JSONNode, _ key: String, _ shape: Shape, _ layer: inout LottieLayer
  ) throws(JSONShapeError) -> LottieCourse? {
    guard let member = try node.member(key) else { return nil }
    return note(try property(member, shape), key, &layer)
  }

  private func note(
    _ property: Property, _ key: String, _ layer: inout LottieLayer
  ) -> LottieCourse {
    if property.hasKeyframes { layer.hasKeyframes = true }
    if property.hasExpression { layer.expressions.append(key) }
    return property.course
  }

  /// Whether a number that is not played is ever anything but 0.
  private mutating func isUsed(_ node: JSONNode, _ key: String) throws(JSONShapeError) -> Bool {
    guard let member = try node.member(key) else { return false }
    let course = try property(member, .number).course
    return course.moves || course.value(at: 0) != .zero
  }
}
