// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxDocuments
import ParallaxMotion
import Testing

/// What is layout of the artwork in a file, and therefore not motion of a user's picture.
@Suite struct LottieLayoutTests {
  private func timeline(_ layers: String..., driver: String? = nil) throws -> Timeline<Pose> {
    let file = try LottieFile(text: composition(layers.joined(separator: ",")))
    return Timeline(try file.document(driver: driver).animation)
  }

  private func expect(
    _ timeline: Timeline<Pose>, x: Double = 0, y: Double = 0, rotation: Double = 0,
    scale: Double = 1,
    scaleY: Double? = nil, opacity: Double = 1, at seconds: Double,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let pose = timeline.pose(at: seconds)
    let found = [
      pose.offset.x, pose.offset.y, pose.rotationDegrees, pose.scale, pose.scaleY, pose.opacity,
    ]
    let expected = [x, y, rotation, scale, scaleY ?? scale, opacity]
    #expect(
      zip(found, expected).allSatisfy { ($0 - $1).magnitude < 1e-9 },
      "found \(found), not \(expected)", sourceLocation: sourceLocation)
  }

  /// A null object at 11 % shrinks the artwork that it carries, not a user's picture.
  @Test func staticValuesAreLayout() throws {
    let hand = layer(
      "hand", type: 3,
      #""s":{"k":[11,11]},"r":{"k":30},"o":{"k":40},"p":\#(keyframes((0, "[5,5]"), (20, "[45,5]")))"#
    )
    let timeline = try timeline(hand, layer("artwork", ind: 2, "", more: #","parent":1"#))
    #expect(timeline.channels == .offset)
    expect(timeline, at: 0)
    expect(timeline, x: 40, at: 2)
  }

  /// Motion that passes through 0 degrees or 100 % is as in the file.
  @Test func motionThroughTheNeutralValueIsAsInTheFile() throws {
    let timeline = try timeline(
      layer(
        "a",
        #"""
        "r":\#(keyframes((0, "-90"), (20, "0"))),"s":\#(keyframes((0, "[50,80]"), (20, "[100,100]"))),
        "o":\#(keyframes((0, "20"), (20, "100")))
        """#))
    expect(timeline, rotation: -90, scale: 0.5, scaleY: 0.8, opacity: 0.2, at: 0)
    expect(timeline, at: 2)
  }

  /// The others are measured from where they start.
  @Test func otherMotionStartsAtRest() throws {
    let timeline = try timeline(
      layer(
        "a",
        #""r":\#(keyframes((0, "30"), (20, "90"))),"s":\#(keyframes((0, "[20,-40]"), (20, "[30,-60]")))"#
      ))
    #expect(timeline.channels == [.rotation, .scale])
    expect(timeline, at: 0)
    expect(timeline, rotation: 60, scale: 1.5, at: 2)
    expect(timeline, rotation: 30, scale: 1.25, at: 1)
    let velocity = timeline.velocity(at: 1)
    #expect(
      (velocity.rotationDegrees - 30).magnitude < 1e-9 && (velocity.scale - 0.25).magnitude < 1e-9)
  }

  /// What grows from almost nothing ends at rest, and what is shown best is opaque.
  @Test(arguments: [0, 1]) func growthFromNothing(start: Int) throws {
    let timeline = try timeline(
      layer(
        "a",
        #""s":\#(keyframes((0, "[\(start),\(start)]"), (20, "[85,85]"))),"o":\#(keyframes((0, "0"), (20, "40")))"#
      ))
    expect(timeline, scale: Double(start) / 85, opacity: 0, at: 0)
    expect(timeline, scale: Double(start + 85) / 170, opacity: 0.5, at: 1)
    expect(timeline, at: 2)
  }

  /// An axis of the scale that does not change is layout, also at 0.
  @Test func oneAxis() throws {
    expect(
      try timeline(layer("a", #""s":\#(keyframes((0, "[50,0]"), (20, "[75,0]")))"#)), scale: 1.5,
      scaleY: 1, at: 2)
  }

  /// A path is in px of the composition, whatever the layout of the layers around it.
  @Test func pathsAreInPxOfTheComposition() throws {
    let rig = layer("rig", ind: 1, type: 3, #""s":{"k":[200,50]},"r":{"k":90},"p":{"k":[7,7]}"#)
    let card = layer(
      "card", ind: 2, #""s":{"k":[10,10]},"p":\#(keyframes((0, "[1,2]"), (20, "[11,22]")))"#,
      more: #","parent":1"#)
    // 10 px along x are 20 px along y; 20 px along y are 10 px against x.
    let timeline = try timeline(rig, card)
    expect(timeline, at: 0)
    expect(timeline, x: -10, y: 20, at: 2)
    #expect(abs(timeline.velocity(at: 1).offset.y - 10) < 1e-9)
  }

  /// Parents that enlarge each other's children would make a path infinite.
  @Test func theScaleOfAllParentsIsLimited() throws {
    let parents = (1...100).map {
      layer("\($0)", ind: $0, type: 3, #""s":{"k":[1e6,1e6]}"#, more: #","parent":\#($0 + 1)"#)
    }
    let text = composition(
      layer(
        "card", ind: 0, #""p":\#(keyframes((0, "[0,0]"), (20, "[9,0]")))"#, more: #","parent":1"#),
      parents.joined(separator: ","))
    #expect(
      throws: JSONShapeError(
        path: "$.layers[0]",
        message:
          #"layer "card": the scale of what carries it is too large; the limit of all together "#
          + "is 1000 times")
    ) {
      try LottieFile(text: text).document()
    }
  }

  /// The motion of what carries a layer is left out, also while it grows from nothing.
  @Test func movingParentsCountWithTheirLayout() throws {
    let rig = layer("rig", ind: 1, type: 3, #""s":\#(keyframes((0, "[0,0]"), (20, "[50,50]")))"#)
    let card = layer(
      "card", ind: 2, #""p":\#(keyframes((0, "[0,0]"), (20, "[40,0]")))"#, more: #","parent":1"#)
    let file = try LottieFile(text: composition(rig, card))
    let document = try file.document(driver: "card")
    expect(Timeline(document.animation), x: 10, at: 1)
    #expect(
      document.unsupportedFeatures.first
        == #"layer "card": the motion of what carries it: "rig" (layers[0]); name one with --layer to play it instead"#
    )
  }
}
