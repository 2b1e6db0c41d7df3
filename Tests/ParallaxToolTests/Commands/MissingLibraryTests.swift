// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

/// `parallax` on a system without libsystemd.
@Suite("Without libsystemd", .timeLimit(.minutes(5)))
struct MissingLibraryTests {
  private let folder: TemporaryFolder
  /// The loader takes this folder's libsystemd.so.0, which is none.
  private let environment: [String: String]

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.write("no library", to: "libsystemd.so.0")
    environment = ["LD_LIBRARY_PATH": folder.path]
  }

  @Test func aReplayDoesNotNeedIt() throws {
    let trace = try folder.write("t,x,y\n0,1,2\n0.1,1,2\n", to: "walk.csv")
    let with = try Program.parallax.run(["replay", trace])
    let without = try Program.parallax.run(["replay", trace], environment: environment)
    #expect(without.exitCode == 0, "\(without.errors)")
    #expect(without.output == with.output && !with.output.isEmpty)
  }

  @Test func theDoctorSaysWhatToInstall() throws {
    let result = try Program.parallax.run(["doctor"], environment: environment)
    #expect(result.output.contains("portal "))
    #expect(result.output.contains("install libsystemd"), "\(result.output)")
  }

  @Test func theAgentSaysWhatToInstall() throws {
    let result = try Program.parallax.run(["agent"], environment: environment)
    #expect(result.exitCode == 74)
    #expect(
      result.errors
        == "parallax: Can not access a needed shared library (sd_event_new); "
        + "install libsystemd, on Debian: apt install libsystemd0\n")
  }
}
