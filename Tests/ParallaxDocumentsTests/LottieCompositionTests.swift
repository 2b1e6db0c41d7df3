// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxDocuments

/// Precompositions, time remapping and slots, against the tables of Tests/Lottie/evaluate.py, an evaluator
/// of its own.
@Suite struct LottieCompositionTests {
  private static let folder = TestEnvironment.packageRoot + "/Tests/Lottie"

  private func file(_ name: String, _ settings: String...) throws -> LottieFile {
    let bytes = try Array(text(ofFile: "\(Self.folder)/\(name).json").utf8)
    return try #require(
      try DocumentReader.lottieFile(
        bytes, name: name, variables: VariableValues(settings: settings)))
  }

  private struct Golden {
    var path: String
    var numbers: [Double]
  }

  private func table(_ name: String) throws -> [Golden] {
    try text(ofFile: "\(Self.folder)/\(name).csv").split(separator: "\n").dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      return Golden(path: String(cells[0]), numbers: cells.dropFirst().map { Double($0) ?? .nan })
    }
  }

  @Test(arguments: ["shifted", "remapped", "nested", "slots"])
  func tracksEqualTheTables(name: String) throws {
    var rows = try file(name).tracks(rateHertz: 30, hasNested: true)
    for golden in try table(name) {
      let next = rows.next()
      let row = try #require(next, "the table has another row: \(golden)")
      #expect(row.path == golden.path)
      let deviation =
        zip(row.numbers.dropFirst(), golden.numbers)
        .map { ($0 - $1).magnitude }.max() ?? 0
      #expect(deviation < 1e-6, "\(name): \(golden)\nfound \(row)")
    }
    let rest = rows.next()
    #expect(rest == nil, "more rows than the table has")
  }

  /// A layer that ends before it begins is never shown; the file is read all the same.
  @Test(arguments: [(0, 60), (20, 10), (60, 0)]) func aLayerMayEndBeforeItBegins(
    begin: Int, end: Int
  )
    throws
  {
    let text =
      #"{"v":"5.7.4","fr":60,"ip":0,"op":60,"layers":[{"ty":0,"nm":"stage","refId":"a","ind":1,"#
      + #""ip":\#(begin),"op":\#(end),"ks":{"p":{"a":0,"k":[0,0]}}}],"assets":[{"id":"a","layers":["#
      + #"{"ty":4,"nm":"dot","ind":1,"ks":{"p":{"a":0,"k":[3,4]}}}]}]}"#
    let file = try #require(
      try DocumentReader.lottieFile(Array(text.utf8), name: "backwards"))
    #expect(file.layerNames.contains("stage"))
  }

  /// A layer of a table, and its layout: how the layers around it turn and resize its path, and its opacity.
  struct Nested: Sendable {
    var file: String
    var layer: String
    var path: String
    /// Where a px of its x, and of its y, leads.
    var x: LottieVector
    var y: LottieVector
    var opacity = 100.0
  }

  private static let upright = (LottieVector(x: 1, y: 0), LottieVector(x: 0, y: 1))

  static let nested = [
    // `stage` has the scale [80, 120]; its rotation is motion of its own.
    Nested(
      file: "shifted", layer: "card", path: "2/1", x: LottieVector(x: 0.8, y: 0),
      y: LottieVector(x: 0, y: 1.2)),
    Nested(
      file: "shifted", layer: "stage/badge", path: "2/2", x: upright.0, y: upright.1, opacity: 80),
    Nested(file: "remapped", layer: "card", path: "1/1", x: upright.0, y: upright.1),
    // `left`, the parent of `right`, is turned by 90 degrees.
    Nested(
      file: "nested", layer: "all/left/dot", path: "3/7/1", x: LottieVector(x: 0, y: 1),
      y: LottieVector(x: -1, y: 0)),
    Nested(
      file: "nested", layer: "all/right/dot", path: "3/8/1", x: LottieVector(x: 0, y: 1),
      y: LottieVector(x: -1, y: 0)),
  ]

  /// What plays is the motion of the layer on its own clock, measured from its layout.
  @Test(arguments: nested) func posesEqualTheTables(nested: Nested) throws {
    let timeline = Timeline(try file(nested.file).document(driver: nested.layer).animation)
    let rows = try table(nested.file).filter { $0.path == nested.path }
    let first = try #require(rows.first).numbers
    for row in rows.map(\.numbers) {
      let pose = timeline.pose(at: row[1])
      let path = nested.x * (row[4] - first[4]) + nested.y * (row[5] - first[5])
      #expect((pose.offset.x - path.x).magnitude < 1e-6, "\(row)")
      #expect((pose.offset.y - path.y).magnitude < 1e-6, "\(row)")
      #expect((pose.rotationDegrees - row[10]).magnitude < 1e-6, "\(row)")
      #expect((pose.opacity - row[11] / nested.opacity).magnitude < 1e-6, "\(row)")
    }
  }

  /// A tenth of a millisecond on both sides gives the velocity.
  @Test(arguments: [("shifted", "card"), ("remapped", "card"), ("nested", "all/right/dot")])
  func velocitiesFollowTheClocks(name: String, layer: String) throws {
    let timeline = Timeline(try file(name).document(driver: layer).animation)
    let step = 1e-4
    for tick in 1..<25 {
      let time = Double(tick) / 25 * timeline.durationSeconds + 0.003
      let velocity = timeline.velocity(at: time)
      let change =
        (timeline.pose(at: time + step) - timeline.pose(at: time - step)) * (0.5 / step)
      for channel in PoseChannel.allCases {
        let tolerance = 1e-3 * (1 + velocity[channel].magnitude)
        #expect((change[channel] - velocity[channel]).magnitude < tolerance, "\(time) \(channel)")
      }
    }
  }

  @Test func theFilesOwnLayersComeFirst() throws {
    #expect(try file("shifted").place(ofLayer: "rig") == 0)
    // In the table, the layers of the file alone.
    let own = try file("shifted").tracks(rateHertz: 30).map(\.path)
    #expect(Set(own) == ["1", "2"])
  }

  /// A file whose only motion is in a precomposition plays it.
  @Test func nestedMotionPlaysByDefault() throws {
    let document = try file("remapped").document()
    #expect(Timeline(document.animation).channels == [.offset, .opacity])
    #expect(
      document.unsupportedFeatures == [
        #"the drawing of the nested layers of 1 layer: "scene" (layers[0])"#
      ])
  }

  // MARK: - Slots

  @Test func givenSlotsReplaceTheirProperties() throws {
    let given = try file("slots", "size=[200,50]", "angle=30")
    let row = try #require(given.tracks(rateHertz: 30).dropFirst(3).first { _ in true })
    #expect(row.scale == LottieVector(x: 200, y: 50))
    #expect(row.rotationDegrees == 30)
    #expect(
      try file("slots", "way=[1,2]").tracks(rateHertz: 30).first { _ in true }?.position
        == LottieVector(x: 1, y: 2))
  }

  @Test(arguments: [
    (
      "sise=[1,2]",
      #"slots: $.variables.sise: unknown slot; did you mean "size"? the document has "angle", "size", "way""#
    ),
    (
      "size=3",
      #"slots: $.variables.size: layer "card": expected a list of 2 numbers, got a number"#
    ),
    (
      "angle=far",
      #"slots: $.variables.angle: layer "card": expected a number from -1000000 to 1000000, got a string"#
    ),
  ])
  func wrongSlots(setting: String, message: String) {
    #expect {
      _ = try file("slots", setting)
    } throws: {
      withoutPosition($0) == message
    }
  }

  // MARK: - Files that cannot be shown completely

  private func document(assets: String, layers: String) throws -> AnimationDocument {
    let text = #"""
      {"fr": 10, "ip": 0, "op": 10, "assets": [\#(assets)], "layers": [
        {"ty": 3, "nm": "own", "ks": {"r": {"a": 1, "k": [{"t": 0, "s": [0]}, {"t": 9, "s": [9]}]}}},
        \#(layers)]}
      """#
    return try DocumentReader.read(Array(text.utf8), name: "test.json")
  }

  private static let scene = #"{"ty": 0, "nm": "scene", "refId": "a", "ks": {}}"#

  @Test(arguments: [
    (
      #"{"id": "a", "layers": [\#(scene)]}"#, scene,
      #"the layers in layer "scene" (assets[0].layers[0]): $.assets[0].layers[0].refId: the precomposition "a" contains itself"#
    ),
    (
      "", scene,
      #"the layers in layer "scene" (layers[1]): $.layers[1].refId: no precomposition has the id "a""#
    ),
    (
      #"{"id": "a", "layers": [{"ty": 4, "ks": {"r": {"k": "x"}}}]}"#, scene,
      #"the layers in layer "scene" (layers[1]): $.assets[0].layers[0].ks.r.k: layer 1: expected a number from -1000000 to 1000000, got a string"#
    ),
    (
      #"{"id": "a", "layers": []}"#, #"{"ty": 0, "nm": "scene", "refId": "a", "sr": 0, "ks": {}}"#,
      #"the layers in layer "scene" (layers[1]): $.layers[1].sr: expected a factor of at least 0.001"#
    ),
  ])
  func wrongPrecompositionsAreLeftOut(assets: String, layers: String, note: String) throws {
    let document = try document(assets: assets, layers: layers)
    #expect(document.unsupportedFeatures.contains(note), "\(document.unsupportedFeatures)")
    #expect(Timeline(document.animation).channels == .rotation)
  }

  /// Each level shows the next one ten times: 10^8 layers in a small file.
  @Test func precompositionsThatMultiplyAreBounded() throws {
    let levels = (0..<8).map { level in
      let layer = #"{"ty": 0, "refId": "\#(level + 1)", "ks": {}}"#
      let layers = Array(repeating: layer, count: 10).joined(separator: ",")
      return #"{"id": "\#(level)", "layers": [\#(layers)]}"#
    }
    let document = try document(
      assets: levels.joined(separator: ",") + #", {"id": "8", "layers": []}"#,
      layers: #"{"ty": 0, "nm": "all", "refId": "0", "ks": {}}"#)
    #expect(
      document.unsupportedFeatures.contains {
        $0.hasSuffix("too many layers and keyframes; the limit is 10000")
      })
  }

  @Test func depthIsBounded() throws {
    let levels = (0..<70).map {
      #"{"id": "\#($0)", "layers": [{"ty": 0, "refId": "\#($0 + 1)", "ks": {}}]}"#
    }
    let document = try document(
      assets: levels.joined(separator: ","), layers: #"{"ty": 0, "refId": "0", "ks": {}}"#)
    #expect(
      document.unsupportedFeatures.contains {
        $0.hasSuffix("precompositions nested too deep; the limit is 64 levels")
      })
  }
}
