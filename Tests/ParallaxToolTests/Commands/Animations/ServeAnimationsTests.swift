// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

@testable import ParallaxTool

/// `parallax serve-animations` until parallax-web replaces it. web/ has the tests of parallax-web.
@Suite("parallax serve-animations")
struct ServeAnimationsTests {
  @Test(arguments: [
    (["."], 69, "parallax-web is not installed", "build it with 'make web'"),
    (["/none"], 66, "/none: No such file or directory", "name a folder"),
    (["/dev/null"], 66, "/dev/null: is not a folder", "name a folder"),
    ([], 64, "missing expected argument", "--help"),
    ([".", "--port", "65536"], 64, "invalid port 65536", "0 to 65535"),
  ])
  func refusals(arguments: [String], exit: Int32, what: String, advice: String) throws {
    // A copy in an otherwise empty folder.
    let folder = try TemporaryFolder()
    let program = try folder.write(
      bytes: try contents(ofFile: Program.parallax.path), to: "parallax")
    folder.openToAll()
    let result = try Program(path: "/bin/sh").run(
      ["-c", "chmod +x \(program) && exec \(program) serve-animations \"$@\"", "sh"] + arguments,
      environment: ["PATH": "/bin:/usr/bin"])
    #expect(result.exitCode == exit)
    #expect(result.errors.contains(what) && result.errors.contains(advice), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  @Test(arguments: [
    ("/p/.build/x86_64-unknown-linux-gnu/debug", ["/p/web/.build/debug", "/p/web/.build/release"]),
    ("/a/b/.build/t/release", ["/a/b/web/.build/release", "/a/b/web/.build/debug"]),
    ("/usr/bin", []), ("/home/me/.build/x", []), ("", []),
  ])
  func aCheckoutUsesTheBuildsOfWeb(folder: String, builds: [String]) {
    #expect(SiblingProgram.webBuilds(folder.split(separator: "/")[...]) == builds)
  }
}
