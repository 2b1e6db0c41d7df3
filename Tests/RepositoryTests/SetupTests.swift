// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

/// Runs scripts/setup on simulated machines: a PATH with a few real tools and some fake ones.
@Suite("scripts/setup")
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

  private func fake(_ tool: String, _ script: String) throws {
    unlink(machine("bin/" + tool))
    chmod(try machine.write("#!/bin/sh\n\(script)\n", to: "bin/" + tool), 0o755)
  }

  private func setUp(_ purpose: String = "test") throws -> ProgramResult {
    try Program(path: TestEnvironment.packageRoot + "/scripts/setup")
      .run([purpose], environment: ["PATH": machine("bin")])
  }

  @Test func missingSwiftPrintsWhereToGetIt() throws {
    try fake("apt-get", "echo touched >> \(machine("touched"))")
    let result = try setUp()
    #expect(result.exitCode == 69)
    #expect(result.errors.contains("no \"swift\" in the PATH"))
    #expect(result.errors.contains("Install Swift 6.2 or newer from https://www.swift.org/"))
    #expect(!machine.exists("touched"))
  }

  @Test(arguments: ["5.10", "6.1"])
  func oldSwiftIsRefusedWithItsVersion(version: String) throws {
    try fake("swift", "echo 'Swift version \(version) (swift-RELEASE)'")
    let result = try setUp()
    #expect(result.exitCode == 69)
    #expect(result.errors.contains("is Swift \(version), too old"))
    #expect(result.errors.contains("https://www.swift.org/"))
  }

  @Test func systemWithoutAptPrintsThePackages() throws {
    try fake("swift", "echo 'Apple Swift version 6.10 (swift-RELEASE)'")
    let result = try setUp()
    #expect(result.exitCode == 69)
    #expect(result.errors.contains("libsystemd-dev"))
    #expect(result.errors.contains("no apt-get"))
  }

  @Test func missingRootAndSudoPrintTheCommandForRoot() throws {
    try fake("swift", "echo 'Swift version 6.2 (swift-RELEASE)'")
    try fake("apt-get", "echo touched >> \(machine("touched"))")
    try fake("id", "echo 1000")
    let result = try setUp()
    #expect(result.exitCode == 77)
    #expect(result.errors.contains("apt-get install --no-install-recommends "))
    #expect(!machine.exists("touched"))
  }

  /// As in a new container without package lists: the lists are updated before the installation.
  @Test func sudoInstallsOnlyMissingPackages() throws {
    try fake("swift", "echo 'Swift version 6.3.1 (swift-RELEASE)'")
    try fake("id", "echo 1000")
    try fake("apt-cache", "exit 100")
    try fake("sudo", "echo \"$@\" >> \(machine("log"))\nexec \"$@\"")
    try fake(
      "apt-get",
      "case \"$*\" in *install*) for tool in make git g++ jq nc umockdev-run dbus-daemon"
        + " systemd-analyze lowdown; do"
        + " ln -sf sh \(machine("bin"))/$tool; done;"
        + " for tool in pkg-config python3; do printf '#!/bin/sh\\n' > \(machine("bin"))/$tool;"
        + " chmod +x \(machine("bin"))/$tool; done;; esac")
    let result = try setUp()
    let log = try machine.text(of: "log").split(separator: "\n")
    #expect(log.first == "apt-get update --quiet")
    #expect(log.dropFirst().first?.contains("install --yes") == true)
    #expect(log.dropFirst().first?.contains(" pkg-config ") == true)
    #expect(log.dropFirst().first?.contains("python3-minimal") == false, "only benchmarks need it")
    #expect(log.count == 2)
    #expect(result.exitCode == 0, "\(result.errors)")
  }

  @Test func missingToolAfterTheInstallationIsAnError() throws {
    try fake("swift", "echo 'Swift version 6.3.1 (swift-RELEASE)'")
    try fake("id", "echo 0")
    try fake("apt-cache", "exit 0")
    try fake("apt-get", "exit 0")
    let result = try setUp()
    #expect(result.exitCode == 69)
    #expect(result.errors.contains("still not found after installing"), "\(result.errors)")
    #expect(result.errors.contains(" jq"))
  }

  @Test func unknownPurposeIsAUsageError() throws {
    let result = try setUp("tset")
    #expect(result.exitCode == 64)
    #expect(result.errors.contains("use build, test, system, "))
    #expect(
      result.errors.contains(
        ", desktop, desktop-test, desktop-kwin, gnome, plasma, clients, clients-qml, deb, deb-all, package, mqtt or spark"
      ))
  }
}
