// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxDocuments
import ParallaxMotion
import Testing

/// Which layer of a Lottie file plays if none is named.
@Suite struct LottieDriverTests {
  private static let moving = #""p":\#(keyframes((0, "[0,0]"), (20, "[40,0]")))"#
  private static let turning = #""r":\#(keyframes((0, "0"), (20, "90")))"#
  private static let fading = #""o":\#(keyframes((0, "100"), (20, "0")))"#
  private static let artwork = layer("artwork", ind: 2, "", more: #","parent":1"#)

  /// A file whose layer `card` turns in a precomposition, shown by `scene`, and moves nothing else.
  private static func scene(_ clock: String, card: String = turning) -> String {
    let assets = #","assets":[{"id":"a","layers":[\#(layer("card", card))]}]"#
    return composition(
      #"{"ty":0,"ind":1,"nm":"scene","refId":"a","ks":{}\#(clock)}"#,
      layer("other", ind: 2, moving), more: assets)
  }

  /// A file, and the layer that plays.
  static let files: [(text: String, plays: String)] = [
    // The first of those that carry equally much.
    (composition(layer("a", moving), layer("b", ind: 2, moving)), #"layer "a" (layers[0])"#),
    // A null object moves what has it as its parent, and nothing without one.
    (
      composition(layer("hand", type: 3, moving), layer("b", ind: 2, turning)),
      #"layer "b" (layers[1])"#
    ),
    (
      composition(
        layer("b", ind: 9, turning), layer("hand", type: 3, moving), artwork,
        layer("more", ind: 3, "", more: #","parent":2"#)),
      #"layer "hand" (layers[1])"#
    ),
    (composition(layer("hand", type: 3, moving)), #"layer "hand" (layers[0])"#),
    // What moves plays before what only fades, however much that carries.
    (
      composition(layer("veil", fading), artwork, layer("b", ind: 3, moving)),
      #"layer "b" (layers[2])"#
    ),
    (composition(layer("veil", fading)), #"layer "veil" (layers[0])"#),
    // What is hidden, a matte, or never drawn carries nothing.
    (
      composition(
        layer("a", moving, more: #","hd":true"#), layer("b", ind: 2, moving, more: #","td":1"#),
        layer("c", ind: 3, moving, more: #","ip":30,"op":40"#), layer("d", ind: 4, turning)),
      #"layer "d" (layers[3])"#
    ),
    // Keyframes that are equal, or outside the frames that play.
    (
      composition(
        layer("a", #""r":\#(keyframes((0, "7"), (20, "7")))"#),
        layer("b", ind: 2, #""r":\#(keyframes((30, "0"), (40, "90")))"#), layer("c", ind: 3, moving)
      ),
      #"layer "c" (layers[2])"#
    ),
    // Only the anchor, which is not played.
    (
      composition(
        layer("a", #""a":\#(keyframes((0, "[0,0]"), (20, "[9,9]")))"#), layer("b", ind: 2, fading)),
      #"layer "b" (layers[1])"#
    ),
    // The time of a precomposition: it stands, passes, or shows only frames without motion.
    (scene(#","tm":{"a":0,"k":1}"#), #"layer "other" (layers[1])"#),
    (
      scene(#","tm":{"a":1,"k":[{"t":0,"s":[1]},{"t":20,"s":[1]}]}"#), #"layer "other" (layers[1])"#
    ),
    (scene(#","st":25"#), #"layer "other" (layers[1])"#),
    (
      scene(
        #","tm":{"a":1,"k":[{"t":0,"s":[3]},{"t":20,"s":[4]}]}"#), #"layer "other" (layers[1])"#
    ),
  ]

  @Test(arguments: files) func theLayerThatMovesMostOfThePicturePlays(text: String, plays: String)
    throws
  {
    #expect(try LottieFile(text: text).document().lottieLayer == plays)
  }

  /// A precomposition whose time passes plays by its layer, if that carries the most.
  @Test func nestedLayers() throws {
    let assets = #","assets":[{"id":"a","layers":[\#(layer("card", Self.turning))]}]"#
    let file = composition(#"{"ty":0,"nm":"scene","refId":"a","ks":{}}"#, more: assets)
    #expect(
      try LottieFile(text: file).document().lottieLayer == #"layer "card" (assets[0].layers[0])"#)
  }

  @Test func nothingMoves() throws {
    let frozen = Self.scene(#","tm":{"a":0,"k":1}"#).replacing(Self.moving, with: "")
    #expect(
      throws: JSONShapeError(
        path: "$.layers",
        message:
          #"no layer moves in frames 0 to 20; layer "card" (assets[0].layers[0]) has keyframes, "#
          + "but none of them changes it then; animate the position, rotation, scale or opacity of a layer, "
          + "because shapes, images and text are not played")
    ) {
      try LottieFile(text: frozen).document()
    }
  }

  /// A layer that is named plays even if it does not move, and the remark says so.
  @Test func aNamedLayerThatDoesNotMove() throws {
    let file = try LottieFile(text: Self.scene(#","tm":{"a":0,"k":1}"#))
    let document = try file.document(driver: "card")
    #expect(Timeline(document.animation).channels == [])
    #expect(
      document.unsupportedFeatures.first
        == #"layer "card" (assets[0].layers[0]): does not move while the file plays; name another layer"#
    )
  }

  /// Layers without a name, or with one that several have, are found by their place.
  @Test(arguments: ["layers[1]", "assets[0].layers[0]"]) func layersByPlace(path: String) throws {
    let file = try LottieFile(text: Self.scene(""))
    #expect(try file.document(driver: path).lottieLayer?.hasSuffix("(\(path))") == true)
  }

  @Test func aLongChainOfParents() throws {
    let layers = (1...4000).map {
      layer("\($0)", ind: $0, Self.moving, more: $0 > 1 ? #","parent":\#($0 - 1)"# : "")
    }
    // 8,000 keyframes would be too many.
    let text = composition(
      layers.map { $0.replacing(Self.moving, with: "") }.joined(separator: ",")
    )
    .replacing(#""nm":"1","ks":{}"#, with: #""nm":"1","ks":{\#(Self.moving)}"#)
    #expect(try LottieFile(text: text).document().lottieLayer == #"layer "1" (layers[0])"#)
  }
}
