// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxDocuments
import ParallaxMotion
import ParallaxTestSupport
import Testing

/// The animation of a Lottie file: its layer, its frames and the unsupported features.
@Suite struct LottieFileTests {
  /// A layer that moves 60 px to the right, one that only fades, and one that does neither.
  private let mover = layer("mover", #""p":\#(keyframes((5, "[100,50]"), (15, "[160,50]")))"#)
  private let fader = layer("fader", ind: 2, #""o":\#(keyframes((0, "100"), (20, "0")))"#)
  private let still = layer("still", ind: 3, #""p":{"a":0,"k":[7,7]}"#)

  private func pose(_ document: AnimationDocument, at seconds: Double) -> Pose {
    Timeline(document.animation).pose(at: seconds)
  }

  // MARK: - Poses

  @Test func positionIsRelativeToTheFirstFrame() throws {
    let document = try LottieFile(text: composition(mover)).document()
    #expect(Timeline(document.animation).durationSeconds == 2)
    #expect(Timeline(document.animation).channels == .offset)
    #expect(pose(document, at: 0) == .rest)
    #expect(pose(document, at: 1) == Pose(offset: PixelOffset(x: 30, y: 0)))
    #expect(pose(document, at: 2) == Pose(offset: PixelOffset(x: 60, y: 0)))
    #expect(pose(document, at: 9) == Pose(offset: PixelOffset(x: 60, y: 0)))
  }

  @Test func invisibleStartIsInvisible() throws {
    let appearing = layer("a", #""o":\#(keyframes((0, "[0]"), (10, "[100]")))"#)
    let document = try LottieFile(text: composition(appearing)).document()
    #expect(pose(document, at: 0).opacity == 0)
    #expect(pose(document, at: 0.5).opacity == 0.5)
    #expect(pose(document, at: 2) == .rest)
  }

  @Test func nullObjectHasNoOpacity() throws {
    let null = layer(
      "handle", type: 3,
      #""o":\#(keyframes((0, "0"), (20, "100"))),"r":\#(keyframes((0, "0"), (20, "10")))"#)
    let document = try LottieFile(text: composition(null)).document()
    #expect(pose(document, at: 1) == Pose(rotationDegrees: 5))
    #expect(
      document.unsupportedFeatures == [
        #"layer "handle": its opacity (layers[0].ks.o), because a null object is never drawn"#
      ])
  }

  @Test func tracksCompose() throws {
    let file = try LottieFile(text: composition(mover)).document()
    let twice = Timeline(file.animation.repeated(2))
    #expect(twice.pose(at: 3) == Pose(offset: PixelOffset(x: 90, y: 0)))
    let back = Timeline(file.animation.reversed())
    #expect(back.pose(at: 2).offset == PixelOffset(x: -60, y: 0))
  }

  // MARK: - Layers

  @Test(
    arguments: [(nil, .offset), ("mover", .offset), ("fader", .opacity), ("still", [])]
      as [(String?, PoseChannels)])
  func aNamedLayerPlays(driver: String?, channels: PoseChannels) throws {
    let file = try LottieFile(text: composition(still, fader, mover))
    #expect(Timeline(try file.document(driver: driver).animation).channels == channels)
  }

  @Test func unknownLayerIsAnErrorWithTheNames() throws {
    let file = try LottieFile(text: composition(mover, fader))
    #expect(file.layerNames == ["mover", "fader"])
    #expect(
      throws: JSONShapeError(
        path: "$.layers", message: #"no layer is named "card"; the layers are "mover", "fader""#)
    ) {
      try file.document(driver: "card")
    }
  }

  // MARK: - Reduced motion

  @Test(arguments: ["reduced motion", "Reduced Motion", "reducedMotion", "reduced_motion"])
  func markerSelectsReducedMotion(name: String) throws {
    let markers = #","markers":[{"cm":"other","tm":0},{"cm":"\#(name)","tm":10,"dr":5}]"#
    let document = try LottieFile(text: composition(mover, more: markers)).document()
    guard case .animation(let reduced) = document.reducedMotion else {
      Issue.record("no alternative")
      return
    }
    let timeline = Timeline(reduced)
    #expect(timeline.durationSeconds == 0.5)
    // Relative to the first frame of the marker: no jump at the start.
    #expect(timeline.pose(at: 0) == .rest)
    #expect(timeline.pose(at: 0.5).offset == PixelOffset(x: 30, y: 0))
    #expect(Timeline(document.animation).durationSeconds == 2)
  }

  @Test func markerWithoutDurationIsOneFrame() throws {
    let markers = #","markers":[{"cm":"reduced motion","tm":10}]"#
    let document = try LottieFile(text: composition(fader, more: markers)).document()
    guard case .animation(let reduced) = document.reducedMotion else {
      Issue.record("no alternative")
      return
    }
    #expect(Timeline(reduced).durationSeconds == 0)
    #expect(Timeline(reduced).end(from: .rest).opacity == 0.5)
  }

  @Test func withoutMarkerNothingPlays() throws {
    #expect(try LottieFile(text: composition(mover)).document().reducedMotion == .none)
  }

  // MARK: - Unsupported features

  @Test func expressionsAreIgnoredAndListed() throws {
    let text = layer(
      "bouncing",
      #""p":{"a":1,"x":"var $bm_rt = 1;","k":[{"t":0,"s":[0,0]},{"t":20,"s":[10,0]}]}"#)
    let document = try LottieFile(text: composition(text)).document()
    #expect(pose(document, at: 1).offset == PixelOffset(x: 5, y: 0))
    #expect(
      document.unsupportedFeatures.first
        == #"layer "bouncing": the expression of p (layers[0].ks.p.x); its keyframes play unchanged, so convert the expression to keyframes before the export"#
    )
  }

  @Test func unsupportedFeaturesAreListed() throws {
    let turn = keyframes((0, "0"), (9, "9"))
    let text = composition(
      layer(
        "a", ind: 1,
        #""sk":{"k":3},"rx":{"k":9},"rz":\#(turn),"a":\#(keyframes((0, "[0,0]"), (9, "[9,9]")))"#,
        more: #","ao":1,"shapes":[],"ef":[{}],"parent":2"#),
      layer("b", ind: 2, type: 2, #""r":\#(turn)"#), layer("c", ind: 3, type: 5, ""),
      #"{"ty":6}"#, #"{"ty":99}"#, layer("d", ind: 6, type: 2, #""r":\#(turn)"#))
    #expect(
      try LottieFile(text: text).document(driver: "a").unsupportedFeatures == [
        #"layer "a": skew (layers[0].ks.sk)"#, #"layer "a": 3D rotation (layers[0].ks.rx)"#,
        #"layer "a": orientation along the path (layers[0].ao)"#,
        #"layer "a": the motion of its anchor (layers[0].ks.a)"#,
        #"layer "a": the motion of what carries it: "b" (layers[1]); name one with --layer to play it instead"#,
        #"the motion of other layers: "d" (layers[5]); name one with --layer to play it instead"#,
        #"the shapes of 1 layer: "a" (layers[0])"#,
        #"the image of 2 layers: "b" (layers[1]), "d" (layers[5])"#,
        #"the text of 1 layer: "c" (layers[2])"#, "the sound of 1 layer: layers[3]",
        "the unknown content of 1 layer: layers[4]", #"the effects of 1 layer: "a" (layers[0])"#,
      ])
  }

  @Test func starfishListsItsMissingTracks() throws {
    let file = try LottieFile(named: "lw_starfish")
    // Six layers with an expression.
    #expect(file.unsupportedTrackFeatures.count { $0.contains("not among the tracks") } == 6)
    #expect(
      file.unsupportedTrackFeatures.first
        == #"layer "main": not among the tracks because of the expression of p (layers[3].ks.p.x)"#)
  }
}
