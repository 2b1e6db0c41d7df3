// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxMotion

/// Reads `{"parallax": 1, "id": ..., "layer": ..., "variables": ..., "reduced-motion": ...,
/// "animation": ...}`.
enum NativeDocument {
  private static let keys = [
    "parallax", "id", "layer", "stagger", "variables", "reduced-motion", "animation",
  ]

  /// - Parameter variables: The values that the request gives.
  static func read(
    _ root: JSONNode, variables: JSONObject
  ) throws(JSONShapeError) -> AnimationDocument {
    try root.checkKeys(keys)
    let root = try DocumentVariables.resolve(root, given: variables)
    let version = try root.required("parallax")
    guard version.value == .integer(1) else {
      throw version.error("expected 1, the only version")
    }
    var reader = AnimationReader()
    var document = AnimationDocument(
      id: try id(root), layer: try layer(root),
      animation: try reader.animation(try root.required("animation")))
    document.stagger = try stagger(root, nodes: reader.nodes)
    document.reducedMotion = try reducedMotion(root, &reader)
    return document
  }

  /// `{"layers": ["bg", "card"], "delay": 0.08}`
  private static func stagger(
    _ root: JSONNode, nodes: Int
  ) throws(JSONShapeError) -> AnimationDocument.Stagger? {
    guard let node = try root.member("stagger") else { return nil }
    guard try root.member("layer") == nil else {
      throw node.error("both \"stagger\" and \"layer\"; use one of them")
    }
    try node.checkKeys(["layers", "delay"])
    let list = try node.required("layers")
    var layers: [String] = []
    for element in try list.elements() {
      let name = try element.checked { text throws(SettingError) in
        try Layer(name: text, depth: 0).name
      }
      guard !layers.contains(name) else {
        throw element.error("the layer \(QuotedText.of(name)) is in the list twice")
      }
      layers.append(name)
    }
    guard DocumentLimits.layers.contains(layers.count) else {
      throw list.error(
        "expected \(DocumentLimits.layers.lowerBound) to \(DocumentLimits.layers.upperBound) layers, "
          + "got \(layers.count)")
    }
    // Each layer has an animation of its own.
    guard nodes * layers.count <= DocumentLimits.nodes else {
      throw list.error(
        "\(layers.count) layers with \(nodes) animations and keyframes each; the limit is "
          + "\(DocumentLimits.nodes) together")
    }
    let delay = try node.required("delay").quantity(in: DocumentLimits.seconds, unit: " (s)")
    return AnimationDocument.Stagger(layers: layers, delaySeconds: delay)
  }

  private static func id(_ root: JSONNode) throws(JSONShapeError) -> String? {
    guard let node = try root.member("id") else { return nil }
    return try node.checked { text throws(SettingError) in try DocumentID(text).text }
  }

  private static func layer(_ root: JSONNode) throws(JSONShapeError) -> String? {
    guard let node = try root.member("layer") else { return nil }
    return try node.checked { text throws(SettingError) in try Layer(name: text, depth: 0).name }
  }

  private static func reducedMotion(
    _ root: JSONNode, _ reader: inout AnimationReader
  ) throws(JSONShapeError) -> AnimationDocument.ReducedMotion {
    guard let node = try root.member("reduced-motion") else { return .none }
    switch node.value {
    case .string("none"): return .none
    case .string:
      return .document(
        id: try node.checked { text throws(SettingError) in try DocumentID(text).text })
    case .object: return .animation(try reader.animation(node))
    default:
      throw node.error(
        "expected \"none\", the id of another animation or an animation, got \(node.value.kind)")
    }
  }
}

extension JSONNode {
  /// Returns the result of a check of a string.
  func checked<Value>(
    _ check: (String) throws(SettingError) -> Value
  ) throws(JSONShapeError) -> Value {
    let text = try string()
    do { return try check(text) } catch { throw self.error(error.message) }
  }

  /// Throws for a key that is not in the list. A misspelled one would otherwise be ignored
  /// silently.
  func checkKeys(_ allowed: [String]) throws(JSONShapeError) {
    for (key, node) in try members() where !allowed.contains(key) {
      let guess = NearestName.of(key, among: allowed).map { "; did you mean \"\($0)\"?" }
      throw node.error("unknown key\(guess ?? ";") allowed: \(QuotedText.list(allowed))")
    }
  }

  /// Returns a number in a range.
  ///
  /// - Parameter unit: Follows the range in a message: ` (px)`.
  func quantity(
    in range: ClosedRange<Double>, unit: String = ""
  ) throws(JSONShapeError) -> Double {
    let bounds = "\(SettingText.text(range.lowerBound)) to \(SettingText.text(range.upperBound))"
    let expected = "expected a number from \(bounds)\(unit)"
    let number: Double
    switch value {
    case .integer(let whole): number = Double(whole)
    case .double(let real): number = real
    default: throw error("\(expected), got \(value.kind)")
    }
    guard range.contains(number) else {
      throw error("\(expected), got \(SettingText.text(number))")
    }
    return number
  }
}
