// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
package import ParallaxBase
import ParallaxMotion

/// A Lottie (Bodymovin) file: the transforms of its layers. Shapes, images and text are not read.
///
/// Sources: the Lottie specification 1.0.1 and, for older files, the behavior of lottie-web.
package struct LottieFile: Sendable {
  /// Frames per second.
  package let frameRate: Double
  /// The first frame; it plays from `inFrame` to `outFrame`.
  package let inFrame: Double
  package let outFrame: Double

  /// Those of the file first, then those of its precompositions.
  let layers: [LottieLayer]
  /// The frames of each layer's own composition that play.
  let playedFrames: [ClosedRange<Double>]
  /// The number of layers of the file itself.
  let ownCount: Int
  private let failures: [String]
  /// The frames of the marker for reduced motion.
  let reducedMotion: ClosedRange<Double>?
  private let unsupported: UnsupportedLottieFeatures

  /// Returns whether a document is a Lottie file, not a native one.
  static func isLottie(_ value: JSONValue) -> Bool {
    guard case .object(let object) = value else { return false }
    return object["layers"] != nil && object["parallax"] == nil && object["animation"] == nil
  }

  /// - Parameter variables: The values of slots, by id.
  package init(
    _ root: JSONNode, variables: VariableValues = .none
  ) throws(JSONShapeError) {
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
    var reader = try LottieReader(root, variables: variables.object)
    let nodes = try root.required("layers").elements()
    var layers: [LottieLayer] = []
    layers.reserveCapacity(nodes.count)
    for (place, node) in nodes.enumerated() {
      layers.append(
        try reader.layer(node, place: place, composition: inFrame...outFrame))
    }
    try LottieParents.connect(&layers, nodes, failures: &reader.failures)
    ownCount = layers.count
    unsupported = try UnsupportedLottieFeatures(layers, nodes)
    let compositions = LottieCompositions(
      root, layers, nodes, frameRate: frameRate, reader: &reader)
    try reader.checkGiven()
    self.layers = compositions.layers
    playedFrames = Self.playedFrames(of: compositions.layers, in: inFrame...outFrame)
    failures = reader.failures
    reducedMotion = try Self.reducedMotion(root, frameRate: frameRate)
  }

  /// The names of the layers, for `document(driver:)`.
  package var layerNames: [String] { layers.map(\.name).filter { !$0.isEmpty } }

  /// Returns the animation of one layer.
  ///
  /// - Parameter name: The name of the layer; nil for the one that moves most of the picture.
  /// - Throws: If no layer has that name, none moves, or its path would be too long.
  package func document(driver name: String? = nil) throws(JSONShapeError) -> AnimationDocument {
    let place = if let name { try layer(named: name) } else { try driver() }
    let track = try LottieTrack(self, place, from: inFrame, to: outFrame)
    var reduced = AnimationDocument.ReducedMotion.none
    if let frames = reducedMotion {
      let track = try LottieTrack(self, place, from: frames.lowerBound, to: frames.upperBound)
      reduced = .animation(.track(PoseTrackReference(track)))
    }
    return AnimationDocument(
      animation: .track(PoseTrackReference(track)), reducedMotion: reduced,
      lottieLayer: title(of: place),
      unsupportedFeatures: unsupported.texts(driver: place, of: self) + failures)
  }

  /// Descriptions of the parts that `tracks` does not show.
  package var unsupportedTrackFeatures: [String] { unsupported.texts(tracks: layers) + failures }

  private func layer(named name: String) throws(JSONShapeError) -> Int {
    if let place = place(ofLayer: name) { return place }
    let known = shortList(layerNames.map(QuotedText.of))
    throw JSONShapeError(
      path: "$.layers",
      message: "no layer is named \(QuotedText.of(name)); the layers are \(known)")
  }

  /// Returns a layer by its name, by its place in the file, `layers[2]`, or by the names of the layers
  /// around it and its own: `scene/card`.
  func place(ofLayer name: String) -> Int? {
    if let place = layers.firstIndex(where: { $0.name == name }) { return place }
    if let place = layers.firstIndex(where: { $0.path == name }) { return place }
    guard name.contains("/") else { return nil }
    return layers.indices.first { path(of: $0) == name }
  }

  /// Returns the names of the layers around a layer and its own: `scene/card`.
  private func path(of place: Int) -> String {
    guard let container = layers[place].container else { return layers[place].name }
    return "\(path(of: container))/\(layers[place].name)"
  }

  /// Returns the clocks that lead from the file's frames to those of a layer, outer ones first.
  func clocks(of place: Int) -> [LottieClock] {
    var clocks: [LottieClock] = []
    var outer = layers[place].container
    while let current = outer {
      if let clock = layers[current].clock { clocks.append(clock) }
      outer = layers[current].container
    }
    return clocks.reversed()
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
  let shown = names.prefix(5).joined(separator: ", ")
  return names.count > 5 ? "\(shown) and \(names.count - 5) more" : shown
}
