import Glibc
import ParallaxConfig
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxDaemon

private let second: Int64 = 1_000_000_000

/// A state folder, and what is said about it.
private final class StateRig {
  let folder: TemporaryFolder
  var lines: [String] = []
  /// Within the folder.
  var state = "state"

  init() throws {
    folder = try TemporaryFolder()
  }

  func store() -> BiasStore {
    BiasStore(
      process: ProcessFacts(
        userID: 1000, variables: ["STATE_DIRECTORY": "\(folder(state)):/nowhere/else"])
    ) { self.lines.append($0) }
  }

  var file: String { state + "/bias" }

  /// The file's lines without its comments.
  func rows() throws -> [String] {
    try folder.text(of: file).split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map(String.init)
  }
}

private let bias = AngularRate(x: 0.05, y: -0.0123456789, z: 1e-7)

@Suite struct BiasStoreTests {
  @Test func isKeptPerDeviceOverRestarts() throws {
    let rig = try StateRig()
    let first = rig.store()
    #expect(first.bias(ofDevice: "gyro_3d", parentPath: "/devices/a") == nil)
    #expect(!rig.folder.exists(rig.state), "a question makes no folder")
    first.remember(bias, ofDevice: "gyro_3d", parentPath: "/devices/a", atNanoseconds: 0)
    first.remember(.zero, ofDevice: "gyro_3d", parentPath: "/devices/b", atNanoseconds: 1)
    first.remember(bias, ofDevice: "bmi160", parentPath: nil, atNanoseconds: 2)
    first.flush()
    let second = rig.store()
    #expect(second.bias(ofDevice: "gyro_3d", parentPath: "/devices/a") == bias)
    #expect(second.bias(ofDevice: "gyro_3d", parentPath: "/devices/b") == .zero)
    #expect(second.bias(ofDevice: "bmi160", parentPath: nil) == bias)
    #expect(second.bias(ofDevice: "bmi160", parentPath: "/devices/a") == nil)
    #expect(rig.lines == [])
    #expect(try rig.folder.names() == ["state"])
    #expect(
      try rig.rows() == [
        "0.05 -0.0123456789 1e-07\tgyro_3d\t/devices/a", "0.0 0.0 0.0\tgyro_3d\t/devices/b",
        "0.05 -0.0123456789 1e-07\tbmi160\t",
      ])
  }

  /// What is remembered when (s), and what the file says then.
  @Test func isWrittenOnceAMinuteAtMostAndOnlyIfItChanged() throws {
    let rig = try StateRig()
    let store = rig.store()
    func remember(_ x: Double, at seconds: Int64) throws -> String {
      store.remember(
        AngularRate(x: x, y: 0, z: 0), ofDevice: "g", parentPath: "/",
        atNanoseconds: seconds * second)
      return try rig.rows().joined()
    }
    #expect(try remember(0.1, at: 1000) == "0.1 0.0 0.0\tg\t/", "the first at once")
    #expect(try remember(0.2, at: 1001) == "0.1 0.0 0.0\tg\t/")
    #expect(try remember(0.3, at: 1059) == "0.1 0.0 0.0\tg\t/")
    #expect(try remember(0.4, at: 1060) == "0.4 0.0 0.0\tg\t/")
    #expect(try remember(0.400009, at: 2000) == "0.4 0.0 0.0\tg\t/", "too small a change")
    #expect(try remember(0.399980, at: 2001) == "0.39998 0.0 0.0\tg\t/")
    #expect(try remember(0.1, at: 2002) == "0.39998 0.0 0.0\tg\t/")
    store.flush()
    #expect(try rig.rows() == ["0.1 0.0 0.0\tg\t/"])
    try rig.folder.write("", to: rig.file)
    store.flush()
    #expect(try rig.rows() == [], "nothing new, nothing written")
  }

  @Test(arguments: [
    AngularRate(x: 0.51, y: 0, z: 0), AngularRate(x: 0, y: -0.6, z: 0),
    AngularRate(x: 0, y: 0, z: .nan), AngularRate(x: .infinity, y: 0, z: 0),
  ])
  func whatNoZeroCanBeIsNotKept(bias: AngularRate) throws {
    let rig = try StateRig()
    let store = rig.store()
    store.remember(bias, ofDevice: "g", parentPath: "/", atNanoseconds: 0)
    store.flush()
    #expect(store.bias(ofDevice: "g", parentPath: "/") == nil)
    #expect(!rig.folder.exists(rig.state))
  }

  @Test(arguments: [
    "gyro 3d", "#gyro", "a\tb", "a\nb", "a\r\nb", "a\\b", "\\t", "", " ", "é\u{1F600}",
    "\u{0}\u{7}",
    "x\ty\tz\t\t",
  ])
  func oddNamesSurvive(name: String) throws {
    let rig = try StateRig()
    let store = rig.store()
    store.remember(bias, ofDevice: name, parentPath: name, atNanoseconds: 0)
    #expect(rig.store().bias(ofDevice: name, parentPath: name) == bias)
    #expect(rig.lines == [])
  }

  /// A file, and the line that is named.
  @Test(arguments: [
    ("0 0 0\tg", ":1: this is not 'X Y Z', a name and a path with tabs between them"),
    ("# x\n\n0 0 0\tg\t/\nabc 0 0\tg\t/\n", ":4: 'abc' is no number"),
    ("0 0 nan\tg\t/\n", ":1: 'nan' is no number"),
    ("0 0\tg\t/\n", ":1: a zero offset is three numbers"),
    ("0 0 0.7\tg\t/\n", ":1: no gyroscope's zero is off by more than 0.5 rad/s"),
    ("0 0 0\tg\\x\t/\n", ":1: a backslash stands for nothing but \\t, \\n, \\r and \\\\"),
    (String(repeating: "#\n", count: 40_000), ": this is larger than any such file"),
    ("\u{0}\u{0}\u{0}", ":1: this is not 'X Y Z', a name and a path with tabs between them"),
  ])
  func aBrokenFileIsNamedAndStartedAnew(text: String, complaint: String) throws {
    let rig = try StateRig()
    try rig.folder.write(text, to: rig.file)
    let store = rig.store()
    #expect(store.bias(ofDevice: "g", parentPath: "/") == nil)
    let path = rig.folder(rig.file)
    #expect(
      rig.lines == [
        "\(path)\(complaint); the gyroscope's zero is measured anew, and the file kept as "
          + "\(path).broken"
      ])
    #expect(try rig.folder.text(of: rig.file + ".broken") == text)
    store.remember(bias, ofDevice: "g", parentPath: "/", atNanoseconds: 0)
    #expect(rig.store().bias(ofDevice: "g", parentPath: "/") == bias)
    #expect(rig.lines.count == 1)
  }

  @Test func aFolderOrAPipeInTheFilesPlace() throws {
    let rig = try StateRig()
    try rig.folder.makeFolder("state")
    try rig.folder.makeFolder("state/bias")
    #expect(rig.store().bias(ofDevice: "g", parentPath: "/") == nil)
    #expect(mkfifo(rig.folder(rig.file), 0o600) == 0)
    let store = rig.store()
    #expect(store.bias(ofDevice: "g", parentPath: "/") == nil)
    store.remember(bias, ofDevice: "g", parentPath: "/", atNanoseconds: 0)
    #expect(try rig.rows().count == 1)
    #expect(rig.lines.count == 2)
    #expect(rig.lines.allSatisfy { $0.hasPrefix("\(rig.folder(rig.file)): is no file; ") })
  }

  @Test func editedByHandItMayHaveSpacesNoLastLineEndAndOneDeviceTwice() throws {
    let rig = try StateRig()
    try rig.folder.write("\n0 0 0\tg\t/\n +0.1  -2e-3 .3 \tg\t/", to: rig.file)
    #expect(
      rig.store().bias(ofDevice: "g", parentPath: "/") == AngularRate(x: 0.1, y: -0.002, z: 0.3))
    #expect(rig.lines == [])
  }

  @Test func aWriteThatFailsIsToldOnceAndHurtsNobody() throws {
    let rig = try StateRig()
    try rig.folder.write("a file in the way", to: "state")
    rig.state = "state/parallax"
    let store = rig.store()
    for minute in 0..<5 as Range<Int64> {
      store.remember(
        AngularRate(x: 0.01 * Double(minute), y: 0, z: 0), ofDevice: "g", parentPath: "/",
        atNanoseconds: minute * 60 * second)
    }
    store.flush()
    #expect(store.bias(ofDevice: "g", parentPath: "/") == AngularRate(x: 0.04, y: 0, z: 0))
    #expect(rig.lines.count == 1)
    #expect(
      rig.lines.first?.hasPrefix("the gyroscope's zero is not kept over restarts: ") == true)
  }

  @Test func aWriteThatFailsLeavesTheOldFile() throws {
    let rig = try StateRig()
    rig.store().remember(bias, ofDevice: "g", parentPath: "/", atNanoseconds: 0)
    // The new file's name is taken by something that cannot be taken away.
    try rig.folder.makeFolder("state/bias.new")
    rig.store().remember(.zero, ofDevice: "g", parentPath: "/", atNanoseconds: 0)
    #expect(rig.store().bias(ofDevice: "g", parentPath: "/") == bias)
    #expect(rig.lines.count == 1)
    #expect(try rig.rows().count == 1)
  }

  @Test func aLinkInTheNewFilesPlaceIsNotFollowed() throws {
    let rig = try StateRig()
    try rig.folder.write("precious", to: "elsewhere")
    try rig.folder.makeFolder("state")
    #expect(symlink(rig.folder("elsewhere"), rig.folder("state/bias.new")) == 0)
    rig.store().remember(bias, ofDevice: "g", parentPath: "/", atNanoseconds: 0)
    #expect(try rig.folder.text(of: "elsewhere") == "precious")
    #expect(try rig.rows().count == 1)
  }

  @Test func theFileStaysSmallHoweverManyDevicesThereWere() throws {
    let rig = try StateRig()
    let store = rig.store()
    for index in 0..<100 {
      store.remember(bias, ofDevice: "g\(index)", parentPath: "/", atNanoseconds: 0)
    }
    store.flush()
    #expect(try rig.rows().count == 64)
    #expect(rig.store().bias(ofDevice: "g99", parentPath: "/") == bias)
    #expect(rig.store().bias(ofDevice: "g35", parentPath: "/") == nil)
  }
}

@Suite struct StateFolderTests {
  struct Case: Sendable {
    var variables: [String: String]
    var userID: UInt32 = 1000
    var path: String?
  }

  @Test(arguments: [
    Case(variables: ["STATE_DIRECTORY": "/s/a:/s/b", "HOME": "/h"], path: "/s/a"),
    Case(variables: ["STATE_DIRECTORY": "/s/a", "HOME": "/root"], userID: 0, path: "/s/a"),
    Case(
      variables: ["HOME": "/root", "XDG_STATE_HOME": "/x"], userID: 0, path: "/var/lib/parallax"),
    Case(variables: ["HOME": "/h", "XDG_STATE_HOME": "/x/"], path: "/x/parallax"),
    Case(variables: ["HOME": "/h", "XDG_STATE_HOME": "x"], path: "/h/.local/state/parallax"),
    Case(variables: ["HOME": "/h"], path: "/h/.local/state/parallax"),
    Case(variables: [:], path: nil),
  ])
  func isWhereSystemdOrXDGPutsIt(example: Case) {
    let process = ProcessFacts(userID: example.userID, variables: example.variables)
    #expect(StateFolder.path(process: process) == example.path)
  }

  @Test(arguments: [(0, 0o755), (1000, 0o700)] as [(UInt32, UInt32)])
  func isMadeWithEveryFolderOnItsWay(userID: UInt32, mode: UInt32) throws {
    let folder = try TemporaryFolder()
    for _ in 0..<2 { try StateFolder.make(folder("a/b/c"), userID: userID) }
    for name in ["a", "a/b", "a/b/c"] {
      var status = stat()
      #expect(stat(folder(name), &status) == 0)
      // The umask may have taken away more.
      #expect(status.st_mode & 0o777 & ~mode == 0 && status.st_mode & 0o700 == 0o700)
    }
  }

  @Test func whereThereIsNoneNothingIsKeptAndThatIsSaidOnce() {
    var lines: [String] = []
    let store = BiasStore(process: ProcessFacts(userID: 1000, variables: [:])) {
      lines.append($0)
    }
    store.remember(.zero, ofDevice: "g", parentPath: "/", atNanoseconds: 0)
    store.flush()
    #expect(store.bias(ofDevice: "g", parentPath: "/") == .zero)
    #expect(
      lines == ["the gyroscope's zero is not kept over restarts: set HOME or STATE_DIRECTORY"])
  }
}
