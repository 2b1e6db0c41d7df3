// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxDocuments
import ParallaxMotion
import Testing

/// `"$strength"` in place of a number, a string or a curve.
@Suite struct DocumentVariableTests {
  private static let shake = #"""
    {"parallax": 1, "variables": {"strength": 5, "feel": "ease-out", "way": [1, 2], "on": "card"},
     "layer": "$on",
     "animation": {"sequence": [
       {"move": {"by": ["$strength", 0]}, "curve": "$feel", "repeat": "$strength"},
       {"move": {"to": "$way"}, "curve": {"cubic-bezier": [0, "$strength", 1, 1]}}]}}
    """#

  private func read(_ text: String, _ settings: String...) throws -> AnimationDocument {
    try DocumentReader.read(
      Array(text.utf8), name: "test.json", variables: VariableValues(settings: settings))
  }

  private func message(_ text: String, _ settings: String...) -> String? {
    do {
      _ = try DocumentReader.read(
        Array(text.utf8), name: "test.json", variables: VariableValues(settings: settings))
      return nil
    } catch let error as DocumentError {
      return withoutPosition(error)
    } catch {
      return "\(error)"
    }
  }

  private func shaken(
    by strength: Double, count: Int, feel: Curve = .easeOut, way: PixelOffset, layer: String
  ) -> AnimationDocument {
    let bezier = CubicBezier(x1: 0, y1: strength, x2: 1, y2: 1)
    return AnimationDocument(
      layer: layer,
      animation: .sequence([
        .move(by: PixelOffset(x: strength, y: 0), curve: feel).repeated(count),
        .move(to: way, curve: .bezier(bezier)),
      ]))
  }

  @Test func defaultsAreUsed() throws {
    #expect(
      try read(Self.shake)
        == shaken(by: 5, count: 5, way: PixelOffset(x: 1, y: 2), layer: "card"))
  }

  @Test func givenValuesReplaceDefaults() throws {
    let document = try read(
      Self.shake, "strength=8", #"feel={"spring": {"response": 0.3}}"#, "way=[3, -4]", "on=bg")
    #expect(
      document
        == shaken(
          by: 8, count: 8, feel: .spring(response: .seconds(0.3), damping: 0.825),
          way: PixelOffset(x: 3, y: -4), layer: "bg"))
  }

  @Test func aTextThatIsNotJSONIsAString() throws {
    #expect(
      try read(Self.shake, "feel=cubic-bezier(0, 0, 1, 1)")
        == shaken(
          by: 5, count: 5, feel: .bezier(CubicBezier(x1: 0, y1: 0, x2: 1, y2: 1)),
          way: PixelOffset(x: 1, y: 2), layer: "card"))
  }

  /// A variable needs no declaration if its value is given.
  @Test func usedButNotDeclared() throws {
    let text = #"{"parallax": 1, "animation": {"delay": "$rest"}}"#
    #expect(try read(text, "rest=2").animation == .delay(.seconds(2)))
    #expect(
      message(text)
        == #"test.json: $.animation.delay: the variable "rest" has no value; give it one, or a default in "variables""#
    )
  }

  @Test func valuesAreSentAsJSON() throws {
    let values = try VariableValues(settings: [
      "a=1", "b=2.5", "c=ease-out", "d=[1, 2]", #"e={"steps": 4}"#, "f=say \"\\\u{1}", "g=",
    ])
    #expect(
      values.json?.text
        == #"{"a":1,"b":2.5,"c":"ease-out","d":[1,2],"e":{"steps":4},"f":"say \"\\\u0001","g":""}"#
    )
    #expect(VariableValues.none.json == nil)
  }

  @Test func errorsSayWhereTheValueIsUsed() {
    let rows: [(settings: String, error: String)] = [
      (
        "strenght=8",
        #"$.variables.strenght: unknown variable; did you mean "strength"? the document has "feel", "on", "strength", "way""#
      ),
      (
        "strength=soft",
        "$.animation.sequence[0].move.by[0]: expected a number from -1000000 to 1000000 (px), got a string"
      ),
      (
        "feel=eaze",
        #"$.animation.sequence[0].curve: unknown curve "eaze"; did you mean "ease"? allowed: linear, ease, ease-in, ease-out, ease-in-out, step-start, step-end, spring, smooth, snappy, bouncy, cubic-bezier(x1, y1, x2, y2), steps(n, position), linear(...), spring(response, damping)"#
      ),
      (
        "strength=true",
        "$.variables.strength: expected a number, a string, a list of numbers or a curve, got a boolean"
      ),
      ("way=[]", "$.variables.way: expected 1 to 4 numbers in a list"),
      (
        #"feel={"sequence": []}"#,
        #"$.variables.feel.sequence: unknown key; allowed: "cubic-bezier", "steps", "linear", "spring""#
      ),
    ]
    for row in rows {
      #expect(message(Self.shake, row.settings) == "test.json: " + row.error)
    }
    let wrong = [
      (
        #"{"parallax": 1, "variables": {"a b": 1}, "animation": {"delay": 1}}"#,
        #"$.variables["a b"]: invalid variable name; use 1 to 64 letters, digits, '_' and '-'"#
      ),
      (
        #"{"parallax": 1, "animation": {"delay": "$"}}"#,
        #"$.animation.delay: expected the name of a variable after '$', got "$"; use letters, digits, '_' and '-'"#
      ),
      (
        #"{"parallax": 1, "variables": 3, "animation": {"delay": 1}}"#,
        "$.variables: expected an object, got a number"
      ),
      (
        #"{"parallax": 1, "variables": {"rest": 1}, "animation": {"delay": "$rset"}}"#,
        #"$.animation.delay: the variable "rset" has no value; did you mean "$rest"?"#
      ),
    ]
    for (text, error) in wrong { #expect(message(text) == "test.json: " + error) }
  }

  /// A layer may be called so, in documents that are older than variables.
  @Test func aLayerMayBeginWithADollar() throws {
    #expect(
      try read(##"{"parallax": 1, "layer": "$bg", "animation": {"delay": 1}}"##).layer == "$bg")
  }

  @Test(arguments: ["x", "=1", ""])
  func settingsWithoutNameOrValue(text: String) {
    #expect(throws: SettingError.self) { try VariableValues(settings: [text]) }
  }

  @Test func aNameIsGivenOnce() {
    #expect(throws: SettingError("\"a\" is given twice; give it once")) {
      try VariableValues(settings: ["a=1", "a=2"])
    }
  }

  // MARK: - Limits

  @Test func numberOfVariables() {
    func document(_ count: Int) -> String {
      let variables = (0..<count).map { "\"v\($0)\": 1" }.joined(separator: ",")
      return #"{"parallax": 1, "variables": {\#(variables)}, "animation": {"delay": 1}}"#
    }
    #expect(message(document(64)) == nil)
    #expect(
      message(document(65)) == "test.json: $.variables.v64: too many variables; the limit is 64")
  }

  /// A curve with 10,000 points, used 5,000 times, would take a gigabyte.
  @Test func insertedValuesAreBounded() {
    let points = Array(repeating: "0", count: 10_000).joined(separator: ",")
    let step = #"{"fade":{"to":0},"curve":"$c"}"#
    func document(_ uses: Int) -> String {
      #"{"parallax": 1, "variables": {"c": {"linear": [\#(points)]}}, "animation": {"sequence": ["#
        + Array(repeating: step, count: uses).joined(separator: ",") + "]}}"
    }
    #expect(message(document(20)) == nil)
    #expect(
      message(document(5000))?.hasSuffix(
        "too long for the number of their uses") == true)
  }

  @Test func textsAreBounded() {
    let text = String(repeating: "x", count: 4097)
    #expect(
      message(#"{"parallax": 1, "variables": {"a": "\#(text)"}, "animation": {"delay": 1}}"#)
        == "test.json: $.variables.a: too long; the limit is 4096 bytes")
  }
}
