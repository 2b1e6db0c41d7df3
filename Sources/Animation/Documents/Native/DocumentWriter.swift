// SPDX-License-Identifier: Apache-2.0

public import ParallaxAnimation
import ParallaxBase

extension AnimationDocument {
  /// Creates a document of an animation that is written in Swift.
  ///
  /// ``encoded()`` checks it.
  ///
  /// - Parameters:
  ///   - animation: The animation.
  ///   - id: 1 to 128 letters, digits, `.`, `_` and `-`. Default: none.
  ///   - layer: The layer to move. Default: all layers.
  ///   - stagger: Several layers to move one after the other, instead of `layer`. Default: none.
  ///   - reducedMotion: What plays instead under reduced motion. Default: nothing.
  public init(
    _ animation: Animation, id: String? = nil, layer: String? = nil, stagger: Stagger? = nil,
    reducedMotion: ReducedMotion = .none
  ) {
    self.init(
      id: id, layer: layer, stagger: stagger, animation: animation, reducedMotion: reducedMotion)
  }

  /// Returns the document as JSON text on one line, which
  /// ``init(_:name:lottieLayer:variables:)`` reads.
  ///
  /// The text contains what plays: of two animations that always play alike, it may become the other one. An
  /// empty animation becomes an empty sequence, and the values of a keyframe in channels that it does not set
  /// are left out.
  ///
  /// - Throws: ``DocumentError`` with the place in the document, for a number or a length beyond the limits of
  ///   documents, and for what documents cannot express: a layer of a Lottie file, and a keyframe that sets one
  ///   axis of the offset.
  public func encoded() throws(DocumentError) -> String {
    let value: JSONValue
    do throws(JSONShapeError) {
      value = .object(try json())
    } catch {
      throw DocumentError(name: Self.defaultName, error)
    }
    // The reader knows the limits. It reads the value, too, since a text cannot have numbers that are not finite.
    _ = try DocumentReader.read(value, name: Self.defaultName)
    let text = value.text
    _ = try DocumentReader.read(Array(text.utf8), name: Self.defaultName)
    return text
  }

  /// The name of a document without a file, for messages.
  package static let defaultName = "document"

  private func json() throws(JSONShapeError) -> JSONObject {
    var root: JSONObject = ["parallax": 1]
    root.add("id", text: id)
    root.add("layer", text: layer)
    root.add(
      "stagger",
      stagger.map {
        [
          "layers": .array($0.layers.map { .string($0) }), "delay": .number($0.delaySeconds),
        ]
      })
    root.add("reduced-motion", try reducedMotion.json())
    root.add(
      "animation",
      try JSONShapeError.locating("$.animation") { () throws(JSONShapeError) in
        try AnimationWriter.value(of: animation)
      })
    return root
  }
}

extension AnimationDocument.ReducedMotion {
  /// nil for `none`.
  fileprivate func json() throws(JSONShapeError) -> JSONValue? {
    switch self {
    case .none: return nil
    case .document(id: "none"):
      throw JSONShapeError(
        path: "$.reduced-motion", message: "\"none\" means no animation; use another id")
    case .document(let id): return .string(id)
    case .animation(let animation):
      return try JSONShapeError.locating("$.reduced-motion") { () throws(JSONShapeError) in
        try AnimationWriter.value(of: animation)
      }
    }
  }
}
