// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxConfig
import ParallaxTestSupport
import Testing

/// docs/configuration.md is generated from the schema: after a change, `PARALLAX_RECORD=1 swift test
/// --filter ConfigurationReference` writes it again.
@Suite("docs/configuration.md")
struct ConfigurationReferenceTests {
  private static let path = TestEnvironment.packageRoot + "/docs/configuration.md"

  @Test func matchesSchema() throws {
    if environmentVariable("PARALLAX_RECORD") != nil {
      let file = try #require(fopen(Self.path, "w"))
      fputs(ConfigurationReference.text, file)
      fclose(file)
    }
    #expect(try text(ofFile: Self.path) == ConfigurationReference.text)
  }

  @Test func everyKeyHasItsSection() throws {
    let lines = try text(ofFile: Self.path).split(separator: "\n")
    var table = ""
    var paths: [String] = []
    for line in lines {
      if line.hasPrefix("## [") { table = String(line.dropFirst(4).dropLast()) }
      if line.hasPrefix("### ") { paths.append("\(table).\(line.dropFirst(4))") }
    }
    #expect(paths == ConfigSchema.keys.map(\.path))
  }
}
