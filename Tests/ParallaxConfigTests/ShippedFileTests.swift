import Glibc
import ParallaxConfig
import ParallaxMotion
import ParallaxTestSupport
import Testing

/// config/parallax.toml is written from the schema: `PARALLAX_RECORD=1 swift test --filter
/// ShippedFile` records it again after a change, for review.
@Suite("config/parallax.toml")
struct ShippedFileTests {
  private static let path = Surroundings.packageRoot + "/config/parallax.toml"

  private func shipped() throws -> String {
    if environmentVariable("PARALLAX_RECORD") != nil {
      let file = try #require(fopen(Self.path, "w"))
      fputs(ShippedFile.text, file)
      fclose(file)
    }
    return try text(ofFile: Self.path)
  }

  @Test("the file is what the schema says")
  func matchesSchema() throws {
    #expect(try shipped() == ShippedFile.text)
  }

  @Test("as it is shipped, it changes nothing")
  func changesNothing() throws {
    var builder = ConfigurationBuilder()
    builder.add(file: Self.path, bytes: Array(try shipped().utf8))
    let loaded = try builder.build()
    #expect(loaded.configuration == Configuration())
    #expect(loaded.origins.isEmpty)
  }

  @Test("with every key's # taken away it still changes nothing, and every key is there")
  func defaultsAreBuiltIn() throws {
    let lines = try shipped().split(separator: "\n", omittingEmptySubsequences: false)
    let opened = lines.map { $0.hasPrefix("#") && !$0.hasPrefix("# ") ? $0.dropFirst() : $0 }
    var builder = ConfigurationBuilder()
    builder.add(file: Self.path, bytes: Array(opened.joined(separator: "\n").utf8))
    let loaded = try builder.build()
    #expect(loaded.configuration == Configuration())
    #expect(loaded.origins.keys.sorted() == ConfigSchema.keys.map(\.path).sorted())
  }

  @Test("no line is wider than 96 columns")
  func width() throws {
    for line in try shipped().split(separator: "\n") {
      #expect(line.count <= 96, "\(line)")
    }
  }

  @Test("each key's part tells what is allowed, and the unit where there is one")
  func documentsEverything() throws {
    var table = ""
    var part = ""
    var documented: Set<String> = []
    for line in try shipped().split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty { part = "" }
      if line.hasPrefix("[") { table = String(line.dropFirst().dropLast()) }
      // Wrapped lines count as one.
      part += line.hasPrefix("#       ") ? " " + line.dropFirst(8) : "\n" + line
      guard line.hasPrefix("#"), !line.hasPrefix("# "), let equals = line.firstIndex(of: "=")
      else { continue }
      let path = table + "." + line[..<equals].dropFirst().dropLast()
      let key = try #require(ConfigSchema.key(at: path), "\(path) is no key")
      #expect(part.contains("#   Allowed: \(key.allowed)\n"), "\(path)")
      if let unit = key.unit { #expect(part.contains("#   Unit: \(unit)\n"), "\(path)") }
      #expect(documented.insert(path).inserted, "\(path) is there twice")
    }
    #expect(documented == Set(ConfigSchema.keys.map(\.path)))
  }
}
