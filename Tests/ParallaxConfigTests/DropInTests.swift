// SPDX-License-Identifier: Apache-2.0

import ParallaxConfig
import Testing

@Suite struct DropInTests {
  private func text(
    _ settings: [(String, String)], addedTo existing: String? = nil
  ) throws -> String {
    try DropIn.text(
      settings.map { (try #require(ConfigSchema.key(at: $0.0)), $0.1) },
      addedTo: existing.map { Array($0.utf8) }, at: "50-tune.toml", comment: "By a test.")
  }

  @Test func settingsAreWrittenInTheirTables() throws {
    let written = try text([
      ("motion.scale", "6.3"), ("sampling.rate", "60"), ("motion.range-x", "-8:8"),
    ])
    #expect(
      written == """
        # By a test.

        [sampling]
        rate = 60

        [motion]
        scale = 6.3
        range-x = "-8:8"

        """)
    var builder = ConfigurationBuilder()
    builder.add(file: "written", bytes: Array(written.utf8))
    #expect(try builder.build().configuration.motion.rangeX.high == 8)
  }

  @Test func otherSettingsOfTheFileAreKept() throws {
    let written = try text(
      [("motion.scale", "7")],
      addedTo: "[motion]\nscale = 6\nsmoothing = \"none\"\n[layers]\nfar = 0.5\n")
    #expect(
      written == """
        # By a test.

        [motion]
        scale = 7
        smoothing = "none"

        [layers]
        far = 0.5

        """)
  }

  @Test func anInvalidFileIsNotReplaced() {
    #expect(throws: ConfigurationErrors.self) {
      try text([("motion.scale", "7")], addedTo: "[motion]\nscale = true\n")
    }
  }
}
