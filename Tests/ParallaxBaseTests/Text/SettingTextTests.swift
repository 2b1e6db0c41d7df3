// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxTestSupport
import Testing

@Suite struct SettingTextTests {
  @Test(
    arguments: [
      ("1", 1), (" 1.5\t", 1.5), ("-2e3", -2000), ("+.5", 0.5), ("0", 0),
      ("", nil), (" ", nil), ("1 2", nil), ("1,5", nil), ("0x10", nil), ("inf", nil), ("-nan", nil),
      ("1e999", nil), ("1_000", nil), ("one", nil), ("\u{A0}1", nil),
    ] as [(String, Double?)])
  func finiteDecimalNumbersAreRead(text: String, number: Double?) {
    #expect(SettingText.number(text) == number)
  }

  @Test(
    arguments: [
      (30, "30"), (0.25, "0.25"), (-1, "-1"), (1e-5, "1e-05"), (0, "0"), (1e16, "1e+16"),
    ] as [(Double, String)])
  func wholeNumbersHaveNoDecimals(value: Double, text: String) {
    #expect(SettingText.text(value) == text)
  }

  @Test func aWrittenNumberReadsBackAsTheSame() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<10_000 {
      let value = Double(bitPattern: generator.next())
      guard value.isFinite else { continue }
      #expect(SettingText.number(SettingText.text(value)) == value, "\(generator.note)")
    }
  }
}
