// SPDX-License-Identifier: Apache-2.0

import ParallaxDocuments
import Testing

/// The values of keyframes at frames 0 to 19; `.` is the value of the previous frame.
@Suite struct LottieKeyframeTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var keyframes: String
    var values: String
  }

  static let cases = [
    Case(
      testDescription: "constant before the first and after the last",
      keyframes: #"{"t":4,"s":[2]},{"t":8,"s":[6]}"#,
      values: "2 . . . . 3 4 5 6 . . . . . . . . . . ."),
    Case(
      testDescription: "a hold keeps its value until the next keyframe, despite its handles",
      keyframes:
        #"{"t":2,"s":[5],"h":1,"o":{"x":[0],"y":[0]},"i":{"x":[1],"y":[1]}},{"t":6,"s":[9]}"#,
      values: "5 . . . . . 9 . . . . . . . . . . . . ."),
    Case(
      testDescription: "of two at one frame, the second counts afterwards",
      keyframes: #"{"t":0,"s":[0]},{"t":4,"s":[4]},{"t":4,"s":[8]},{"t":8,"s":[0]}"#,
      values: "0 1 2 3 8 6 4 2 0 . . . . . . . . . . ."),
    Case(
      testDescription: "a jump at the very end",
      keyframes: #"{"t":0,"s":[0]},{"t":4,"s":[4]},{"t":4,"s":[9]}"#,
      values: "0 1 2 3 9 . . . . . . . . . . . . . . ."),
    Case(
      testDescription: "one keyframe is a constant", keyframes: #"{"t":7,"s":[3]}"#,
      values: "3 . . . . . . . . . . . . . . . . . . ."),
    Case(
      testDescription: "keyframes before frame 0",
      keyframes: #"{"t":-4,"s":[0]},{"t":4,"s":[8]}"#,
      values: "4 5 6 7 8 . . . . . . . . . . . . . . ."),
    Case(
      testDescription: "fractional frames",
      keyframes: #"{"t":0.5,"s":[0]},{"t":2.5,"s":[4]}"#,
      values: "0 1 3 4 . . . . . . . . . . . . . . . ."),
    // Files from before 2018: each keyframe has its end value, and the last one has no value.
    Case(
      testDescription: "old end values",
      keyframes: #"{"t":0,"s":[0],"e":[4]},{"t":4,"s":[4],"e":[8]},{"t":6}"#,
      values: "0 1 2 3 4 6 8 . . . . . . . . . . . . ."),
    Case(
      testDescription: "an old end value that differs from the next start",
      keyframes: #"{"t":0,"s":[0],"e":[4]},{"t":4,"s":[10],"e":[20]},{"t":9}"#,
      values: "0 1 2 3 10 12 14 16 18 20 . . . . . . . . . ."),
    Case(
      testDescription: "an old hold without an end value",
      keyframes: #"{"t":3,"s":[7],"h":1},{"t":8}"#,
      values: "7 . . . . . . . . . . . . . . . . . . ."),
    Case(
      testDescription: "numbers without a list", keyframes: #"{"t":0,"s":0},{"t":2,"s":6}"#,
      values: "0 3 6 . . . . . . . . . . . . . . . . ."),
    Case(
      testDescription: "handles outside the time are clamped to it",
      keyframes:
        #"{"t":0,"s":[0],"o":{"x":-3,"y":0},"i":{"x":9,"y":1}},{"t":4,"s":[4]}"#,
      values: "0 1 2 3 4 . . . . . . . . . . . . . . ."),
  ]

  @Test(arguments: cases)
  func valuesPerFrame(_ keyframes: Case) throws {
    let text = composition(layer("a", #""r":{"k":[\#(keyframes.keyframes)]}"#))
    var expected: [Double] = []
    for word in keyframes.values.split(separator: " ") {
      expected.append(Double(word) ?? expected.last ?? .nan)
    }
    let rows = try Array(LottieFile(text: text).tracks(rateHertz: 10))
    #expect(rows.map { ($0.rotationDegrees * 1e9).rounded() / 1e9 } == expected)
  }

  @Test func rowsEndWithTheCompositionAndShowVisibility() throws {
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
