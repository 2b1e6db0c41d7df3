// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

/// The modules that each module may import. A module without a row fails the test.
///
/// SwiftPM does not reject an import of a target that another dependency brings in, so this test reads
/// the sources.
private let allowedImports: [String: Set<String>] = [
  "ParallaxTime": [],
  "ParallaxText": ["ParallaxTime"],
  "ParallaxPlatform": ["ParallaxTime", "ParallaxText", "CPlatform"],
  "ParallaxMotion": ["ParallaxTime", "ParallaxText"],
  "ParallaxAnimation": ["ParallaxTime", "ParallaxText", "ParallaxMotion"],
  "ParallaxJSON": ["ParallaxText"],
  "ParallaxDocuments": [
    "ParallaxText", "ParallaxPlatform", "ParallaxAnimation", "ParallaxJSON", "ParallaxMotion",
  ],
  "ParallaxTrace": [
    "ParallaxTime", "ParallaxText", "ParallaxPlatform", "ParallaxMotion", "CNumber",
  ],
  "ParallaxWire": ["ParallaxTime", "ParallaxText", "ParallaxMotion"],
  "ParallaxConfig": ["ParallaxText", "ParallaxPlatform", "ParallaxMotion", "CToml"],
  "ParallaxDevice": [
    "ParallaxTime", "ParallaxText", "ParallaxPlatform", "ParallaxMotion", "CLibIIO",
  ],
  "ParallaxSystemd": ["ParallaxTime", "ParallaxText", "ParallaxPlatform", "CSystemd"],
  "ParallaxGates": ["ParallaxTime", "ParallaxPlatform", "ParallaxMotion", "ParallaxSystemd"],
  "ParallaxDaemon": [
    "ParallaxTime", "ParallaxText", "ParallaxPlatform", "ParallaxMotion", "ParallaxTrace",
    "ParallaxWire", "ParallaxJSON", "ParallaxConfig", "ParallaxDevice", "ParallaxSystemd",
    "ParallaxGates", "ParallaxAnimation", "ParallaxDocuments",
  ],
  "parallaxd": ["ParallaxDaemon"],
  "ParallaxClient": [
    "ParallaxTime", "ParallaxText", "ParallaxPlatform", "ParallaxWire", "FoundationEssentials",
  ],
  "ParallaxRecording": [
    "ParallaxTime", "ParallaxText", "ParallaxPlatform", "ParallaxMotion", "ParallaxTrace",
    "ParallaxConfig", "ParallaxDevice", "ParallaxClient",
  ],
  "ParallaxPage": [
    "ParallaxTime", "ParallaxText", "ParallaxMotion", "ParallaxWire", "ParallaxConfig",
    "ParallaxClient",
  ],
  "ParallaxDoctor": [
    "ParallaxTime", "ParallaxText", "ParallaxPlatform", "ParallaxMotion", "ParallaxWire",
    "ParallaxConfig", "ParallaxDevice", "ParallaxSystemd", "ParallaxClient",
  ],
  "ParallaxFeel": ["ParallaxTime", "ParallaxMotion"],
  "ParallaxPlot": [
    "ParallaxTime", "ParallaxText", "ParallaxMotion", "ParallaxAnimation", "ParallaxTerminal",
    "CCairo",
  ],
  "ParallaxAgent": [
    "ParallaxTime", "ParallaxPlatform", "ParallaxMotion", "ParallaxWire", "ParallaxSystemd",
    "ParallaxGates", "ParallaxClient",
  ],
  "ParallaxTerminal": ["ParallaxPlatform", "CTerminal"],
  "ParallaxView": [
    "ParallaxTime", "ParallaxText", "ParallaxPlatform", "ParallaxMotion", "ParallaxWire",
    "ParallaxClient", "ParallaxTerminal",
  ],
  "ParallaxCommands": [
    "ParallaxTime", "ParallaxText", "ParallaxPlatform", "ParallaxClient", "ParallaxWire",
    "ParallaxMotion", "ParallaxTrace", "ParallaxConfig", "ParallaxDevice", "ParallaxSystemd",
    "ParallaxAnimation", "ParallaxDocuments", "ParallaxRecording", "ParallaxDoctor",
    "ParallaxAgent", "ParallaxFeel", "ParallaxTerminal", "ParallaxView", "ParallaxPlot",
    "ArgumentParser",
  ],
  "parallax": ["ParallaxCommands"],
]

/// The same for the separate package web/.
private let allowedWebImports: [String: Set<String>] = [
  "ParallaxWebCore": ["FoundationEssentials"],
  "parallax-provider": [
    "ParallaxWebCore", "AsyncHTTPClient", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL",
  ],
  "parallax-web": [
    "ParallaxWebCore", "ParallaxPage", "Hummingbird", "HummingbirdCore", "Logging", "NIOCore",
    "NIOPosix",
  ],
]

/// The same for the separate package desktop/.
private let allowedDesktopImports: [String: Set<String>] = [
  "ParallaxWallpaperCore": ["CToml"],
  "parallax-wallpaper": [
    "ParallaxWallpaperCore", "ParallaxClient", "ArgumentParser", "CWayland", "CPixbuf", "CLinux",
  ],
]

/// The modules that every module may import.
private let allowedEverywhere: Set<String> = ["Glibc", "Musl", "Synchronization"]

/// Returns the modules that a source imports, without their submodules.
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

@Suite struct ImportRuleTests {
  private static let tables = [
    ("Sources", allowedImports), ("web/Sources", allowedWebImports),
    ("desktop/Sources", allowedDesktopImports),
  ]

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

  @Test(arguments: tables)
  func everyModuleImportsOnlyAllowedModules(folder: String, rows: [String: Set<String>]) throws {
    let sources = "\(TestEnvironment.packageRoot)/\(folder)"
    var checked = 0
    for module in try namesInFolder(sources) where isFolder("\(sources)/\(module)") {
      let files = try files(below: "\(sources)/\(module)", suffix: ".swift")
      if files.isEmpty { continue }
      let allowed = try #require(
        rows[module], "\(folder)/\(module) has no row in this test's table")
      for file in files {
        for imported in importedModules(try text(ofFile: file)) {
          checked += 1
          #expect(
            allowed.contains(imported) || allowedEverywhere.contains(imported),
            "\(file) imports \(imported), which \(module) may not import")
        }
      }
    }
    #expect(checked > 10)
  }

  @Test(arguments: tables)
  func everyRowHasAModule(folder: String, rows: [String: Set<String>]) throws {
    let modules = Set(try namesInFolder("\(TestEnvironment.packageRoot)/\(folder)"))
    for module in rows.keys {
      #expect(modules.contains(module), "\(module) has a row but no folder in \(folder)")
    }
  }
}
