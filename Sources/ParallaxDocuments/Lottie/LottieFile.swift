// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
package import ParallaxJSON
import ParallaxMotion
import ParallaxText

/// A Lottie (Bodymovin) file: the transforms of its layers. Shapes, images and text are not read.
///
/// Sources: the Lottie specification 1.0.1 and, for older files, the behavior of lottie-web.
package struct LottieFile: Sendable {
  /// Frames per second.
  package let frameRate: Double
  /// The first frame; it plays from `inFrame` to `outFrame`.
  package let inFrame: Double
  package let outFrame: Double

  let layers: [LottieLayer]
  /// The frames of the marker for reduced motion.
  let reducedMotion: ClosedRange<Double>?
  private let unsupported: UnsupportedLottieFeatures

  /// Returns whether a document is a Lottie file, not a native one.
  static func isLottie(_ value: JSONValue) -> Bool {
    guard case .object(let object) = value else { return false }
    return object["layers"] != nil && object["parallax"] == nil && object["animation"] == nil
  }

  package init(_ root: JSONNode) throws(JSONShapeError) {
    let rate = try root.required("fr")
    frameRate = try rate.quantity(in: 0...1e6)
    guard frameRate > 0 else { throw rate.error("expected a frame rate above 0") }
    inFrame = try LottieReader.frame(root.required("ip"))
    let out = try root.required("op")
    outFrame = try LottieReader.frame(out)
    guard outFrame > inFrame else {
      throw out.error("expected a frame after \"ip\", which is \(SettingText.text(inFrame))")
    }
    let seconds = (outFrame - inFrame) / frameRate
    guard DocumentLimits.seconds.contains(seconds) else {
      throw out.error(
        "too long; the limit is \(SettingText.text(DocumentLimits.seconds.upperBound)) s, "
          + "got \(SettingText.text(seconds)) s")
    }
    var reader = LottieReader()
    let nodes = try root.required("layers").elements()
    var layers: [LottieLayer] = []
    layers.reserveCapacity(nodes.count)
    for (place, node) in nodes.enumerated() {
      layers.append(
        try reader.layer(node, place: place, composition: inFrame...outFrame))
    }
    try LottieParents.connect(&layers, nodes)
    self.layers = layers
    reducedMotion = try Self.reducedMotion(root, frameRate: frameRate)
    unsupported = try UnsupportedLottieFeatures(layers, nodes)
  }

  /// The names of the layers, for `document(driver:)`.
  package var layerNames: [String] { layers.map(\.name).filter { !$0.isEmpty } }

  /// Returns the animation of one layer.
  ///
  /// - Parameter driver: The name of the layer; nil for the first animated one.
  /// - Throws: If no layer has that name or none is animated.
  package func document(driver name: String? = nil) throws(JSONShapeError) -> AnimationDocument {
    let place = try driver(name)
    let driver = layers[place]
    let track = LottieTrack(driver, frameRate: frameRate, from: inFrame, to: outFrame)
    var reduced = AnimationDocument.ReducedMotion.none
    if let frames = reducedMotion {
      let track = LottieTrack(
        driver, frameRate: frameRate, from: frames.lowerBound, to: frames.upperBound)
      reduced = .animation(.track(PoseTrackReference(track)))
    }
    return AnimationDocument(
      animation: .track(PoseTrackReference(track)), reducedMotion: reduced,
      unsupportedFeatures: unsupported.texts(driver: place, of: layers))
  }

  /// Descriptions of the parts that `tracks` does not show.
  package var unsupportedTrackFeatures: [String] { unsupported.texts(tracks: layers) }

  private func driver(_ name: String?) throws(JSONShapeError) -> Int {
    if let name {
      if let place = layers.firstIndex(where: { $0.name == name }) { return place }
      throw JSONShapeError(
        path: "$.layers",
        message: "no layer is named \(QuotedText.of(name)); the layers are \(shortList(layerNames))"
      )
    }
    // Keyframes with equal values do not move; prefer a layer that does.
    if let place = layers.firstIndex(where: \.transform.moves)
      ?? layers.firstIndex(where: \.hasKeyframes)
    {
      return place
    }
    throw JSONShapeError(
      path: "$.layers",
      message: "no layer has an animated transform; shapes, images and text are not played")
  }

  /// The names that the Lottie players of Android and iOS know.
  private static let reducedMotionNames = [
    "reduced motion", "reducedmotion", "reduced_motion", "reduced-motion",
  ]

  private static func reducedMotion(
    _ root: JSONNode, frameRate: Double
  ) throws(JSONShapeError) -> ClosedRange<Double>? {
    for marker in try root.member("markers")?.elements() ?? [] {
      guard case .string(let name)? = try marker.member("cm")?.value,
        reducedMotionNames.contains(name.lowercased())
      else { continue }
      let first = try LottieReader.frame(marker.required("tm"))
      let frames =
        try marker.member("dr")?.quantity(in: 0...DocumentLimits.seconds.upperBound * frameRate)
        ?? 0
      return first...(first + frames)
    }
    return nil
  }
}

/// Returns the first names and the number of the others.
func shortList(_ names: [String]) -> String {
  let shown = names.prefix(5).map(QuotedText.of).joined(separator: ", ")
  return names.count > 5 ? "\(shown) and \(names.count - 5) more" : shown
}
