// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxTestSupport
import Testing

@testable import ParallaxDocuments

/// docs/animations.md shows every construct in Swift and in JSON, as the same animation.
/// (RepositoryTests checks that its Swift is compiled and that its commands print what it shows.)
@Suite("docs/animations.md") struct AnimationsPageTests {
  private static let page = try? text(ofFile: TestEnvironment.packageRoot + "/docs/animations.md")

  private struct Block {
    var language: String
    var lines: [String] = []
  }

  private func blocks() throws -> [Block] {
    var blocks: [Block] = []
    var isInside = false
    for line in try #require(Self.page).split(separator: "\n") {
      if line.hasPrefix("```") {
        isInside.toggle()
        if isInside { blocks.append(Block(language: String(line.dropFirst(3)))) }
      } else if isInside {
        blocks[blocks.count - 1].lines.append(String(line))
      }
    }
    return blocks
  }

  private func read(_ line: String) throws -> AnimationDocument {
    let isWhole = line.hasPrefix(#"{"parallax""#)
    let text = isWhole ? line : #"{"parallax": 1, "animation": "# + line + "}"
    return try DocumentReader.read(Array(text.utf8), name: "docs/animations.md")
  }

  @Test func swiftAndJSONAreEqual() throws {
    let all = AnimationsExample.all
    var seen: [String] = []
    let blocks = try blocks()
    for (block, next) in zip(blocks, blocks.dropFirst()) where block.language == "swift" {
      let names = block.lines.filter { $0.hasPrefix("let ") }
        .map { String($0.dropFirst(4).prefix { $0 != " " }) }.filter { all[$0] != nil }
      try #require(next.language == "json", "\(names): no JSON after it")
      try #require(next.lines.count == names.count, "\(names), but \(next.lines)")
      for (name, line) in zip(names, next.lines) {
        let animation = try read(line).animation
        #expect(animation == all[name], "\(name): \(line)")
        seen.append(name)
      }
    }
    #expect(seen.sorted() == all.keys.sorted())
  }

  @Test func allJSONIsPlayable() throws {
    var count = 0
    for block in try blocks() where block.language == "json" {
      for line in block.lines {
        #expect(Timeline(try read(line).animation).durationSeconds >= 0, "\(line)")
        count += 1
      }
    }
    #expect(count > 40)
  }

  /// Curves in CSS notation equal the objects next to them.
  @Test(arguments: [
    (#""cubic-bezier(.3, -.5, .7, 1.5)""#, #"{"cubic-bezier": [0.3, -0.5, 0.7, 1.5]}"#),
    (#""steps(4, jump-end)""#, #"{"steps": 4}"#),
    (#""linear(0, 1.2 60%, 1)""#, #"{"linear": [0, [1.2, 0.6], 1]}"#),
    (#""spring(0.3, 0.6)""#, #"{"spring": {"response": 0.3, "damping": 0.6}}"#),
  ])
  func cssCurvesEqualTheirObjects(written: String, object: String) throws {
    #expect(try #require(Self.page).contains(#""curve": "# + written))
    #expect(try #require(Self.page).contains(#""curve": "# + object))
    #expect(
      try read(#"{"fade": {"to": 0}, "curve": \#(written)}"#).animation
        == read(#"{"fade": {"to": 0}, "curve": \#(object)}"#).animation)
  }

  /// The page shows every key that a document may have.
  @Test func everyKeyIsDocumented() throws {
    var shown: Set<String> = []
    func look(_ value: JSONValue) {
      switch value {
      case .object(let object):
        for member in object.members {
          shown.insert(member.key)
          look(member.value)
        }
      case .array(let elements): elements.forEach(look)
      default: break
      }
    }
    for block in try blocks() where block.language == "json" {
      for line in block.lines { look(try JSONValue.parse(line, limits: DocumentLimits.text)) }
    }
    let keys =
      AnimationReader.subjects + [
        "duration", "curve", "repeat", "loop", "count", "pause", "reverse", "autoreverse", "speed",
        "at", "from", "by", "to", "anchor",
        "cubic-bezier", "steps", "linear", "spring", "response", "damping", "velocity", "parallax",
        "id",
        "layer", "stagger", "layers", "variables", "strength", "feel", "reduced-motion",
        "animation",
      ]
    for key in keys { #expect(shown.contains(key), "no block shows \"\(key)\"") }
    // And no other key, so that a new one is added to the list above.
    #expect(shown.subtracting(keys) == [])
  }

  /// The page shows every case of an animation, a change and a curve.
  @Test func everyConstructIsDocumented() {
    var shown: Set<String> = []
    func look(_ animation: Animation) {
      switch animation.content {
      case .empty: shown.insert("empty")
      case .delay: shown.insert("delay")
      case .track: shown.insert("track")
      case .step(let step):
        shown.insert("\(step.change)".prefix { $0 != "(" }.description)
        look(step.curve)
      case .keyframes(let keyframes):
        shown.insert("keyframes")
        keyframes.frames.forEach { look($0.curve) }
      case .sequence(let children):
        shown.insert("sequence")
        children.forEach(look)
      case .parallel(let children):
        shown.insert("parallel")
        children.forEach(look)
      case .repeated(let child, let count):
        shown.insert(count == .forever ? "forever" : "times")
        look(child)
      case .reversed(let child):
        shown.insert("reversed")
        look(child)
      case .autoreversed(let child):
        shown.insert("autoreversed")
        look(child)
      case .speed(let child, _):
        shown.insert("speed")
        look(child)
      }
    }
    func look(_ curve: Curve) {
      switch curve {
      case .linear: shown.insert("linear")
      case .bezier: shown.insert("bezier")
      case .steps(let steps): shown.insert("steps \(steps.position)")
      case .points: shown.insert("points")
      case .spring: shown.insert("spring")
      }
    }
    AnimationsExample.all.values.forEach(look)
    // `track` occurs only in Lottie files; `empty` is an empty sequence.
    #expect(
      shown == [
        "delay", "moveBy", "moveTo", "rotateBy", "rotateTo", "pivotBy", "pivotTo", "scaleBy",
        "scaleTo",
        "stretchBy", "stretchTo", "fadeTo",
        "keyframes", "sequence", "parallel", "forever", "times", "reversed", "autoreversed",
        "speed",
        "linear", "bezier", "steps jumpStart", "steps jumpEnd", "steps jumpNone", "points",
        "spring",
      ])
  }
}
