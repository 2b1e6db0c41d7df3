import ParallaxTestSupport
import Testing

/// What each room may import. A room that is not here fails the test: add its row with its room.
///
/// SwiftPM's own check misses targets that come in through another one; this reads the sources.
private let allowedImports: [String: Set<String>] = [
  "ParallaxMotion": [],
  "ParallaxAnimation": ["ParallaxMotion"],
  "ParallaxJSON": ["CJansson"],
  "ParallaxDocuments": ["ParallaxAnimation", "ParallaxJSON", "ParallaxMotion"],
  "ParallaxTrace": ["ParallaxMotion", "CNumber"],
  "ParallaxWire": ["ParallaxMotion"],
  "ParallaxConfig": ["ParallaxMotion", "CToml"],
  "ParallaxDevice": ["ParallaxMotion", "CLibIIO"],
  "ParallaxSystem": ["CSystemd"],
  "ParallaxGates": ["ParallaxMotion", "ParallaxSystem"],
  "ParallaxDaemon": [
    "ParallaxMotion", "ParallaxTrace", "ParallaxWire", "ParallaxJSON", "ParallaxConfig",
    "ParallaxDevice", "ParallaxSystem", "ParallaxGates", "ParallaxAnimation", "ParallaxDocuments",
  ],
  "parallaxd": ["ParallaxDaemon"],
  "ParallaxClient": ["ParallaxWire", "FoundationEssentials"],
  "ParallaxCommands": [
    "ParallaxClient", "ParallaxWire", "ParallaxMotion", "ParallaxTrace", "ParallaxConfig",
    "ParallaxDevice", "ParallaxSystem", "ParallaxGates", "ParallaxAnimation", "ParallaxDocuments",
    "ArgumentParser",
  ],
  "parallax": ["ParallaxCommands"],
]

/// The same for web/, a package of its own: what touches a network, and the rules without one.
private let allowedWebImports: [String: Set<String>] = [
  "ParallaxWebCore": ["FoundationEssentials"],
  "parallax-provider": [
    "ParallaxWebCore", "AsyncHTTPClient", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL",
  ],
  "parallax-web": ["ParallaxWebCore", "Hummingbird", "HummingbirdCore", "Logging", "NIOCore"],
]

/// What every room may import.
private let allowedEverywhere: Set<String> = ["Glibc", "Musl", "Synchronization"]

/// The modules a source imports, without their submodules.
private func importedModules(_ source: String) -> [String] {
  let kinds: Set<Substring> = [
    "struct", "class", "enum", "protocol", "typealias", "func", "var", "let",
  ]
  let access: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
  return source.split(separator: "\n").compactMap { line in
    let words = line.split { $0 == " " || $0 == "\t" || $0 == ";" }
      .drop { $0.hasPrefix("@") || access.contains($0) }
    guard words.first == "import" else { return nil }
    let module = words.dropFirst().drop { kinds.contains($0) }.first
    return module?.prefix { $0 != "." }.description
  }
}

@Suite("Who may import whom")
struct ImportRuleTests {
  @Test(arguments: [
    (["import Glibc"], ["Glibc"]),
    (["  package import ParallaxMotion"], ["ParallaxMotion"]),
    (["@testable internal import struct Foo.Bar // why"], ["Foo"]),
    (["@preconcurrency import A", "import B"], ["A", "B"]),
    (["// import A", "let important = 1", "/// import B"], []),
  ])
  func importsAreFound(lines: [String], modules: [String]) {
    #expect(importedModules(lines.joined(separator: "\n")) == modules)
  }

  @Test(arguments: [("Sources", allowedImports), ("web/Sources", allowedWebImports)])
  func everyRoomKeepsToItsRow(folder: String, rows: [String: Set<String>]) throws {
    let sources = "\(Surroundings.packageRoot)/\(folder)"
    var checked = 0
    for room in try namesInFolder(sources) where isFolder("\(sources)/\(room)") {
      let files = try files(below: "\(sources)/\(room)", suffix: ".swift")
      if files.isEmpty { continue }
      let allowed = try #require(
        rows[room], "\(folder)/\(room) has no row in this test's table")
      for file in files {
        for module in importedModules(try text(ofFile: file)) {
          checked += 1
          #expect(
            allowed.contains(module) || allowedEverywhere.contains(module),
            "\(file) imports \(module), which \(room) may not")
        }
      }
    }
    #expect(checked > 10)
  }

  @Test(arguments: [("Sources", allowedImports), ("web/Sources", allowedWebImports)])
  func everyRowHasItsRoom(folder: String, rows: [String: Set<String>]) throws {
    let rooms = Set(try namesInFolder("\(Surroundings.packageRoot)/\(folder)"))
    for room in rows.keys {
      #expect(rooms.contains(room), "\(room) has a row and no folder in \(folder)")
    }
  }
}
