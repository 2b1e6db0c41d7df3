// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

extension LottieReader {
  /// Reads an element of `layers`, without its parent, which `LottieParents` resolves.
  mutating func layer(
    _ node: JSONNode, place: Int, composition: ClosedRange<Double>
  ) throws(JSONShapeError) -> LottieLayer {
    let number = try node.member("ind")?.integer() ?? Int64(place + 1)
    let name = try node.member("nm")?.string() ?? ""
    var layer = LottieLayer(
      number: number, name: name, path: Self.path(node), inFrame: composition.lowerBound,
      outFrame: composition.upperBound)
    do {
      try count(node)
      try read(node, into: &layer)
    } catch {
      throw error.about(layer.label)
    }
    return layer
  }

  private mutating func read(
    _ node: JSONNode, into layer: inout LottieLayer
  ) throws(JSONShapeError) {
    layer.kind = LottieLayer.Kind(
      rawValue: Int(try node.required("ty").integer(in: 0...1000)))
    if let frame = try node.member("ip") { layer.inFrame = try Self.frame(frame) }
    if let frame = try node.member("op") { layer.outFrame = try Self.frame(frame) }
    let (hidden, matte) = (try node.member("hd"), try node.member("td"))
    layer.isShown = !Self.isSet(hidden) && !Self.isSet(matte)
    switch layer.kind {
    case .precomposition, .solid, .image, .null, .shape, .text:
      layer.transform = try transform(node.required("ks"))
    case nil:
      // It may be the parent of others.
      if let transform = try node.member("ks") { layer.transform = try self.transform(transform) }
    case .audio, .camera:
      // Not visible; the transform of a camera has another form.
      break
    }
    if try Self.flag(node.member("ao")) {
      layer.transform.unsupportedFeatures.append("orientation along the path (\(layer.path).ao)")
    }
    if layer.kind == .shape, !layer.transform.changes(in: Self.frames) {
      layer.group = changingGroup(of: node, layer.label)
    }
  }

  /// Reads a transform: `ks` of a layer, or the one of a group.
  mutating func transform(_ node: JSONNode) throws(JSONShapeError) -> LottieTransform {
    var transform = LottieTransform()
    transform.path = Self.path(node)
    if let position = try node.member("p") {
      transform.position = try self.position(position, &transform)
    }
    if let track = try track(node, "a", .pair, &transform) { transform.anchor = track }
    if let track = try track(node, "s", .scale, &transform) { transform.scale = track }
    // In a 3D layer, `rz` is the rotation in the plane of the screen.
    let rotation = try node.member("r") == nil ? "rz" : "r"
    if let track = try track(node, rotation, .number, &transform) { transform.rotation = track }
    if let track = try track(node, "o", .number, &transform) { transform.opacity = track }
    for (keys, text) in [(["sk"], "skew"), (["rx", "ry"], "3D rotation")] {
      for key in keys where try isUsed(node, key) {
        transform.unsupportedFeatures.append("\(text) (\(transform.path).\(key))")
      }
    }
    return transform
  }

  private mutating func position(
    _ node: JSONNode, _ transform: inout LottieTransform
  ) throws(JSONShapeError) -> LottieTransform.Position {
    guard try Self.flag(node.member("s")), try !isSlotted(node) else {
      return .joined(note(try property(node, .pair), "p", &transform))
    }
    let x = try property(node.required("x"), .number)
    let y = try property(node.required("y"), .number)
    return .split(x: note(x, "p.x", &transform), y: note(y, "p.y", &transform))
  }

  private mutating func track(
    _ node: JSONNode, _ key: String, _ shape: Shape, _ transform: inout LottieTransform
  ) throws(JSONShapeError) -> LottieMotionTrack? {
    guard let member = try node.member(key) else { return nil }
    return note(try property(member, shape), key, &transform)
  }

  private func note(
    _ property: Property, _ key: String, _ transform: inout LottieTransform
  ) -> LottieMotionTrack {
    if property.hasKeyframes { transform.hasKeyframes = true }
    if property.hasExpression { transform.expressions.append(key) }
    return property.track
  }

  /// Returns whether a number that is not played ever differs from 0.
  private mutating func isUsed(_ node: JSONNode, _ key: String) throws(JSONShapeError) -> Bool {
    guard let member = try node.member(key) else { return false }
    return try property(member, .number).track.values.contains { $0 != .zero }
  }

  /// Returns the place of a value in the file: `layers[2].ks`.
  static func path(_ node: JSONNode) -> String { String(node.path.dropFirst(2)) }
}

extension JSONShapeError {
  /// Returns the error with the name of what it is about: `layer "card": expected ...`.
  func about(_ name: String) -> JSONShapeError {
    JSONShapeError(path: path, message: "\(name): \(message)")
  }
}
