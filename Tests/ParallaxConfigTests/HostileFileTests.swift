// SPDX-License-Identifier: Apache-2.0

import ParallaxConfig
import ParallaxTestSupport
import Testing

/// Loading any file ends with a configuration or with errors.
@Suite("Hostile files")
struct HostileFileTests {
  private func survives(_ bytes: [UInt8], _ note: @autoclosure () -> String) {
    var builder = ConfigurationBuilder()
    builder.add(file: "p.toml", bytes: bytes)
    do throws(ConfigurationErrors) {
      let loaded = try builder.build()
      // Its rendered text loads as the same configuration.
      var again = ConfigurationBuilder()
      again.add(file: "shown.toml", bytes: Array(loaded.toml().utf8))
      let shown = try again.build()
      #expect(shown.configuration == loaded.configuration, "\(note())")
    } catch {
      #expect(!error.errors.isEmpty, "\(note())")
      for line in error.lines {
        let isOneLine = line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        #expect(isOneLine, "\(note()) \(line)")
      }
    }
  }

  @Test func randomBytes() {
    var generator = SeededGenerator.forTest()
    for _ in 0..<3000 {
      let count = Int.random(in: 0...200, using: &generator)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      survives(bytes, "\(generator.note) \(bytes)")
    }
  }

  @Test func randomWordsOfTheSchema() {
    var generator = SeededGenerator.forTest(salt: 1)
    let words =
      ConfigSchema.tables.map { "[\($0.name)]\n" } + ConfigSchema.keys.map(\.name)
      + ConfigSchema.keys.map { $0.value(in: Configuration()).toml + "\n" }
      + [
        " = ", " = ", " = ", "\n", "\n", ".", "\"", "'", "\"\"\"", "'''", "[", "]", "[[", "]]", "{",
        "}", ",", "#", "\r\n", "nan", "-inf", "1e999", "-0", "0x7f", "1_000", "99999999999999999",
        "1979-05-27T07:32:00Z", "\\u0000", "\\", "\u{FEFF}", "é", "layers.a", "true\n", "\t",
      ]
    for _ in 0..<5000 {
      let count = Int.random(in: 0...40, using: &generator)
      let text = (0..<count).map { _ in words[Int.random(in: words.indices, using: &generator)] }
      survives(Array(text.joined().utf8), "\(generator.note) \(text)")
    }
  }

  @Test func shippedFileWithChangedBytes() throws {
    var generator = SeededGenerator.forTest(salt: 2)
    let lines = ShippedFile.text.split(separator: "\n").filter { !$0.hasPrefix("# ") }
    let original = lines.map { $0.hasPrefix("#") ? String($0.dropFirst()) : String($0) }
      .joined(separator: "\n").utf8
    for _ in 0..<1500 {
      var bytes = Array(original)
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        bytes[Int.random(in: bytes.indices, using: &generator)] =
          UInt8.random(in: 0...127, using: &generator)
      }
      survives(bytes, generator.note)
    }
  }

  enum Extreme: CaseIterable {
    case longTableName, longKey, deepArray, deepInlineTable, sameTable, manyTables, longString
    case manyLines, manyErrors, manyOpenEnds, manyLayers, manyUnknownKeys, longComment

    var text: String {
      switch self {
      case .longTableName: "[" + String(repeating: "a.", count: 400_000) + "a]"
      case .longKey: String(repeating: "a.", count: 400_000) + "a = 1"
      case .deepArray: "[motion]\nx = " + String(repeating: "[", count: 100_000)
      case .deepInlineTable: "[motion]\nx = " + String(repeating: "{a=", count: 100_000)
      case .sameTable: String(repeating: "[a]\n", count: 200_000)
      case .manyTables: (0..<20_000).map { "[t\($0)]\nk = 1\n" }.joined()
      case .longString: "[motion]\nmode = \"" + String(repeating: "x", count: 1_000_000) + "\""
      case .manyLines:
        "[motion]\nmode = \"\"\"" + String(repeating: "x\n", count: 400_000) + "\"\"\""
      case .manyErrors: String(repeating: "mode = tilt\n", count: 5000)
      case .manyOpenEnds:
        String(repeating: "x = {" + String(repeating: "a.", count: 60) + "a=[\n", count: 100)
      case .manyLayers: "[layers]\n" + (0..<20_000).map { "l\($0) = 1\n" }.joined()
      case .manyUnknownKeys: "[motion]\n" + (0..<20_000).map { "scal\($0) = 1\n" }.joined()
      case .longComment: "#" + String(repeating: "x", count: 1_040_000)
      }
    }
  }

  @Test(arguments: Extreme.allCases)
  func extremeDepthWidthAndLength(_ extreme: Extreme) {
    survives(Array(extreme.text.utf8), "\(extreme)")
  }

  @Test func errorsBeyondTheLimitAreCounted() {
    let lines = errors(in: Extreme.manyUnknownKeys.text)
    #expect(lines.count == ConfigurationErrors.limit + 1)
    #expect(lines.last == "p.toml: and 19900 more errors; fix these first")
  }

  @Test func deepestAllowedTablesFitASmallStack() {
    let keys = String(repeating: "a.", count: 64) + "a"
    var text = "[motion]\n"
    for _ in 0..<3 { text += "x = { \(keys) = [\n" }
    survives(Array(text.utf8), "")
    survives(Array("[\(keys)]\n\(keys) = {\(keys) = 1}".utf8), "")
    survives(Array("[\(keys)]\n\(keys) = [ {\n}]".utf8), "")
  }
}
