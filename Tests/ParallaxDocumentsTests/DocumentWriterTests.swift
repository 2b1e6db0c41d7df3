// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxDocuments
import ParallaxMotion
import ParallaxTestSupport
import Testing

/// An animation that is written as a document and read again is the same.
@Suite("Writing documents") struct DocumentWriterTests {
  /// Returns what a reader makes of a document that has been written.
  private func copy(_ document: AnimationDocument) throws -> AnimationDocument {
    try AnimationDocument(try document.encoded().utf8)
  }

  @Test func everyAnimationReturnsAsItWas() throws {
    var generator = SeededGenerator.forTest(salt: 31)
    for number in 0..<2_000 {
      let animation = Animation.random(depth: 4, using: &generator)
      let document = AnimationDocument(animation)
      #expect(try copy(document).animation == animation, "\(number), \(generator.note)")
    }
  }

  @Test(
    arguments: NativeDocumentTests.steps + NativeDocumentTests.compositions
      + NativeDocumentTests.keyframes)
  func everyConstructOfTheReaderIsWritten(_ construct: Construct) throws {
    #expect(try copy(AnimationDocument(construct.animation)).animation == construct.animation)
  }

  @Test func aDocumentKeepsItsOtherParts() throws {
    let fade = Animation.fade(to: 0)
    let documents = [
      AnimationDocument(fade, id: "a.b-c_1", layer: "card"),
      AnimationDocument(fade, stagger: .init(layers: ["bg", "card"], delay: .seconds(0.08))),
      AnimationDocument(fade, reducedMotion: .document(id: "gentle")),
      AnimationDocument(fade, reducedMotion: .animation(.delay(.seconds(1)))),
    ]
    for document in documents { #expect(try copy(document) == document) }
  }

  @Test func aDocumentIsOneLineOfJSON() throws {
    let document = AnimationDocument(
      .move(by: PixelOffset(x: 12, y: -0.5), duration: .seconds(0.25), curve: .easeOut), id: "in")
    #expect(
      try document.encoded()
        == #"{"parallax":1,"id":"in","animation":{"move":{"by":[12,-0.5]},"duration":0.25,"curve":"ease-out"}}"#
    )
  }

  /// Two that play alike: documents have only one of them.
  @Test(arguments: [
    (Animation.empty, Animation.sequence([])), (.scale(byX: 2, y: 2), .scale(by: 2)),
    (
      .keyframes(
        Keyframes(
          [.init(share: 1, pose: Pose(scale: 2, opacity: 0.5), channels: .scale)],
          duration: .seconds(1))),
      .keyframes(
        Keyframes([.init(share: 1, pose: Pose(scale: 2), channels: .scale)], duration: .seconds(1)))
    ),
  ])
  func whatPlaysIsTheSame(_ animation: Animation, _ read: Animation) throws {
    #expect(try copy(AnimationDocument(animation)).animation == read)
  }

  @Test(arguments: [
    (
      AnimationDocument(.sequence([.delay(.zero), .fade(to: 1.5)])),
      "$.animation.sequence[1].fade.to: expected a number from 0 to 1, got 1.5"
    ),
    (
      AnimationDocument(.rotate(by: .nan)),
      "$.animation.rotate.by: expected a number from -1000000 to 1000000 (degrees clockwise), got nan"
    ),
    (
      AnimationDocument(.fade(to: 0).speed(0).reversed()),
      "$.animation.reverse.speed: expected a number from 0.001 to 1000, got 0"
    ),
    (
      AnimationDocument(
        .parallel([
          .keyframes(
            Keyframes(
              [.init(share: 1, pose: .rest, channels: PoseChannels(.x))], duration: .seconds(1)))
        ])),
      "$.animation.parallel[0].keyframes[0]: sets one axis of the offset; a keyframe of a document sets both"
    ),
    (
      AnimationDocument(.empty, id: "a b"),
      #"$.id: invalid animation id "a b"; use 1 to 128 characters of A-Z, a-z, 0-9, '.', '_' and '-'"#
    ),
    (
      AnimationDocument(.empty, reducedMotion: .document(id: "none")),
      #"$.reduced-motion: "none" means no animation; use another id"#
    ),
    (
      AnimationDocument((0..<100).reduce(Animation.empty) { inner, _ in inner.autoreversed() }),
      "$.animation"
        + String(repeating: ".autoreverse", count: 64)
        + ": animations nested too deep; the limit is 64 levels"
    ),
  ])
  func whatDocumentsCannotExpressIsAnError(_ document: AnimationDocument, _ message: String) {
    let error = #expect(throws: DocumentError.self) { try document.encoded() }
    #expect(error?.description == "document: " + message)
  }

  @Test func aLayerOfALottieFileIsAnError() throws {
    let document = try AnimationDocument(
      #"{"v":"5.5","fr":30,"ip":0,"op":30,"w":10,"h":10,"layers":[{"ty":4,"nm":"a","ip":0,"op":30,"ks":{"r":{"a":1,"k":[{"t":0,"s":[0]},{"t":30,"s":[90]}]}}}]}"#
        .utf8)
    let error = #expect(throws: DocumentError.self) { try document.encoded() }
    #expect(error?.place == "$.animation")
  }

  @Test func aTooLargeDocumentIsAnError() {
    let step = Animation.move(by: PixelOffset(x: 1.0 / 3, y: 2.0 / 3), curve: .bezier(.longest))
    let error = #expect(throws: DocumentError.self) {
      try AnimationDocument(.sequence(Array(repeating: step, count: 9_999))).encoded()
    }
    #expect(error?.message.contains("the limit is 1048576") == true)
  }
}

extension CubicBezier {
  /// One whose numbers have many digits.
  fileprivate static let longest = CubicBezier(
    x1: 1.0 / 3, y1: -1.0 / 7, x2: 1.0 / 9, y2: -1.0 / 11)
}

extension Animation {
  /// Returns any animation that a document can express.
  fileprivate static func random(
    depth: Int, using generator: inout SeededGenerator
  ) -> Animation {
    func child() -> Animation { random(depth: depth - 1, using: &generator) }
    func children() -> [Animation] {
      (0..<Int.random(in: 0...3, using: &generator)).map { _ in child() }
    }
    switch Int.random(in: 0...(depth > 0 ? 11 : 3), using: &generator) {
    case 0: return .delay(.random(in: 0...86_400, using: &generator))
    case 1: return .keyframes(.random(using: &generator))
    case 2, 3: return step(.random(using: &generator))
    case 4: return .sequence(children())
    case 5: return .parallel(children())
    case 6: return child().repeated(Int.random(in: 0...1_000_000_000, using: &generator))
    case 7: return child().repeatedForever()
    case 8: return child().reversed()
    case 9: return child().autoreversed()
    case 10: return child().looped(.times(3), pause: .random(in: 0...10, using: &generator))
    default: return child().speed(Double.random(in: 0.001...1_000, using: &generator))
    }
  }
}

extension AnimationStep {
  fileprivate static func random(using generator: inout SeededGenerator) -> AnimationStep {
    let isTimed = Bool.random(using: &generator)
    return AnimationStep(
      .random(using: &generator),
      durationSeconds: isTimed ? Double.random(in: 0...86_400, using: &generator) : nil,
      curve: .random(using: &generator))
  }
}

extension PoseChange {
  fileprivate static func random(using generator: inout SeededGenerator) -> PoseChange {
    let px = PixelOffset.random(using: &generator)
    let anchor = PixelOffset.random(using: &generator)
    let degrees = Double.random(in: -1e6...1e6, using: &generator)
    // Two different ones.
    let x = Double.random(in: -1e3...0, using: &generator)
    let y = Double.random(in: 0.5...1e3, using: &generator)
    let all: [PoseChange] = [
      .moveBy(px), .moveTo(px), .rotateBy(degrees), .rotateTo(degrees),
      .pivotBy(degrees, anchor: anchor), .pivotTo(degrees, anchor: anchor), .scaleBy(x),
      .scaleTo(y), .stretchBy(x: x, y: y), .stretchTo(x: y, y: x),
      .fadeTo(Double.random(in: 0...1, using: &generator)),
    ]
    return all.randomElement(using: &generator) ?? .moveBy(px)
  }
}

extension Keyframes {
  fileprivate static func random(using generator: inout SeededGenerator) -> Keyframes {
    let count = Int.random(in: 0...4, using: &generator)
    let shares = (0..<count).map { _ in Double.random(in: 0...1, using: &generator) }.sorted()
    return Keyframes(
      shares.map { .random(share: $0, using: &generator) },
      durationSeconds: Double.random(in: 0...86_400, using: &generator))
  }
}

extension Keyframes.Frame {
  /// At rest in the channels that it does not set.
  fileprivate static func random(
    share: Double, using generator: inout SeededGenerator
  ) -> Keyframes.Frame {
    var frame = Keyframes.Frame(
      share: share, pose: .rest, channels: [], curve: .random(using: &generator))
    let bits = Int.random(in: 1...15, using: &generator)
    if bits & 1 != 0 {
      frame.channels.formUnion(.offset)
      frame.pose.offset = .random(using: &generator)
    }
    if bits & 2 != 0 {
      frame.channels.formUnion(.rotation)
      frame.pose.rotationDegrees = Double.random(in: -1e6...1e6, using: &generator)
    }
    if bits & 4 != 0 {
      frame.channels.formUnion(.scale)
      frame.pose.scale = Double.random(in: -1e3...1e3, using: &generator)
      let isUniform = Bool.random(using: &generator)
      frame.pose.scaleY =
        isUniform ? frame.pose.scale : Double.random(in: -1e3...1e3, using: &generator)
    }
    if bits & 8 != 0 {
      frame.channels.formUnion(.opacity)
      frame.pose.opacity = Double.random(in: 0...1, using: &generator)
    }
    return frame
  }
}

extension Curve {
  fileprivate static func random(using generator: inout SeededGenerator) -> Curve {
    func number(_ range: ClosedRange<Double>) -> Double {
      Double.random(in: range, using: &generator)
    }
    switch Int.random(in: 0...5, using: &generator) {
    case 0:
      let named: [Curve] = [
        .linear, .ease, .easeIn, .easeOut, .easeInOut, .smooth, .snappy, .bouncy,
        .steps(StepCurve(1, .jumpStart)),
      ]
      return named.randomElement(using: &generator) ?? .linear
    case 1:
      return .bezier(
        CubicBezier(
          x1: number(0...1), y1: number(-1e3...1e3), x2: number(0...1), y2: number(-1e3...1e3)))
    case 2:
      let position = StepCurve.Position.allCases.randomElement(using: &generator) ?? .jumpEnd
      return .steps(StepCurve(Int.random(in: 1...1_000_000, using: &generator), position))
    case 3:
      let count = Int.random(in: 2...5, using: &generator)
      return .points(
        PointCurve((0..<count).map { _ in .init(input: number(0...1), output: number(-2...2)) }))
    case 4:
      return .points(
        PointCurve(stops: [.init(output: 0), .init(output: number(-2...2)), .init(output: 1)]))
    default:
      return .spring(
        Spring(
          responseSeconds: number(0.001...1_000), damping: number(0.001...1_000),
          initialVelocity: number(-1_000...1_000)))
    }
  }
}

extension PixelOffset {
  fileprivate static func random(using generator: inout SeededGenerator) -> PixelOffset {
    PixelOffset(
      x: Double.random(in: -1e6...1e6, using: &generator),
      // Whole numbers are written without a fraction.
      y: Double.random(in: -1e6...1e6, using: &generator).rounded())
  }
}

extension Duration {
  fileprivate static func random(
    in seconds: ClosedRange<Double>, using generator: inout SeededGenerator
  ) -> Duration {
    .seconds(Double.random(in: seconds, using: &generator))
  }
}
