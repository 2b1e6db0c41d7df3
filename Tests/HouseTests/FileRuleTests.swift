import ParallaxTestSupport
import Testing

@Suite("The package's files")
struct FileRuleTests {
  /// 100 to 200 lines are the rule, 600 the ceiling.
  @Test(arguments: [".swift", ".c", ".cpp", ".h"])
  func noFileIsOver600Lines(suffix: String) throws {
    for folder in ["Sources", "Tests", "web/Sources", "web/Tests"] {
      for file in try files(below: "\(Surroundings.packageRoot)/\(folder)", suffix: suffix) {
        let lines = try contents(ofFile: file).count { $0 == UInt8(ascii: "\n") }
        #expect(lines <= 600, "\(file) has \(lines) lines: split it")
      }
    }
  }

  /// The lock file is not kept, so the manifest itself has to say which release it means.
  @Test(arguments: ["Package.swift", "web/Package.swift"])
  func everyDependencyIsPinnedExactly(manifest: String) throws {
    let manifest = try text(ofFile: "\(Surroundings.packageRoot)/\(manifest)")
    let dependencies = manifest.split(separator: "\n").filter { $0.contains("url: \"https:") }
    #expect(!dependencies.isEmpty)
    for dependency in dependencies {
      #expect(dependency.contains("exact: \""), "not pinned by exact: \(dependency)")
    }
  }

  /// web/ is a package of its own, which cannot ask this one for its release.
  @Test func bothPackagesAreOfOneRelease() throws {
    func version(_ path: String) throws -> Substring? {
      try text(ofFile: "\(Surroundings.packageRoot)/\(path)").split(separator: "\n")
        .first { $0.contains("static let version = ") }?.split(separator: "=").last
    }
    let release = try version("Sources/ParallaxWire/Release.swift")
    #expect(release != nil)
    #expect(
      try version("web/Sources/ParallaxWebCore/Process/ProgramSurroundings.swift") == release)
  }

  /// Words that mean an unfinished place or one that may crash; each has a better way.
  @Test(arguments: ["try" + "!", "fatal" + "Error(", "TO" + "DO", "FIX" + "ME"])
  func shippedSourcesDoWithout(word: String) throws {
    let folders = ["Sources", "web/Sources"].map { "\(Surroundings.packageRoot)/\($0)" }
    for file in try folders.flatMap({ try files(below: $0, suffix: ".swift") }) {
      #expect(!(try text(ofFile: file).contains(word)), "\(file) has \(word)")
    }
  }
}
