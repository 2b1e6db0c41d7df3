import ParallaxAnimation
package import ParallaxJSON
import ParallaxMotion

/// A Lottie (Bodymovin) file: the transforms of its layers. Shapes, images and texts are not read.
///
/// Source: the Lottie specification 1.0.1, and for older files what lottie-web's player does.
package struct LottieFile: Sendable {
  /// Frames a second.
  package let frameRate: Double
  /// Frames; it plays from `inFrame` to `outFrame`.
  package let inFrame: Double
  package let outFrame: Double

  let layers: [LottieLayer]
  /// The frames of the marker for those who want less motion.
  let reducedMotion: ClosedRange<Double>?
  private let leftOut: LottieLeftOut

  /// Whether an outermost object is a Lottie file and none of ours.
  package static func isLottie(_ value: JSONValue) -> Bool {
    guard case .object(let object) = value else { return false }
    return object["layers"] != nil && object["parallax"] == nil && object["animation"] == nil
  }

  package init(_ root: JSONNode) throws(JSONShapeError) {
    let rate = try root.required("fr")
    frameRate = try rate.quantity(in: 0...1e6)
    guard frameRate > 0 else { throw rate.error("expected a number of frames a second above 0") }
    inFrame = try LottieReader.frame(root.required("ip"))
    let out = try root.required("op")
    outFrame = try LottieReader.frame(out)
    guard outFrame > inFrame else {
      throw out.error("expected a frame behind \"ip\", \(SettingText.text(inFrame))")
    }
    let seconds = (outFrame - inFrame) / frameRate
    guard DocumentLimits.seconds.contains(seconds) else {
      throw out.error(
        "expected at most \(SettingText.text(DocumentLimits.seconds.upperBound)) s, "
          + "found \(SettingText.text(seconds)) s of frames")
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
    leftOut = try LottieLeftOut(layers, nodes)
  }

  /// Names of layers, as `document(driver:)` takes them.
  package var layerNames: [String] { layers.map(\.name).filter { !$0.isEmpty } }

  /// The animation of one layer.
  ///
  /// - Parameter driver: the layer's name; nil: the first that is animated.
  /// - Throws: where no layer has that name, or none is animated.
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
      leftOut: leftOut.texts(driver: place, of: layers))
  }

  /// What of the file `tracks` does not tell, for a person to read.
  package var leftOutOfTracks: [String] { leftOut.texts(tracks: layers) }

  private func driver(_ name: String?) throws(JSONShapeError) -> Int {
    if let name {
      if let place = layers.firstIndex(where: { $0.name == name }) { return place }
      throw JSONShapeError(
        path: "$.layers",
        message: "no layer is named \(Quoted.text(name)), only \(list(layerNames))")
    }
    // Keyframes that all say the same animate nothing, so that another layer is the better choice.
    if let place = layers.firstIndex(where: \.transform.moves)
      ?? layers.firstIndex(where: \.hasKeyframes)
    {
      return place
    }
    throw JSONShapeError(
      path: "$.layers",
      message: "no layer's transform is animated; shapes, images and texts are not played")
  }

  /// Names that Lottie's players on Android and iOS know.
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

/// A few names for a person to read.
func list(_ names: [String]) -> String {
  let shown = names.prefix(5).map(Quoted.text).joined(separator: ", ")
  return names.count > 5 ? "\(shown) and \(names.count - 5) more" : shown
}
