// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

@Suite("Rules for source files")
struct FileRuleTests {
  /// Files have 100 to 200 lines as a rule, 600 at most.
  @Test(arguments: [".swift", ".c", ".cpp", ".h"])
  func noFileIsOver600Lines(suffix: String) throws {
    for folder in ["", "web/", "desktop/"].flatMap({ ["\($0)Sources", "\($0)Tests"] }) {
      for file in try files(below: "\(TestEnvironment.packageRoot)/\(folder)", suffix: suffix) {
        let lines = try contents(ofFile: file).count { $0 == UInt8(ascii: "\n") }
        #expect(lines <= 600, "\(file) has \(lines) lines: split it")
      }
    }
  }

  /// The lock file is not tracked, so the manifest itself pins each release.
  @Test(arguments: ["Package.swift", "web/Package.swift", "desktop/Package.swift"])
  func everyDependencyIsPinnedExactly(manifest: String) throws {
    let manifest = try text(ofFile: "\(TestEnvironment.packageRoot)/\(manifest)")
    let dependencies = manifest.split(separator: "\n").filter { $0.contains("url: \"https:") }
    #expect(!dependencies.isEmpty)
    for dependency in dependencies {
      #expect(dependency.contains("exact: \""), "not pinned by exact: \(dependency)")
    }
  }

  /// web/ is a separate package and cannot import the release of this one.
  @Test func bothPackagesHaveTheSameRelease() throws {
    func version(_ path: String) throws -> Substring? {
      try text(ofFile: "\(TestEnvironment.packageRoot)/\(path)").split(separator: "\n")
        .first { $0.contains("static let version = ") }?.split(separator: "=").last
    }
    let release = try version("Sources/Protocol/Release.swift")
    #expect(release != nil)
    #expect(
      try version("web/Sources/ParallaxWebCore/Process/ProgramEnvironment.swift") == release)
  }

  /// These words mark unfinished code or code that may crash.
  @Test(arguments: ["try" + "!", "fatal" + "Error(", "TO" + "DO", "FIX" + "ME"])
  func shippedSourcesDoNotContain(word: String) throws {
    let folders = ["Sources", "web/Sources"].map { "\(TestEnvironment.packageRoot)/\($0)" }
    for file in try folders.flatMap({ try files(below: $0, suffix: ".swift") }) {
      #expect(!(try text(ofFile: file).contains(word)), "\(file) contains \(word)")
    }
  }
}
