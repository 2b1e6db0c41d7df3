// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

extension LottieReader {
  /// Reads an element of `layers`, without its parent, which `LottieParents` resolves.
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
      // It may be the parent of others.
      if let transform = try node.member("ks") { try self.transform(transform, into: &layer) }
    case .audio, .camera:
      // Not visible; the transform of a camera has another form.
      break
    }
    if try Self.flag(node.member("ao")) {
      layer.unsupportedFeatures.append("orientation along the path")
    }
    return layer
  }

  private mutating func transform(
    _ node: JSONNode, into layer: inout LottieLayer
  ) throws(JSONShapeError) {
    if let position = try node.member("p") {
      layer.transform.position = try self.position(position, &layer)
    }
    if let track = try track(node, "a", .pair, &layer) { layer.transform.anchor = track }
    if let track = try track(node, "s", .pair, &layer) { layer.transform.scale = track }
    // In a 3D layer, `rz` is the rotation in the plane of the screen.
    let rotation = try node.member("r") == nil ? "rz" : "r"
    if let track = try track(node, rotation, .number, &layer) {
      layer.transform.rotation = track
    }
    if let track = try track(node, "o", .number, &layer) { layer.transform.opacity = track }
    if try isUsed(node, "sk") { layer.unsupportedFeatures.append("skew") }
    let isRotated3D = try (x: isUsed(node, "rx"), y: isUsed(node, "ry"))
    if isRotated3D.x || isRotated3D.y { layer.unsupportedFeatures.append("3D rotation") }
  }

  private mutating func position(
    _ node: JSONNode, _ layer: inout LottieLayer
  ) throws(JSONShapeError) -> LottieTransform.Position {
    guard try Self.flag(node.member("s")), try !isSlotted(node) else {
      return .joined(note(try property(node, .pair), "p", &layer))
    }
    let x = try property(node.required("x"), .number)
    let y = try property(node.required("y"), .number)
    return .split(x: note(x, "p.x", &layer), y: note(y, "p.y", &layer))
  }

  private mutating func track(
    _ node: JSONNode, _ key: String, _ shape: Shape, _ layer: inout LottieLayer
  ) throws(JSONShapeError) -> LottieMotionTrack? {
    guard let member = try node.member(key) else { return nil }
    return note(try property(member, shape), key, &layer)
  }

  private func note(
    _ property: Property, _ key: String, _ layer: inout LottieLayer
  ) -> LottieMotionTrack {
    if property.hasKeyframes { layer.hasKeyframes = true }
    if property.hasExpression { layer.expressions.append(key) }
    return property.track
  }

  /// Returns whether a number that is not played ever differs from 0.
  private mutating func isUsed(_ node: JSONNode, _ key: String) throws(JSONShapeError) -> Bool {
    guard let member = try node.member(key) else { return false }
    let track = try property(member, .number).track
    return track.moves || track.value(at: 0) != .zero
  }
}
