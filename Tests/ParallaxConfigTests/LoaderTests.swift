// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxConfig
import ParallaxTestSupport
import Testing

@Suite("Files and folders of the configuration")
struct LoaderTests {
  private static let user: UInt32 = 1000

  @Test(
    arguments: [
      (UInt32(0), [:], "/etc/parallax/parallax.toml"),
      (0, ["HOME": "/root"], "/etc/parallax/parallax.toml"),
      (0, ["XDG_CONFIG_HOME": "/x/"], "/x/parallax/parallax.toml"),
      (user, ["HOME": "/home/a"], "/home/a/.config/parallax/parallax.toml"),
      (user, ["HOME": "/home/a", "XDG_CONFIG_HOME": "/x"], "/x/parallax/parallax.toml"),
      (
        user, ["HOME": "/home/a", "XDG_CONFIG_HOME": "x"], "/home/a/.config/parallax/parallax.toml"
      ),
      (user, ["CONFIGURATION_DIRECTORY": "/etc/parallax:/b"], "/etc/parallax/parallax.toml"),
      (user, [:], nil),
    ])
  func defaultFile(uid: UInt32, variables: [String: String], path: String?) {
    let process = ProcessEnvironment(userID: uid, variables: variables)
    #expect(ConfigLoader(process: process, files: InMemoryFileSystem()).defaultFile == path)
  }

  @Test func namedFileIsTheOnlyOne() throws {
    let files = InMemoryFileSystem(files: [
      "/etc/parallax/parallax.toml": "[gates]\nfade = 1",
      "/a.toml": "[gates]\nsubtle-gain = 1", "/a.toml.d/b.toml": "[gates]\nfade = 2",
    ])
    let loader = ConfigLoader(process: ProcessEnvironment(userID: 0, variables: [:]), files: files)
    let loaded = try loader.builder(file: "/a.toml").build()
    #expect(loaded.configuration.motion.fadeSeconds == 0.3)
    #expect(loaded.configuration.gates.subtleGain == 1)
    #expect(loaded.files == ["/a.toml"])
  }

  @Test func onlyVisibleTomlFilesAreDropIns() throws {
    let folder = "/etc/parallax/parallax.toml.d/"
    let files = InMemoryFileSystem(files: [
      folder + "b.toml": "", folder + "a.toml": "", folder + ".c.toml": "x",
      folder + "d.toml~": "x",
      folder + "README": "x",
    ])
    let loader = ConfigLoader(process: ProcessEnvironment(userID: 0, variables: [:]), files: files)
    #expect(try loader.builder().build().files == [folder + "a.toml", folder + "b.toml"])
  }

  @Test func onlyADefaultFileMayBeMissing() throws {
    let process = ProcessEnvironment(userID: 0, variables: [:])
    #expect(
      try ConfigLoader(process: process, files: InMemoryFileSystem()).builder().build()
        == LoadedConfiguration())

    func error(_ files: InMemoryFileSystem, file: String?) throws -> ConfigurationErrors {
      let loader = ConfigLoader(process: process, files: files)
      let error = #expect(throws: ConfigurationErrors.self) {
        try loader.builder(file: file).build()
      }
      return try #require(error)
    }
    let missing = try error(InMemoryFileSystem(), file: "/a.toml")
    #expect(missing.exitStatus == 66)
    #expect(missing.lines == ["/a.toml: no such file; check the path"])
    let denied = try error(
      InMemoryFileSystem(files: ["/etc/parallax/parallax.toml": nil]), file: nil)
    #expect(denied.exitStatus == 77)
    let large = String(repeating: "#\n", count: 1 << 19) + "#"
    let tooLarge = try error(InMemoryFileSystem(files: ["/a.toml": large]), file: "/a.toml")
    #expect(tooLarge.exitStatus == 78)
    #expect(tooLarge.lines[0].hasPrefix("/a.toml: the file is over 1 MiB"))
  }

  @Test func localFilesFoldersAndFIFOs() throws {
    let folder = try TemporaryFolder()
    let files = LocalFileSystem()
    try folder.write("[gates]\nfade = 1", to: "parallax/parallax.toml")
    try folder.write("[gates]\nfade = 2", to: "parallax/parallax.toml.d/a.toml")
    let process = ProcessEnvironment(userID: 0, variables: ["XDG_CONFIG_HOME": folder.path])
    let loaded = try ConfigLoader(process: process).builder().build()
    #expect(loaded.configuration.motion.fadeSeconds == 2)

    #expect(throws: ConfigFileError.folder) { try files.read(folder.path, limit: 10) }
    #expect(throws: ConfigFileError.missing) { try files.read(folder("none"), limit: 10) }
    #expect(throws: ConfigFileError.missing) { try files.names(inFolder: folder("none")) }
    #expect(try files.read("/dev/zero", limit: 1 << 20).count == (1 << 20) + 1)
    #expect(try files.read("/dev/null", limit: 10).isEmpty)
    let fifo = folder("fifo")
    #expect(mkfifo(fifo, 0o600) == 0)
    #expect(try files.read(fifo, limit: 10).isEmpty)
    #expect(files.owner(ofFolder: folder.path) == geteuid())
    #expect(files.owner(ofFolder: fifo) == nil)
  }

  @Test(
    arguments: [
      (UInt32(0), [:], [:], "/run/parallax/parallax.sock"),
      // root's own session.
      (
        0, ["XDG_RUNTIME_DIR": "/run/user/0"], ["/run/user/0": 0],
        "/run/user/0/parallax/parallax.sock"
      ),
      // sudo -E, su: another user's folder.
      (
        0, ["XDG_RUNTIME_DIR": "/run/user/1000"], ["/run/user/1000": user],
        "/run/parallax/parallax.sock"
      ),
      (user, ["XDG_RUNTIME_DIR": "/r/"], [:], "/r/parallax/parallax.sock"),
      (
        user, ["XDG_RUNTIME_DIR": "relative"], ["/run/user/1000": user],
        "/run/user/1000/parallax/parallax.sock"
      ),
      (user, [:], ["/run/user/1000": user], "/run/user/1000/parallax/parallax.sock"),
      (
        user, ["RUNTIME_DIRECTORY": "/run/parallax", "XDG_RUNTIME_DIR": "/r"], [:],
        "/run/parallax/parallax.sock"
      ),
    ] as [(UInt32, [String: String], [String: UInt32], String)])
  func socketPaths(
    uid: UInt32, variables: [String: String], owners: [String: UInt32], stream: String
  ) throws {
    let process = ProcessEnvironment(userID: uid, variables: variables)
    let loader = ConfigLoader(process: process, files: InMemoryFileSystem(owners: owners))
    let paths = try loader.socketPaths(Configuration())
    #expect(paths.stream == stream)
    #expect(paths.control == stream.dropLast("parallax.sock".count) + "control.sock")
  }

  @Test func configuredPathsAreUsed() throws {
    let loader = ConfigLoader(
      process: ProcessEnvironment(userID: Self.user, variables: [:]), files: InMemoryFileSystem())
    var configuration = Configuration()
    configuration.socket.path = "/a/b/s"
    #expect(
      try loader.socketPaths(configuration)
        == SocketPaths(stream: "/a/b/s", control: "/a/b/control.sock"))
    configuration.socket.path = "s"
    #expect(try loader.socketPaths(configuration).control == "control.sock")
    configuration.socket.control = "/c"
    #expect(try loader.socketPaths(configuration).control == "/c")
  }

  @Test(
    arguments: [
      [:], ["XDG_RUNTIME_DIR": "/" + String(repeating: "r", count: 100)],
    ])
  func missingOrTooDeepFolderIsAnErrorWithAdvice(variables: [String: String]) throws {
    let process = ProcessEnvironment(userID: Self.user, variables: variables)
    let loader = ConfigLoader(process: process, files: InMemoryFileSystem())
    let error = #expect(throws: ConfigurationErrors.self) {
      try loader.socketPaths(Configuration())
    }
    #expect(error?.exitStatus == 78)
    #expect(error?.lines.first?.contains("--socket PATH") == true)
  }
}
