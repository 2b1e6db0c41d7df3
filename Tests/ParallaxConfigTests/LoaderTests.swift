import Glibc
import ParallaxConfig
import ParallaxTestSupport
import Testing

@Suite("Files and folders of configuration")
struct LoaderTests {
  private static let user: UInt32 = 1000

  @Test(
    "where the default file is",
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
    let process = ProcessFacts(userID: uid, variables: variables)
    #expect(ConfigLoader(process: process, files: MemoryFiles()).defaultFile == path)
  }

  @Test("--config is that file alone")
  func namedFile() throws {
    let files = MemoryFiles(files: [
      "/etc/parallax/parallax.toml": "[gates]\nfade = 1",
      "/a.toml": "[gates]\nsubtle-gain = 1", "/a.toml.d/b.toml": "[gates]\nfade = 2",
    ])
    let loader = ConfigLoader(process: ProcessFacts(userID: 0, variables: [:]), files: files)
    let loaded = try loader.builder(file: "/a.toml").build()
    #expect(loaded.configuration.motion.fadeSeconds == 0.3)
    #expect(loaded.configuration.gates.subtleGain == 1)
    #expect(loaded.files == ["/a.toml"])
  }

  @Test("only *.toml are drop-ins, and hidden files are none")
  func dropInNames() throws {
    let folder = "/etc/parallax/parallax.toml.d/"
    let files = MemoryFiles(files: [
      folder + "b.toml": "", folder + "a.toml": "", folder + ".c.toml": "x",
      folder + "d.toml~": "x",
      folder + "README": "x",
    ])
    let loader = ConfigLoader(process: ProcessFacts(userID: 0, variables: [:]), files: files)
    #expect(try loader.builder().build().files == [folder + "a.toml", folder + "b.toml"])
  }

  @Test("a default file may be missing; a named one may not; neither may be unreadable")
  func missingFiles() throws {
    let process = ProcessFacts(userID: 0, variables: [:])
    #expect(
      try ConfigLoader(process: process, files: MemoryFiles()).builder().build()
        == LoadedConfiguration())

    func error(_ files: MemoryFiles, file: String?) throws -> ConfigError {
      let loader = ConfigLoader(process: process, files: files)
      let error = #expect(throws: ConfigError.self) { try loader.builder(file: file).build() }
      return try #require(error)
    }
    let missing = try error(MemoryFiles(), file: "/a.toml")
    #expect(missing.exitStatus == 66)
    #expect(missing.lines == ["/a.toml: there is no such file; check the path, or leave it out"])
    let denied = try error(MemoryFiles(files: ["/etc/parallax/parallax.toml": nil]), file: nil)
    #expect(denied.exitStatus == 77)
    let large = String(repeating: "#\n", count: 1 << 19) + "#"
    let tooLarge = try error(MemoryFiles(files: ["/a.toml": large]), file: "/a.toml")
    #expect(tooLarge.exitStatus == 78)
    #expect(tooLarge.lines[0].hasPrefix("/a.toml: the file is over 1 MiB"))
  }

  @Test("the real file system: files, folders, FIFOs nobody writes to")
  func realFiles() throws {
    let folder = try TemporaryFolder()
    let files = ProcessFiles()
    try folder.write("[gates]\nfade = 1", to: "parallax/parallax.toml")
    try folder.write("[gates]\nfade = 2", to: "parallax/parallax.toml.d/a.toml")
    let process = ProcessFacts(userID: 0, variables: ["XDG_CONFIG_HOME": folder.path])
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
    "where the sockets are",
    arguments: [
      (UInt32(0), [:], [:], "/run/parallax/parallax.sock"),
      // A root session of its own.
      (
        0, ["XDG_RUNTIME_DIR": "/run/user/0"], ["/run/user/0": 0],
        "/run/user/0/parallax/parallax.sock"
      ),
      // sudo -E, su: somebody else's folder.
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
  func sockets(
    uid: UInt32, variables: [String: String], owners: [String: UInt32], stream: String
  ) throws {
    let process = ProcessFacts(userID: uid, variables: variables)
    let loader = ConfigLoader(process: process, files: MemoryFiles(owners: owners))
    let paths = try loader.socketPaths(Configuration())
    #expect(paths.stream == stream)
    #expect(paths.control == stream.dropLast("parallax.sock".count) + "control.sock")
  }

  @Test("configured paths are as configured, and control.sock is beside the stream's")
  func configuredSockets() throws {
    let loader = ConfigLoader(
      process: ProcessFacts(userID: Self.user, variables: [:]), files: MemoryFiles())
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
    "no place for sockets, or one too deep: exit 78, and --socket is named",
    arguments: [
      [:], ["XDG_RUNTIME_DIR": "/" + String(repeating: "r", count: 100)],
    ])
  func noPlaceForSockets(variables: [String: String]) throws {
    let process = ProcessFacts(userID: Self.user, variables: variables)
    let loader = ConfigLoader(process: process, files: MemoryFiles())
    let error = #expect(throws: ConfigError.self) { try loader.socketPaths(Configuration()) }
    #expect(error?.exitStatus == 78)
    #expect(error?.lines.first?.contains("--socket PATH") == true)
  }
}
