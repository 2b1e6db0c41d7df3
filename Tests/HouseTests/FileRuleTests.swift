import ParallaxTestSupport
import Testing

@Suite("The package's files")
struct FileRuleTests {
  /// 100 to 200 lines are the rule, 600 the ceiling.
  @Test(arguments: [".swift", ".c", ".cpp", ".h"])
  func noFileIsOver600Lines(suffix: String) throws {
    for folder in ["Sources", "Tests"] {
      for file in try files(below: "\(Surroundings.packageRoot)/\(folder)", suffix: suffix) {
        let lines = try contents(ofFile: file).count { $0 == UInt8(ascii: "\n") }
        #expect(lines <= 600, "\(file) has \(lines) lines: split it")
      }
    }
  }

  /// The lock file is not kept, so the manifest itself has to say which release it means.
  @Test func everyDependencyIsPinnedExactly() throws {
    let manifest = try text(ofFile: Surroundings.packageRoot + "/Package.swift")
    let dependencies = manifest.split(separator: "\n").filter { $0.contains(".package(url:") }
    #expect(!dependencies.isEmpty)
    for dependency in dependencies {
      #expect(dependency.contains("exact: \""), "not pinned by exact: \(dependency)")
    }
  }

  /// Words that mean an unfinished place or one that may crash; each has a better way.
  @Test(arguments: ["try" + "!", "fatal" + "Error(", "TO" + "DO", "FIX" + "ME"])
  func shippedSourcesDoWithout(word: String) throws {
    for file in try files(below: Surroundings.packageRoot + "/Sources", suffix: ".swift") {
      #expect(!(try text(ofFile: file).contains(word)), "\(file) has \(word)")
    }
  }
}
