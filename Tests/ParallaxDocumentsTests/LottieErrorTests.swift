// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDocuments
import Testing

/// The messages for malformed Lottie files: where, what is wrong, and what is allowed.
@Suite struct LottieErrorTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var text: String
    var error: String

    init(_ text: String, _ error: String) {
      self.text = text
      self.error = error
    }

    var testDescription: String { error }
  }

  private static func position(_ json: String) -> String {
    composition(layer("a", #""p":"# + json))
  }

  private static func rotation(_ keyframes: String) -> String {
    composition(layer("a", #""r":{"a":1,"k":[\#(keyframes)]}"#))
  }

  static let cases = [
    // The composition.
    Case(#"{"ip":0,"op":9,"layers":[]}"#, #"$: "fr" is missing"#),
    Case(
      #"{"fr":0,"ip":0,"op":9,"layers":[]}"#,
      "$.fr: expected a frame rate above 0"),
    Case(
      #"{"fr":"30","ip":0,"op":9,"layers":[]}"#,
      "$.fr: expected a number from 0 to 1000000, got a string"),
    Case(
      #"{"fr":30,"ip":5,"op":5,"layers":[]}"#, #"$.op: expected a frame after "ip", which is 5"#),
    Case(
      #"{"fr":0.001,"ip":0,"op":100,"layers":[]}"#,
      "$.op: too long; the limit is 86400 s, got 100000 s"),
    Case(
      #"{"fr":30,"ip":0,"op":1e300,"layers":[]}"#,
      "$.op: expected a number from -1000000000 to 1000000000, got 1e+300"),
    Case(#"{"fr":30,"ip":0,"op":9,"layers":{}}"#, "$.layers: expected an array, got an object"),
    Case(
      #"{"fr":30,"ip":0,"op":9,"layers":[3]}"#, "$.layers[0]: expected an object, got a number"),
    // Layers.
    Case(composition(#"{"ks":{}}"#), #"$.layers[0]: layer 1: "ty" is missing"#),
    Case(composition(#"{"ty":4}"#), #"$.layers[0]: layer 1: "ks" is missing"#),
    Case(
      composition(#"{"ty":4,"ks":[]}"#), "$.layers[0].ks: layer 1: expected an object, got an array"
    ),
    Case(
      composition(
        layer("a", ind: 1, "", more: #","parent":2"#), layer("b", ind: 2, "", more: #","parent":1"#)
      ),
      #"$.layers[0].parent: layer "a" is its own ancestor; remove a parent"#),
    Case(
      composition(layer("a", ind: 1, "", more: #","ind":1.5"#).replacing(#""ind":1,"#, with: "")),
      "$.layers[0].ind: expected a whole number"),
    // Properties.
    Case(position("5"), #"$.layers[0].ks.p: layer "a": expected an object, got a number"#),
    Case(position(#"{"a":0}"#), #"$.layers[0].ks.p: layer "a": "k" is missing"#),
    Case(
      position(#"{"k":"5"}"#),
      #"$.layers[0].ks.p.k: layer "a": expected a list of 2 numbers, got a string"#),
    Case(
      position(#"{"k":[]}"#),
      #"$.layers[0].ks.p.k: layer "a": expected 2 numbers, got an empty list"#),
    Case(
      position(#"{"k":[5,null]}"#),
      #"$.layers[0].ks.p.k[1]: layer "a": expected a number from -1000000 to 1000000, got null"#),
    Case(
      position(#"{"k":[5,1e10]}"#),
      #"$.layers[0].ks.p.k[1]: layer "a": expected a number from -1000000 to 1000000, got 10000000000"#
    ),
    Case(position(#"{"s":true,"x":{"k":1}}"#), #"$.layers[0].ks.p: layer "a": "y" is missing"#),
    Case(
      position(#"{"s":"yes"}"#), #"$.layers[0].ks.p.s: layer "a": expected 0, 1, true or false"#),
    Case(rotation(""), #"$.layers[0].ks.r.k: layer "a": expected a number, got an empty list"#),
    // Keyframes.
    Case(rotation(#"{"s":[1]}"#), #"$.layers[0].ks.r.k[0]: layer "a": "t" is missing"#),
    Case(
      rotation(#"{"t":0},{"t":9,"s":[1]}"#), #"$.layers[0].ks.r.k[0]: layer "a": "s" is missing"#),
    Case(
      rotation(#"{"t":0,"s":[1]},{"t":9}"#), #"$.layers[0].ks.r.k[1]: layer "a": "s" is missing"#),
    Case(
      rotation(#"{"t":0,"s":[1]},3"#),
      #"$.layers[0].ks.r.k[1]: layer "a": expected an object, got a number"#),
    Case(
      rotation(#"{"t":9,"s":[1]},{"t":8,"s":[1]}"#),
      #"$.layers[0].ks.r.k[1].t: layer "a": expected at least 9, the frame of the previous keyframe"#
    ),
    Case(
      rotation(#"{"t":0,"s":[1],"o":{"x":[0.3]},"i":{"x":[0.7],"y":[1]}},{"t":8,"s":[1]}"#),
      #"$.layers[0].ks.r.k[0].o: layer "a": "y" is missing"#),
    Case(
      rotation(#"{"t":0,"s":[1],"o":{"x":0,"y":1e4},"i":{"x":1,"y":1}},{"t":8,"s":[1]}"#),
      #"$.layers[0].ks.r.k[0].o.y: layer "a": expected a number from -1000 to 1000, got 10000"#),
    Case(
      rotation(#"{"t":0,"s":[1],"h":[]},{"t":8,"s":[1]}"#),
      #"$.layers[0].ks.r.k[0].h: layer "a": expected 0, 1, true or false"#),
    Case(
      position(#"{"k":[{"t":0,"s":[1,2],"to":[]},{"t":8,"s":[1,3]}]}"#),
      #"$.layers[0].ks.p.k[0].to: layer "a": expected 2 numbers, got an empty list"#),
    // Markers.
    Case(composition(more: #","markers":{}"#), "$.markers: expected an array, got an object"),
    Case(
      composition(more: #","markers":[{"cm":"reduced motion"}]"#), #"$.markers[0]: "tm" is missing"#
    ),
    Case(
      composition(more: #","markers":[{"cm":"reduced motion","tm":1,"dr":-1}]"#),
      "$.markers[0].dr: expected a number from 0 to 864000, got -1"),
  ]

  @Test(arguments: cases)
  func errorsNameThePathAndTheExpectation(_ malformed: Case) throws {
    do {
      _ = try LottieFile(text: malformed.text)
      Issue.record("it was read")
    } catch let error as JSONShapeError {
      #expect(error.description == malformed.error)
    }
  }

  // MARK: - What other players read, too

  /// One number is x. A scale with one number is that of both axes.
  @Test(arguments: ["7", "[7]"]) func oneNumber(number: String) throws {
    let text = composition(
      layer(
        "a",
        #""a":{"k":\#(number)},"s":{"k":\#(number)},"p":{"k":[{"t":0,"s":\#(number)},{"t":20,"s":[9,9]}]}"#
      ))
    let row = try #require(LottieFile(text: text).tracks(rateHertz: 10).first { _ in true })
    #expect([row.anchor, row.position].allSatisfy { $0.x == 7 && $0.y == 0 })
    #expect(row.scale.x == 7 && row.scale.y == 7)
  }

  /// A layer whose parent is not in the file has none.
  @Test func aMissingParent() throws {
    let move = #""p":\#(keyframes((0, "[0,0]"), (20, "[9,0]")))"#
    let text = composition(
      layer("a", move, more: #","parent":7"#), layer("b", ind: 2, "", more: #","parent":-1"#))
    let document = try LottieFile(text: text).document()
    #expect(document.lottieLayer == #"layer "a" (layers[0])"#)
    #expect(
      document.unsupportedFeatures.last
        == #"a parent that is not in the file, of layer "a" (layers[0].parent: 7), layer "b" (layers[1].parent: -1)"#
    )
  }

  // MARK: - Limits

  @Test func layersAndKeyframesAreLimited() throws {
    func file(_ count: Int) -> String {
      let keyframes = (0..<count).map { #"{"t":\#($0),"s":[\#($0)]}"# }.joined(separator: ",")
      return composition(layer("a", #""r":{"k":[\#(keyframes)]}"#))
    }
    _ = try LottieFile(text: file(9_999))
    #expect(
      throws: JSONShapeError(
        path: "$.layers[0].ks.r.k[9999]",
        message: #"layer "a": too many layers and keyframes; the limit is 10000"#)
    ) {
      try LottieFile(text: file(10_000))
    }
  }
}
