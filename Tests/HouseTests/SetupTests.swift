import Glibc
import ParallaxTestSupport
import Testing

/// scripts/setup on machines that the tests make up: a PATH with a few tools and some pretended ones.
@Suite("Setting up")
struct SetupTests {
  private let machine: TemporaryFolder

  init() throws {
    machine = try TemporaryFolder()
    try machine.makeFolder("bin")
    for tool in ["sh", "dirname", "sed", "head", "sort", "grep", "id", "env", "ln", "chmod"] {
      let place = ["/usr/bin/", "/bin/"].map { $0 + tool }.first { access($0, X_OK) == 0 }
      symlink(try #require(place), machine("bin/" + tool))
    }
  }

  private func pretend(_ tool: String, _ script: String) throws {
    unlink(machine("bin/" + tool))
    chmod(try machine.write("#!/bin/sh\n\(script)\n", to: "bin/" + tool), 0o755)
  }

  private func setUp(_ purpose: String = "test") throws -> ProgramResult {
    try Program(path: Surroundings.packageRoot + "/scripts/setup")
      .run([purpose], environment: ["PATH": machine("bin")])
  }

  @Test func withoutSwiftItSaysWhereFrom() throws {
    try pretend("apt-get", "echo touched >> \(machine("touched"))")
    let result = try setUp()
    #expect(result.exitCode == 69)
    #expect(result.errors.contains("no \"swift\" in the PATH"))
    #expect(result.errors.contains("Install Swift 6.2 or newer from https://www.swift.org/"))
    #expect(!machine.exists("touched"))
  }

  @Test(arguments: ["5.10", "6.1"])
  func anOldSwiftIsNamed(version: String) throws {
    try pretend("swift", "echo 'Swift version \(version) (swift-RELEASE)'")
    let result = try setUp()
    #expect(result.exitCode == 69)
    #expect(result.errors.contains("is Swift \(version), too old"))
    #expect(result.errors.contains("https://www.swift.org/"))
  }

  @Test func anotherSystemIsToldWhatToInstall() throws {
    try pretend("swift", "echo 'Apple Swift version 6.10 (swift-RELEASE)'")
    let result = try setUp()
    #expect(result.exitCode == 69)
    #expect(result.errors.contains("libsystemd-dev"))
    #expect(result.errors.contains("no apt-get"))
  }

  @Test func withoutRootAndSudoItSaysWhatRootHasToDo() throws {
    try pretend("swift", "echo 'Swift version 6.2 (swift-RELEASE)'")
    try pretend("apt-get", "echo touched >> \(machine("touched"))")
    try pretend("id", "echo 1000")
    let result = try setUp()
    #expect(result.exitCode == 77)
    #expect(result.errors.contains("apt-get install --no-install-recommends "))
    #expect(!machine.exists("touched"))
  }

  /// Nothing known yet of any package, as in a fresh container: first the lists, then the install.
  @Test func withSudoItInstallsWhatIsMissingAndOnlyThat() throws {
    try pretend("swift", "echo 'Swift version 6.3.1 (swift-RELEASE)'")
    try pretend("id", "echo 1000")
    try pretend("apt-cache", "exit 100")
    try pretend("sudo", "echo \"$@\" >> \(machine("log"))\nexec \"$@\"")
    try pretend(
      "apt-get",
      "case \"$*\" in *install*) for tool in make git g++ jq nc; do"
        + " ln -sf sh \(machine("bin"))/$tool; done;"
        + " printf '#!/bin/sh\\n' > \(machine("bin/pkg-config"));"
        + " chmod +x \(machine("bin/pkg-config"));; esac")
    let result = try setUp()
    let log = try machine.text(of: "log").split(separator: "\n")
    #expect(log.first == "apt-get update --quiet")
    #expect(log.dropFirst().first?.contains("install --yes") == true)
    #expect(log.dropFirst().first?.contains(" pkg-config ") == true)
    #expect(log.dropFirst().first?.contains("python3-minimal") == false, "that is for benchmarks")
    #expect(log.count == 2)
    // What is not there in spite of that is a failure, not silence.
    #expect(result.exitCode == 0 || result.errors.contains("still not found"))
  }

  @Test func anUnknownPurposeIsAUsageError() throws {
    let result = try setUp("tset")
    #expect(result.exitCode == 64)
    #expect(result.errors.contains("use build, test, system, bench, web or vm"))
  }
}
