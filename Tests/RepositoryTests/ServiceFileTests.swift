// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

/// Checks the units in systemd/ with systemd's own tools.
@Suite("Unit files")
struct ServiceFileTests {
  private static let folder = TestEnvironment.packageRoot + "/systemd"

  /// Returns a folder with the units as installed, but with the paths of the built programs.
  private static func installed(_ kind: String) throws -> TemporaryFolder {
    let units = try TemporaryFolder()
    for name in try namesInFolder("\(folder)/\(kind)") {
      let source = try text(ofFile: "\(folder)/\(kind)/\(name)")
      #expect(source.contains("@DOCDIR@"), "\(name) does not name its documentation")
      let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        Self.replace("@BINDIR@", TestEnvironment.productsFolder, in: line)
      }
      // web/ and desktop/ are separate packages that may not be built; another program replaces theirs.
      let replacement = "\(TestEnvironment.productsFolder)/parallaxd"
      let wallpaper = "\(TestEnvironment.productsFolder)/parallax-wallpaper"
      let programs = lines.map {
        let line = Self.replace("@LIBEXECDIR@/parallax-provider", replacement, in: $0[...])
        return Self.replace(wallpaper, replacement, in: line[...])
      }
      let whole = programs.map { Self.replace("@DOCDIR@", "/usr/share/doc/parallax", in: $0[...]) }
      try units.write(whole.joined(separator: "\n"), to: name)
    }
    return units
  }

  private static func replace(_ mark: String, _ text: String, in line: Substring) -> String {
    var parts: [Substring] = []
    var rest = line
    while let place = rest.range(of: mark) {
      parts += [rest[..<place.lowerBound], text[...]]
      rest = rest[place.upperBound...]
    }
    return (parts + [rest]).joined()
  }

  private static func analyze(_ arguments: [String]) throws -> ProgramResult {
    let path = ["/usr/bin/", "/bin/"].map { $0 + "systemd-analyze" }.first { access($0, X_OK) == 0 }
    let tool = try #require(path, "scripts/setup test installs systemd-analyze")
    // A user's manager requires these folders to exist.
    let own = try TemporaryFolder()
    return try Program(path: tool).run(
      arguments,
      environment: [
        "LC_ALL": "C", "SYSTEMD_PAGER": "", "HOME": own.path, "XDG_RUNTIME_DIR": own.path,
      ])
  }

  @Test(arguments: [("system", [String]()), ("user", ["--user"])])
  func verifyIsClean(kind: String, options: [String]) throws {
    let units = try Self.installed(kind)
    let files = try units.names().map { units($0) }
    #expect(files.count >= 3)
    let result = try Self.analyze(options + ["verify", "--man=no"] + files)
    // Ignore reports on the machine's other units.
    let lines = (result.errors + result.output).split(separator: "\n")
    let own = lines.filter { $0.contains("parallax") }
    #expect(own.isEmpty && result.exitCode == 0, "\(result.errors)")
  }

  /// The exposure in tenths: at most 0.6, or 1.1 for the provider, which uses the network.
  @Test(arguments: [("parallax.service", 6), ("parallax-provider.service", 11)])
  func exposureStaysBelowThreshold(unit: String, tenths: Int) throws {
    let units = try Self.installed("system")
    let result = try Self.analyze(
      ["security", "--offline=true", "--threshold=\(tenths)", units(unit)])
    #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
  }

  @Test(arguments: ["system", "user"])
  func servicesAreRestartedForever(kind: String) throws {
    for unit in try namesInFolder("\(Self.folder)/\(kind)") where unit.hasSuffix(".service") {
      let lines = try text(ofFile: "\(Self.folder)/\(kind)/\(unit)").split(separator: "\n")
      // Without its compositor, the wallpaper gives up.
      let limits =
        unit == "parallax-wallpaper.service"
        ? ["StartLimitIntervalSec=60", "StartLimitBurst=5", "RestartSec=2s"]
        : ["StartLimitIntervalSec=0", "RestartSec=1s"]
      for line in limits + ["Restart=on-failure"] {
        #expect(lines.contains(Substring(line)), "\(unit) lacks \(line)")
      }
      // The agent runs in the user's session, which has limits of its own.
      guard unit != "parallax-agent.service" else { continue }
      for key in ["MemoryMax=", "TasksMax="] {
        #expect(lines.contains { $0.hasPrefix(key) }, "\(unit) lacks \(key)")
      }
    }
  }

  @Test(arguments: ["system/parallax.service", "user/parallax.service"])
  func daemonHasOnlyUnixAndNetlinkSockets(unit: String) throws {
    let lines = try text(ofFile: "\(Self.folder)/\(unit)").split(separator: "\n")
    #expect(
      lines.filter { $0.hasPrefix("RestrictAddressFamilies=") } == [
        "RestrictAddressFamilies=AF_UNIX AF_NETLINK"
      ])
  }

  @Test(arguments: ["system", "user"])
  func onlyTheProviderUsesTheNetwork(kind: String) throws {
    for unit in try namesInFolder("\(Self.folder)/\(kind)") where unit.hasSuffix(".service") {
      let lines = try text(ofFile: "\(Self.folder)/\(kind)/\(unit)").split(separator: "\n")
      let families = try #require(lines.first { $0.hasPrefix("RestrictAddressFamilies=") })
      #expect(families.contains("AF_INET") == (unit == "parallax-provider.service"), "\(unit)")
    }
  }

  /// A client of the provider can make it fetch any address.
  @Test(arguments: [("system", ["SocketUser=parallax"]), ("user", [])])
  func onlyTheDaemonReachesTheProvider(kind: String, more: [Substring]) throws {
    let path = "\(Self.folder)/\(kind)/parallax-provider.socket"
    let lines = try text(ofFile: path).split(separator: "\n")
    for line in ["ListenStream=%t/parallax/provider.sock", "SocketMode=0600"] + more {
      #expect(lines.contains(line), "\(path) lacks \(line)")
    }
  }

  /// The comment above each exception to the hardening has a line that starts with "Exception".
  @Test(arguments: [
    (
      "parallax.service",
      [
        "PrivateUsers=no", "PrivateDevices=no", "ReadWritePaths=/sys/devices",
        "RestrictAddressFamilies=AF_UNIX AF_NETLINK",
      ]
    ),
    (
      "parallax-provider.service",
      ["PrivateNetwork=no", "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6"]
    ),
  ])
  func everyExceptionHasAComment(unit: String, exceptions: [String]) throws {
    let lines = try text(ofFile: Self.folder + "/system/" + unit)
      .split(separator: "\n", omittingEmptySubsequences: false)
    for exception in exceptions {
      let place = try #require(lines.firstIndex { $0 == exception }, "\(exception)")
      let above = lines[..<place].reversed().prefix { !$0.isEmpty }
      #expect(above.contains { $0.hasPrefix("# Exception: ") }, "\(exception)")
    }
  }

  /// parallaxd identifies its sockets by these names.
  @Test(arguments: ["system", "user"])
  func socketsHaveTheNamesThatTheDaemonExpects(kind: String) throws {
    for (unit, name, file) in [
      ("parallax.socket", "stream", "parallax.sock"),
      ("parallax-control.socket", "control", "control.sock"),
    ] {
      let lines = try text(ofFile: "\(Self.folder)/\(kind)/\(unit)").split(separator: "\n")
      for line in [
        "FileDescriptorName=\(name)", "Service=parallax.service",
        "ListenStream=%t/parallax/\(file)",
      ] {
        #expect(lines.contains(Substring(line)), "\(kind)/\(unit) lacks \(line)")
      }
    }
  }
}

extension Substring {
  /// Returns the first occurrence of `text`.
  fileprivate func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
