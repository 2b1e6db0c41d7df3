// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

@testable import ParallaxTool

/// `parallax web` until parallax-web replaces it. web/ has the tests of parallax-web.
@Suite("parallax web")
struct WebCommandTests {
  @Test(arguments: [
    ([], 69, "parallax-web is not installed", "build it with 'make web'"),
    (["--port", "65536"], 64, "invalid port 65536", "0 to 65535"),
    (["x"], 64, "x", "--help"),
  ])
  func refusals(arguments: [String], exit: Int32, what: String, advice: String) throws {
    // A copy in an otherwise empty folder.
    let folder = try TemporaryFolder()
    let program = try folder.write(
      bytes: try contents(ofFile: Program.parallax.path), to: "parallax")
    folder.openToAll()
    let result = try Program(path: "/bin/sh").run(
      ["-c", "chmod +x \(program) && exec \(program) web \"$@\"", "sh"] + arguments,
      environment: ["PATH": "/bin:/usr/bin"])
    #expect(result.exitCode == exit)
    #expect(result.errors.contains(what) && result.errors.contains(advice), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  /// The command line that parallax-web gets.
  @Test func optionsArePassedOn() throws {
    let folder = try TemporaryFolder()
    let program = try folder.write(
      bytes: try contents(ofFile: Program.parallax.path), to: "parallax")
    try folder.write("#!/bin/sh\nprintf '%s\\n' \"$@\"\n", to: "parallax-web")
    folder.openToAll()
    let result = try Program(path: "/bin/sh").run(
      [
        "-c", "chmod +x \(program) \(folder.path)/parallax-web && exec \(program) web \"$@\"", "sh",
        "--port", "0", "--host", "::1", "--allow-host", "board", "--allow-host", "b:9",
        "--files", "/f", "--socket", "/s", "--control", "/c",
      ], environment: ["PATH": "/bin:/usr/bin"])
    #expect(result.exitCode == 0)
    #expect(
      result.output.split(separator: "\n") == [
        "page", "--port", "0", "--host", "::1", "--allow-host", "board", "--allow-host", "b:9",
        "--files", "/f", "--socket", "/s", "--control", "/c",
      ])
  }
}
