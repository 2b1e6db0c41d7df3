// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxConfig
import ParallaxMotion
import Testing

@Suite("Precedence of values")
struct PrecedenceTests {
  private static let main = "/etc/parallax/parallax.toml"
  private static let root = ProcessEnvironment(userID: 0, variables: [:])

  @Test func commandLineOverridesEnvironmentOverridesFiles() throws {
    let files = InMemoryFileSystem(files: [
      Self.main: "[socket]\npath = \"/file\"\naccess = \"all\"\n[gates]\nfade = 1\n"
        + "subtle-gain = 0.5\n",
      Self.main + ".d/10-a.toml": "[socket]\npath = \"/ten\"\n[gates]\nfade = 2\n",
      Self.main + ".d/9-b.toml": "[socket]\npath = \"/nine\"\n",
    ])
    let process = ProcessEnvironment(userID: 0, variables: ["PARALLAX_SOCKET": "/variable"])
    let loader = ConfigLoader(process: process, files: files)

    var loaded = try loader.builder().build()
    #expect(loaded.configuration.socket.path == "/variable")
    #expect(loaded.configuration.gates.subtleGain == 0.5)
    #expect(loaded.configuration.motion.fadeSeconds == 2)
    #expect(loaded.configuration.socket.access == .all)
    #expect(loaded.origins["socket.path"] == .environment("PARALLAX_SOCKET"))
    #expect(loaded.files == [Self.main, Self.main + ".d/10-a.toml", Self.main + ".d/9-b.toml"])

    var builder = loader.builder()
    builder.set(assignment: "socket.path=/set")
    loaded = try builder.build()
    #expect(loaded.configuration.socket.path == "/set")
    #expect(loaded.origins["socket.path"] == .assignment)

    loaded = try ConfigLoader(process: Self.root, files: files).builder().build()
    // By bytes: "1" comes before "9".
    #expect(loaded.configuration.socket.path == "/nine")
  }

  @Test func laterOfTwoOptionsCounts() throws {
    var builder = ConfigurationBuilder()
    builder.set(key: "motion.mode", text: "tilt", origin: .option("--mode"))
    builder.set(assignment: "motion.mode=rate")
    #expect(try builder.build().origins["motion.mode"] == .assignment)
    builder.set(key: "motion.mode", text: "tilt", origin: .option("--mode"))
    #expect(try builder.build().configuration.motion.mode == .tilt)
  }

  @Test func layersOfFilesAddUpUntilSetReplacesThem() throws {
    var builder = ConfigurationBuilder()
    builder.add(file: "a", bytes: Array("[layers]\nmid = 0.5\nbg = 0.2\n".utf8))
    builder.add(file: "b", bytes: Array("[layers]\nfg = 1\nbg = -0.1\n".utf8))
    var loaded = try builder.build()
    #expect(loaded.configuration.layers.layers.map(\.name) == ["mid", "bg", "fg"])
    #expect(loaded.configuration.layers.layers.map(\.depth) == [0.5, -0.1, 1])
    #expect(
      loaded.origins["layers.bg"]
        == .file(path: "b", position: TextPosition(line: 3, column: 6)))
    #expect(try load(loaded.toml()).configuration == loaded.configuration)

    builder.set(assignment: "layers=card=1.4")
    builder.set(assignment: "layers.far=0.1")
    loaded = try builder.build()
    #expect(loaded.configuration.layers.layers.map(\.name) == ["card", "far"])
  }

  @Test func seventeenthLayerIsReported() {
    let text = "[layers]\n" + (1...17).map { "l\($0) = 1\n" }.joined()
    let lines = errors(in: text)
    #expect(lines == ["p.toml:18:7: layers.l17: too many layers: 17; at most 16 are possible"])
  }

  @Test func overriddenValueIsChecked() {
    #expect(errors(in: "[motion]\nmode = 3", set: ["motion.mode=tilt"]).count == 1)
  }

  @Test func singleKeyIsReadIntoAConfiguration() throws {
    var configuration = Configuration()
    let key = try #require(ConfigSchema.key(at: "motion.scale"))
    try key.read(.text("10,14")).apply(to: &configuration)
    #expect(configuration.motion.scale == PixelScale(x: 10, y: 14))
    #expect(throws: SettingError.self) { try key.read(.text("x")) }
    #expect(configuration.motion.scale == PixelScale(x: 10, y: 14))
    #expect(key.value(in: configuration).toml == "\"10,14\"")
  }

  @Test func renderingHasOriginsAndResolvedPaths() throws {
    let loaded = try load("[motion]\nmode = \"tilt\"\n", set: ["gates.fade=1"])
    let text = loaded.toml(paths: SocketPaths(stream: "/r/parallax.sock", control: "/r/c"))
    #expect(text.contains("mode = \"tilt\"                   # p.toml:2\n"))
    #expect(text.contains("fade = 1                        # --set\n"))
    #expect(text.contains("path = \"\"                       # /r/parallax.sock\n"))
    #expect(text.contains("\nrecenter = 4\n"))
  }
}
