// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxTestSupport
import Testing

@Suite struct NearestNameTests {
  private static let names = ["range-x", "range-y", "mode", "scale", "smoothing", "offset"]

  @Test(
    arguments: [
      ("range-x", "range-x"), ("rangeX", "range-x"), ("range_y", "range-y"), ("RANGE-Y", "range-y"),
      // One edit: a letter inserted, removed, replaced or swapped with the next.
      ("moode", "mode"), ("mde", "mode"), ("mote", "mode"), ("mdoe", "mode"),
      // A third of the letters.
      ("smothin", "smoothing"), ("smoothxyz", "smoothing"), ("smootwxyz", nil),
      // A short name allows one edit.
      ("mo", nil), ("moda", "mode"), ("x", nil), ("", nil), ("quite another", nil),
    ] as [(String, String?)])
  func theNameWithTheFewestEditsIsFound(name: String, expected: String?) {
    #expect(NearestName.of(name, among: Self.names) == expected)
  }

  @Test func ofEquallyNearNamesTheFirstIsFound() {
    #expect(NearestName.of("range-z", among: ["range-x", "range-y"]) == "range-x")
    #expect(NearestName.of("range-z", among: ["range-y", "range-x"]) == "range-y")
    #expect(NearestName.of("mode", among: []) == nil)
  }

  @Test func aLongNameIsNotCompared() {
    let long = String(repeating: "a", count: 64)
    #expect(NearestName.of(long, among: [long + "b"]) == long + "b")
    #expect(NearestName.of(long + "a", among: [long + "a"]) == nil)
  }

  @Test func anyRandomNameIsWithinAThirdOfItsLetters() {
    var generator = SeededGenerator.forTest()
    let letters = Array("abcdefg")
    for _ in 0..<5_000 {
      let name = String(
        (0..<Int.random(in: 1...9, using: &generator)).map { _ in
          letters.randomElement(using: &generator) ?? "a"
        })
      // A letter replaced: one edit is always allowed.
      var other = Array(name)
      other[Int.random(in: 0..<other.count, using: &generator)] = "x"
      #expect(
        NearestName.of(String(other), among: [name]) == name, "\(name); \(generator.note)")
    }
  }
}
