import ParallaxAnimation
import ParallaxDocuments
import ParallaxJSON
import ParallaxMotion
import ParallaxTestSupport
import Testing

/// What a Lottie file plays: which layer, which part, and what of it stays out.
@Suite struct LottieFileTests {
  /// A layer that goes 60 px to the right, and one that only fades.
  private let mover = layer("mover", #""p":\#(keyframes((5, "[100,50]"), (15, "[160,50]")))"#)
  private let fader = layer("fader", ind: 2, #""o":\#(keyframes((0, "100"), (20, "0")))"#)
  private let still = layer("still", ind: 3, #""p":{"a":0,"k":[7,7]}"#)

  private func pose(_ document: AnimationDocument, at seconds: Double) -> Pose {
    Timeline(document.animation).pose(at: seconds)
  }

  // -- What it adds

  @Test func `a position adds the way from where it was first`() throws {
    let document = try LottieFile(text: composition(mover)).document()
    #expect(Timeline(document.animation).durationSeconds == 2)
    #expect(Timeline(document.animation).channels == .offset)
    #expect(pose(document, at: 0) == .rest)
    #expect(pose(document, at: 1) == Pose(offset: PixelOffset(x: 30, y: 0)))
    #expect(pose(document, at: 2) == Pose(offset: PixelOffset(x: 60, y: 0)))
    #expect(pose(document, at: 9) == Pose(offset: PixelOffset(x: 60, y: 0)))
  }

  @Test func `rotation, scale and opacity are what the file says`() throws {
    let all = layer(
      "all",
      #"""
      "r":\#(keyframes((0, "[30]"), (20, "[90]"))),"s":{"a":0,"k":[50,150]},"o":{"a":0,"k":40}
      """#)
    let document = try LottieFile(text: composition(all)).document()
    let half = pose(document, at: 1)
    #expect(half.rotationDegrees == 60)
    // A pose has one scale: the mean of the axes'.
    #expect(half.scale == 1)
    #expect(abs(half.opacity - 0.4) < 1e-12)
    #expect(Timeline(document.animation).channels == [.rotation, .scale, .opacity])
  }

  @Test func `a file that begins unseen begins unseen`() throws {
    let appearing = layer("a", #""o":\#(keyframes((0, "[0]"), (10, "[100]")))"#)
    let document = try LottieFile(text: composition(appearing)).document()
    #expect(pose(document, at: 0).opacity == 0)
    #expect(pose(document, at: 0.5).opacity == 0.5)
    #expect(pose(document, at: 2) == .rest)
  }

  @Test func `a null object is never seen, so that its opacity hides nothing`() throws {
    let null = layer(
      "handle", type: 3, #""o":{"k":0},"r":\#(keyframes((0, "0"), (20, "10")))"#)
    let document = try LottieFile(text: composition(null)).document()
    #expect(pose(document, at: 1) == Pose(rotationDegrees: 5))
    #expect(document.leftOut == [#"layer "handle": its opacity, a null object is never seen"#])
  }

  @Test func `it composes as any other animation does`() throws {
    let file = try LottieFile(text: composition(mover)).document()
    let twice = Timeline(file.animation.repeated(2))
    #expect(twice.pose(at: 3) == Pose(offset: PixelOffset(x: 90, y: 0)))
    let back = Timeline(file.animation.reversed())
    #expect(back.pose(at: 2).offset == PixelOffset(x: -60, y: 0))
  }

  // -- Which layer

  @Test(arguments: [
    // Layers, who is asked for, who plays.
    (["mover", "fader"], nil, "offset"),
    (["fader", "mover"], nil, "opacity"),
    (["still", "fader", "mover"], nil, "opacity"),
    (["fader", "mover"], "mover", "offset"),
    (["mover", "still"], "still", ""),
    // Keyframes that all say the same are the last choice.
    (["same", "fader"], nil, "opacity"),
    (["same"], nil, ""),
  ])
  func `the layer that is named plays, else the first that is animated`(
    names: [String], driver: String?, channel: String
  ) throws {
    let same = layer("same", ind: 4, #""r":\#(keyframes((0, "0"), (9, "0")))"#)
    let layers = ["mover": mover, "fader": fader, "still": still, "same": same]
    let list = names.compactMap { layers[$0] }.joined(separator: ",")
    let document = try LottieFile(text: composition(list)).document(driver: driver)
    let channels: [String: PoseChannels] = ["offset": .offset, "opacity": .opacity, "": []]
    #expect(Timeline(document.animation).channels == channels[channel])
  }

  @Test func `a layer that is not there is an error that names those that are`() throws {
    let file = try LottieFile(text: composition(mover, fader))
    #expect(file.layerNames == ["mover", "fader"])
    #expect(
      throws: JSONShapeError(
        path: "$.layers", message: #"no layer is named "card", only "mover", "fader""#)
    ) {
      try file.document(driver: "card")
    }
  }

  @Test func `a file in which nothing moves is an error`() throws {
    let file = try LottieFile(text: composition(still))
    #expect(
      throws: JSONShapeError(
        path: "$.layers",
        message: "no layer's transform is animated; shapes, images and texts are not played")
    ) {
      try file.document()
    }
  }

  // -- Less motion

  @Test(arguments: ["reduced motion", "Reduced Motion", "reducedMotion", "reduced_motion"])
  func `a marker says what plays under reduce motion`(name: String) throws {
    let markers = #","markers":[{"cm":"other","tm":0},{"cm":"\#(name)","tm":10,"dr":5}]"#
    let document = try LottieFile(text: composition(mover, more: markers)).document()
    guard case .animation(let reduced) = document.reducedMotion else {
      Issue.record("no alternative")
      return
    }
    let timeline = Timeline(reduced)
    #expect(timeline.durationSeconds == 0.5)
    // From where the marker's own first frame is: no jump at the start.
    #expect(timeline.pose(at: 0) == .rest)
    #expect(timeline.pose(at: 0.5).offset == PixelOffset(x: 30, y: 0))
    #expect(Timeline(document.animation).durationSeconds == 2)
  }

  @Test func `a marker without a duration is a picture that stands`() throws {
    let markers = #","markers":[{"cm":"reduced motion","tm":10}]"#
    let document = try LottieFile(text: composition(fader, more: markers)).document()
    guard case .animation(let reduced) = document.reducedMotion else {
      Issue.record("no alternative")
      return
    }
    #expect(Timeline(reduced).durationSeconds == 0)
    #expect(Timeline(reduced).end(from: .rest).opacity == 0.5)
  }

  @Test func `without a marker nothing plays under reduce motion`() throws {
    #expect(try LottieFile(text: composition(mover)).document().reducedMotion == .none)
  }

  // -- What stays out

  @Test func `an expression is passed over, and that is said`() throws {
    let text = layer(
      "bouncing",
      #""p":{"a":1,"x":"var $bm_rt = 1;","k":[{"t":0,"s":[0,0]},{"t":20,"s":[10,0]}]}"#)
    let document = try LottieFile(text: composition(text)).document()
    #expect(pose(document, at: 1).offset == PixelOffset(x: 5, y: 0))
    #expect(
      document.leftOut.first
        == #"layer "bouncing": the expression of p; its keyframes are played as they are"#)
  }

  @Test func `what is drawn is counted`() throws {
    let text = composition(
      layer(
        "a", ind: 1, #""sk":{"k":3},"rx":{"k":9},"rz":\#(keyframes((0, "0"), (9, "9")))"#,
        more: #","ao":1,"shapes":[],"ef":[{}],"parent":2"#),
      layer("b", ind: 2, type: 2, #""r":\#(keyframes((0, "0"), (9, "9")))"#),
      layer("c", ind: 3, type: 5, ""), #"{"ty":6}"#, #"{"ty":99}"#)
    #expect(
      try LottieFile(text: text).document().leftOut == [
        #"layer "a": skew"#, #"layer "a": turning in space"#,
        #"layer "a": turning along its way"#, #"layer "a": what its parents do"#,
        #"1 more animated layer: "b""#, "the shapes of 1 layer", "the image of 1 layer",
        "the text of 1 layer", "the sound of 1 layer", "what is unknown here of 1 layer",
        "the effects of 1 layer",
      ])
  }

  @Test(.needsShared) func `the starfish says which of its tracks are missing`() throws {
    let file = try LottieFile(named: "lw_starfish")
    // Six layers, and what is drawn.
    #expect(file.leftOutOfTracks.count { $0.contains("not among the tracks") } == 6)
    #expect(
      file.leftOutOfTracks.first
        == #"layer "main": not among the tracks for the expression of p"#)
  }
}
