// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

@testable import ParallaxTool

/// `parallax web` and `parallax serve-animations` until parallax-web replaces them. web/ has the tests of
/// parallax-web.
@Suite("parallax web and serve-animations")
struct WebCommandTests {
  private let folder: TemporaryFolder
  private let program: Program

  /// A copy in an otherwise empty folder.
  init() throws {
    folder = try TemporaryFolder()
    folder.openToAll()
    let bytes = try contents(ofFile: Program.parallax.path)
    program = Program(path: try folder.write(bytes: bytes, to: "parallax"))
    try changeMode(program.path, 0o755)
  }

  @Test(
    arguments: [
      (["web"], 69, "parallax-web is not installed", "build it with 'make web'"),
      (["web", "--port", "65536"], 64, "invalid port 65536", "0 to 65535"),
      (["web", "x"], 64, "x", "--help"),
      (["phone"], 69, "parallax-web is not installed", "build it with 'make web'"),
      (["phone", "--port=-1"], 64, "invalid port -1", "0 to 65535"),
      (
        ["wallpaper", "x"], 69, "parallax-wallpaper is not installed",
        "build it with 'make desktop'"
      ),
      (["serve-animations", "."], 69, "parallax-web is not installed", "build it with 'make web'"),
      (["serve-animations", "/none"], 66, "/none: No such file or directory", "name a folder"),
      (["serve-animations", "/dev/null"], 66, "/dev/null: is not a folder", "name a folder"),
      (["serve-animations"], 64, "missing expected argument", "--help"),
      (["serve-animations", ".", "--port", "65536"], 64, "invalid port 65536", "0 to 65535"),
    ] as [([String], Int32, String, String)])
  func refusals(arguments: [String], exit: Int32, what: String, advice: String) throws {
    let result = try program.run(arguments, environment: ["PATH": "/bin:/usr/bin"])
    #expect(result.exitCode == exit)
    #expect(result.errors.contains(what) && result.errors.contains(advice), "\(result.errors)")
    #expect(result.errorLines.count == 1)
  }

  /// The command line that parallax-web gets.
  @Test func optionsArePassedOn() throws {
    try folder.write("#!/bin/sh\nprintf '%s\\n' \"$@\"\n", to: "parallax-web")
    try changeMode(folder("parallax-web"), 0o755)
    let options = [
      "--port", "0", "--host", "::1", "--allow-host", "board", "--allow-host", "b:9",
      "--files", "/f", "--socket", "/s", "--control", "/c",
    ]
    let result = try program.run(["web"] + options, environment: ["PATH": "/bin:/usr/bin"])
    #expect(result.exitCode == 0)
    #expect(result.outputLines.map(String.init) == ["page"] + options)
  }

  /// The address goes to the desktop's browser, and the server keeps running until then.
  @Test func theBrowserOpens() throws {
    let opened = folder("opened")
    try folder.write(
      "#!/bin/sh\necho \"http://page/ $*\"\nuntil [ -s '\(opened)' ]; do sleep 0.02; done\n",
      to: "parallax-web")
    try folder.write("#!/bin/sh\necho \"$1\" >'\(opened)'\n", to: "xdg-open")
    for name in ["parallax-web", "xdg-open"] { try changeMode(folder(name), 0o755) }
    let result = try program.run(
      ["web", "--open", "--port", "0"],
      environment: ["PATH": "\(folder.path):/bin:/usr/bin", "DISPLAY": ":0"])
    let address = "http://page/ page --port 0 --host 127.0.0.1"
    #expect(result.exitCode == 0 && result.output == address + "\n", "\(result.errors)")
    #expect(String(decoding: try contents(ofFile: opened), as: UTF8.self) == address + "\n")
  }

  @Test func optionsOfThePhoneArePassedOn() throws {
    try folder.write("#!/bin/sh\nprintf '%s\\n' \"$@\"\n", to: "parallax-web")
    try changeMode(folder("parallax-web"), 0o755)
    let options = [
      "--port", "0", "--address", "192.0.2.7", "--name", "Pixel 8", "--files", "/f",
      "--socket", "/s", "--control", "/c",
    ]
    let result = try program.run(["phone"] + options, environment: ["PATH": "/bin:/usr/bin"])
    #expect(result.exitCode == 0)
    #expect(result.outputLines.map(String.init) == ["phone"] + options)
  }

  @Test func argumentsOfTheWallpaperArePassedOn() throws {
    try folder.write("#!/bin/sh\nprintf '%s\\n' \"$@\"\n", to: "parallax-wallpaper")
    try changeMode(folder("parallax-wallpaper"), 0o755)
    let arguments = ["preview", "a b.jpg", "--frames", "/f", "--help", "--", "-x"]
    let result = try program.run(["wallpaper"] + arguments, environment: ["PATH": "/bin:/usr/bin"])
    #expect(result.exitCode == 0)
    #expect(result.outputLines.map(String.init) == arguments)
  }

  @Test(arguments: [
    (
      "/p/.build/x86_64-unknown-linux-gnu/debug",
      [
        "/p/web/.build/debug", "/p/web/.build/release", "/p/desktop/.build/debug",
        "/p/desktop/.build/release",
      ]
    ),
    (
      "/a/b/.build/t/release",
      [
        "/a/b/web/.build/release", "/a/b/web/.build/debug", "/a/b/desktop/.build/release",
        "/a/b/desktop/.build/debug",
      ]
    ),
    ("/usr/bin", []), ("/home/me/.build/x", []), ("", []),
  ])
  func aCheckoutUsesTheBuildsBesideIt(folder: String, builds: [String]) {
    #expect(SiblingProgram.siblingBuilds(folder.split(separator: "/")[...]) == builds)
  }
}
