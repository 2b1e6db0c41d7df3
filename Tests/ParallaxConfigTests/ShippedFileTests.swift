// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxConfig
import ParallaxMotion
import ParallaxTestSupport
import Testing

/// config/parallax.toml is generated from the schema: after a change, `PARALLAX_RECORD=1 swift test
/// --filter ShippedFile` writes it again.
@Suite("config/parallax.toml")
struct ShippedFileTests {
  private static let path = TestEnvironment.packageRoot + "/config/parallax.toml"

  private func shipped() throws -> String {
    if environmentVariable("PARALLAX_RECORD") != nil {
      let file = try #require(fopen(Self.path, "w"))
      fputs(ShippedFile.text, file)
      fclose(file)
    }
    return try text(ofFile: Self.path)
  }

  @Test func matchesSchema() throws {
    #expect(try shipped() == ShippedFile.text)
  }

  @Test func fileChangesNothing() throws {
    var builder = ConfigurationBuilder()
    builder.add(file: Self.path, bytes: Array(try shipped().utf8))
    let loaded = try builder.build()
    #expect(loaded.configuration == Configuration())
    #expect(loaded.origins.isEmpty)
  }

  @Test func everyKeyIsAtItsDefault() throws {
    let lines = try shipped().split(separator: "\n", omittingEmptySubsequences: false)
    let opened = lines.map { $0.hasPrefix("#") && !$0.hasPrefix("# ") ? $0.dropFirst() : $0 }
    var builder = ConfigurationBuilder()
    builder.add(file: Self.path, bytes: Array(opened.joined(separator: "\n").utf8))
    let loaded = try builder.build()
    #expect(loaded.configuration == Configuration())
    #expect(loaded.origins.keys.sorted() == ConfigSchema.keys.map(\.path).sorted())
  }

  @Test func linesHaveAtMost96Columns() throws {
    for line in try shipped().split(separator: "\n") {
      #expect(line.count <= 96, "\(line)")
    }
  }

  @Test func everyKeyHasItsAllowedValuesAndUnit() throws {
    var table = ""
    var part = ""
    var documented: Set<String> = []
    for line in try shipped().split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty { part = "" }
      if line.hasPrefix("[") { table = String(line.dropFirst().dropLast()) }
      // A wrapped text counts as one line.
      part += line.hasPrefix("#       ") ? " " + line.dropFirst(8) : "\n" + line
      guard line.hasPrefix("#"), !line.hasPrefix("# "), let equals = line.firstIndex(of: "=")
      else { continue }
      let path = table + "." + line[..<equals].dropFirst().dropLast()
      let key = try #require(ConfigSchema.key(at: path), "unknown key \(path)")
      #expect(part.contains("#   Allowed: \(key.allowed)\n"), "\(path)")
      if let unit = key.unit { #expect(part.contains("#   Unit: \(unit)\n"), "\(path)") }
      #expect(documented.insert(path).inserted, "duplicate key \(path)")
    }
    #expect(documented == Set(ConfigSchema.keys.map(\.path)))
  }
}
