// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

@Suite("Rules for source files")
struct FileRuleTests {
  /// The lock file is not tracked, so the manifest itself pins each release. That of the libraries does not: their users
  /// would be held to it.
  @Test(arguments: ["web/Package.swift", "desktop/Package.swift"])
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
