import ParallaxDocuments
import Testing

/// What keyframes say, at frames 0 to 19: `.` is the value of the frame before.
@Suite struct LottieKeyframeTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var keyframes: String
    var values: String
  }

  static let cases = [
    Case(
      testDescription: "it stands before the first and behind the last",
      keyframes: #"{"t":4,"s":[2]},{"t":8,"s":[6]}"#,
      values: "2 . . . . 3 4 5 6 . . . . . . . . . . ."),
    Case(
      testDescription: "a hold keeps its value up to the next keyframe, whatever its handles say",
      keyframes:
        #"{"t":2,"s":[5],"h":1,"o":{"x":[0],"y":[0]},"i":{"x":[1],"y":[1]}},{"t":6,"s":[9]}"#,
      values: "5 . . . . . 9 . . . . . . . . . . . . ."),
    Case(
      testDescription: "of two at one frame the second counts from there on",
      keyframes: #"{"t":0,"s":[0]},{"t":4,"s":[4]},{"t":4,"s":[8]},{"t":8,"s":[0]}"#,
      values: "0 1 2 3 8 6 4 2 0 . . . . . . . . . . ."),
    Case(
      testDescription: "a jump at the very end",
      keyframes: #"{"t":0,"s":[0]},{"t":4,"s":[4]},{"t":4,"s":[9]}"#,
      values: "0 1 2 3 9 . . . . . . . . . . . . . . ."),
    Case(
      testDescription: "one keyframe is a value", keyframes: #"{"t":7,"s":[3]}"#,
      values: "3 . . . . . . . . . . . . . . . . . . ."),
    Case(
      testDescription: "keyframes before frame 0",
      keyframes: #"{"t":-4,"s":[0]},{"t":4,"s":[8]}"#,
      values: "4 5 6 7 8 . . . . . . . . . . . . . . ."),
    Case(
      testDescription: "frames need not be whole",
      keyframes: #"{"t":0.5,"s":[0]},{"t":2.5,"s":[4]}"#,
      values: "0 1 3 4 . . . . . . . . . . . . . . . ."),
    // Files of before 2018: each keyframe has the end of its own way, the last one nothing.
    Case(
      testDescription: "the old end values",
      keyframes: #"{"t":0,"s":[0],"e":[4]},{"t":4,"s":[4],"e":[8]},{"t":6}"#,
      values: "0 1 2 3 4 6 8 . . . . . . . . . . . . ."),
    Case(
      testDescription: "an old end that is not where the next one begins",
      keyframes: #"{"t":0,"s":[0],"e":[4]},{"t":4,"s":[10],"e":[20]},{"t":9}"#,
      values: "0 1 2 3 10 12 14 16 18 20 . . . . . . . . . ."),
    Case(
      testDescription: "an old hold without an end stays",
      keyframes: #"{"t":3,"s":[7],"h":1},{"t":8}"#,
      values: "7 . . . . . . . . . . . . . . . . . . ."),
    Case(
      testDescription: "numbers without a list", keyframes: #"{"t":0,"s":0},{"t":2,"s":6}"#,
      values: "0 3 6 . . . . . . . . . . . . . . . . ."),
    Case(
      testDescription: "handles outside of the time are brought back to it",
      keyframes:
        #"{"t":0,"s":[0],"o":{"x":-3,"y":0},"i":{"x":9,"y":1}},{"t":4,"s":[4]}"#,
      values: "0 1 2 3 4 . . . . . . . . . . . . . . ."),
  ]

  @Test(arguments: cases)
  func `the values`(_ keyframes: Case) throws {
    let text = composition(layer("a", #""r":{"k":[\#(keyframes.keyframes)]}"#))
    var expected: [Double] = []
    for word in keyframes.values.split(separator: " ") {
      expected.append(Double(word) ?? expected.last ?? .nan)
    }
    let rows = try Array(LottieFile(text: text).tracks(rateHertz: 10))
    #expect(rows.map { ($0.rotationDegrees * 1e9).rounded() / 1e9 } == expected)
  }

  @Test func `rows say when a layer is drawn, and none is beyond the end`() throws {
    let text = composition(
      layer("a", #""r":\#(keyframes((0, "0"), (9, "9")))"#, more: #","ip":5,"op":15"#))
    let rows = try Array(LottieFile(text: text).tracks(rateHertz: 5))
    #expect(rows.map(\.frame) == [0, 2, 4, 6, 8, 10, 12, 14, 16, 18])
    #expect(
      rows.map(\.isVisible) == [false, false, false] + [true, true, true, true, true] + [
        false, false,
      ])
  }
}
