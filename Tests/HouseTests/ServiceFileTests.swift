import Glibc
import ParallaxTestSupport
import Testing

/// systemd/: what systemd's own tools say of the units, and how little they leave open.
@Suite("systemd's files")
struct ServiceFileTests {
  private static let folder = Surroundings.packageRoot + "/systemd"

  /// A folder of units as they are installed, the built programs in them.
  private static func installed(_ kind: String) throws -> TemporaryFolder {
    let units = try TemporaryFolder()
    for name in try namesInFolder("\(folder)/\(kind)") {
      let source = try text(ofFile: "\(folder)/\(kind)/\(name)")
      #expect(source.contains("@DOCDIR@"), "\(name) says where its document is")
      let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        Self.replace("@BINDIR@", Surroundings.productsFolder, in: line)
      }
      // web/ is a package of its own, which may not have been built: another program stands in.
      let standIn = "\(Surroundings.productsFolder)/parallaxd"
      let programs = lines.map {
        Self.replace("@LIBEXECDIR@/parallax-provider", standIn, in: $0[...])
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
    // A user's manager has a folder of its own; it is only looked for.
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
    // What it says of other units is the machine's business.
    let lines = (result.errors + result.output).split(separator: "\n")
    let own = lines.filter { $0.contains("parallax") }
    #expect(own.isEmpty && result.exitCode == 0, "\(result.errors)")
  }

  /// Tenths: 0.7; 1.1 for the one that has a network.
  @Test(arguments: [("parallax.service", 7), ("parallax-provider.service", 11)])
  func theServiceIsExposedAsLittleAsPromised(unit: String, tenths: Int) throws {
    let units = try Self.installed("system")
    let result = try Self.analyze(
      ["security", "--offline=true", "--threshold=\(tenths)", units(unit)])
    #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
  }

  @Test(arguments: ["system/parallax.service", "user/parallax.service"])
  func onlyLocalSocketsAndTheKernelsNews(unit: String) throws {
    let lines = try text(ofFile: "\(Self.folder)/\(unit)").split(separator: "\n")
    #expect(
      lines.filter { $0.hasPrefix("RestrictAddressFamilies=") } == [
        "RestrictAddressFamilies=AF_UNIX AF_NETLINK"
      ])
  }

  @Test(arguments: ["system", "user"])
  func theProviderAloneHasANetwork(kind: String) throws {
    for unit in try namesInFolder("\(Self.folder)/\(kind)") where unit.hasSuffix(".service") {
      let lines = try text(ofFile: "\(Self.folder)/\(kind)/\(unit)").split(separator: "\n")
      let families = try #require(lines.first { $0.hasPrefix("RestrictAddressFamilies=") })
      #expect(families.contains("AF_INET") == (unit == "parallax-provider.service"), "\(unit)")
    }
  }

  /// Whoever may ask it has addresses fetched.
  @Test(arguments: [("system", ["SocketUser=parallax"]), ("user", [])])
  func theDaemonAloneAsksTheProvider(kind: String, more: [Substring]) throws {
    let path = "\(Self.folder)/\(kind)/parallax-provider.socket"
    let lines = try text(ofFile: path).split(separator: "\n")
    for line in ["ListenStream=%t/parallax/provider.sock", "SocketMode=0600"] + more {
      #expect(lines.contains(line), "\(path) lacks \(line)")
    }
  }

  /// What is not hardened says why: a line "Exception" somewhere in the comment above it.
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
  func everyExceptionHasItsComment(unit: String, exceptions: [String]) throws {
    let lines = try text(ofFile: Self.folder + "/system/" + unit)
      .split(separator: "\n", omittingEmptySubsequences: false)
    for exception in exceptions {
      let place = try #require(lines.firstIndex { $0 == exception }, "\(exception)")
      let above = lines[..<place].reversed().prefix { !$0.isEmpty }
      #expect(above.contains { $0.hasPrefix("# Exception: ") }, "\(exception)")
    }
  }

  /// parallaxd knows its sockets by these names.
  @Test(arguments: ["system", "user"])
  func theSocketsNamesAreTheDaemons(kind: String) throws {
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
  /// The first place of `text` in here.
  fileprivate func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
