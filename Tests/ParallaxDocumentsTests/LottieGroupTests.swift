// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxDocuments
import ParallaxMotion
import Testing

/// Shape layers whose motion is that of a group of shapes.
@Suite struct LottieGroupTests {
  private static let turning = #""r":\#(keyframes((0, "0"), (20, "90")))"#
  private static let moving = #""p":\#(keyframes((0, "[0,0]"), (20, "[40,0]")))"#

  private static func group(_ name: String, _ transform: String, _ items: String...) -> String {
    let items = items + [#"{"ty":"tr",\#(transform)}"#]
    return #"{"ty":"gr","nm":"\#(name)","it":[\#(items.joined(separator: ","))]}"#
  }

  private static func file(_ shapes: String..., ks: String = "", others: String = "") -> String {
    let shapes = #","shapes":[\#(shapes.joined(separator: ","))]"#
    return composition(layer("wheel", ks, more: shapes) + others)
  }

  /// A file, and what of it plays.
  static let files: [(text: String, plays: String)] = [
    (
      file(group("rim", turning)), #"group "rim" (layers[0].shapes[0]) of layer "wheel""#
    ),
    // Beside a fill, after a group that stands still.
    (
      file(#"{"ty":"fl"}"#, group("hub", #""r":{"k":3}"#), group("rim", turning)),
      #"group "rim" (layers[0].shapes[2]) of layer "wheel""#
    ),
    // The outermost group, then the first.
    (
      file(
        group("hub", #""r":{"k":3}"#, group("bolt", turning)), group("rim", moving),
        group("tire", moving)), #"group "rim" (layers[0].shapes[1]) of layer "wheel""#
    ),
    (
      file(group("hub", #""r":{"k":3}"#, group("bolt", turning))),
      #"group "bolt" (layers[0].shapes[0].it[0]) of layer "wheel""#
    ),
    // A layer that moves plays itself.
    (file(group("rim", turning), ks: moving), #"layer "wheel" (layers[0])"#),
    // A hidden group is not drawn.
    (
      file(
        group("hub", turning).replacing(#""ty":"gr""#, with: #""ty":"gr","hd":true"#),
        group("rim", moving)), #"group "rim" (layers[0].shapes[1]) of layer "wheel""#
    ),
  ]

  @Test(arguments: files) func theOutermostGroupThatMovesPlays(text: String, plays: String) throws {
    #expect(try LottieFile(text: text).document().lottieLayer == plays)
  }

  /// Its path is in px of the composition: the layout of the layer and of the groups around it counts.
  @Test func pathsAreInPxOfTheComposition() throws {
    let text = Self.file(
      Self.group("all", #""s":{"k":[50,50]}"#, Self.group("dot", Self.moving)),
      ks: #""s":{"k":[20,20]},"r":{"k":90}"#)
    let timeline = Timeline(try LottieFile(text: text).document().animation)
    #expect(timeline.channels == .offset)
    let end = timeline.pose(at: 2).offset
    #expect(abs(end.x) < 1e-9 && abs(end.y - 4) < 1e-9)
  }

  /// A group is only a part of a layer: a layer that moves is preferred, unless it only fades.
  @Test(arguments: [(moving, "card"), (#""o":\#(keyframes((0, "0"), (20, "100")))"#, "rim")])
  func layersComeFirst(other: String, plays: String) throws {
    let text = Self.file(
      Self.group("rim", Self.turning), others: "," + layer("card", ind: 2, other))
    let file = try LottieFile(text: text)
    #expect(try file.document().lottieLayer?.contains(plays) == true)
    #expect(try file.document(driver: "wheel").lottieLayer?.contains("rim") == true)
  }

  /// A file plays without a group that cannot be read.
  @Test func aWrongGroupIsLeftOut() throws {
    let text = Self.file(
      Self.group("rim", #""r":{"k":"x"}"#), others: "," + layer("card", ind: 2, Self.moving))
    let document = try LottieFile(text: text).document()
    #expect(document.lottieLayer == #"layer "card" (layers[1])"#)
    #expect(
      document.unsupportedFeatures.contains(
        #"the groups of shapes: $.layers[0].shapes[0].it[0].r.k: layer "wheel": expected a number from -1000000 to 1000000, got a string"#
      ), "\(document.unsupportedFeatures)")
  }

  /// Keyframes of groups that do not play do not count toward the limit.
  @Test func groupsThatDoNotPlayAreNotCounted() throws {
    let equal = (0..<6_000).map { #"{"t":\#($0),"s":[1]}"# }.joined(separator: ",")
    let still = Self.group("hub", #""r":{"k":[\#(equal)]}"#)
    let text = Self.file(still, still, Self.group("rim", Self.turning))
    #expect(try LottieFile(text: text).document().lottieLayer?.contains("rim") == true)
  }
}
