// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxConfig
@testable import ParallaxDevice
import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxDaemon

/// A state folder, and the log lines about it.
private final class StateRig {
  let folder: TemporaryFolder
  var lines: [String] = []
  /// The state folder's path in `folder`.
  var state = "state"

  init() throws {
    folder = try TemporaryFolder()
  }

  func store() -> BiasStore {
    BiasStore(
      process: ProcessEnvironment(
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
  @Test func isKeptPerDeviceAcrossRestarts() throws {
    let rig = try StateRig()
    let first = rig.store()
    #expect(first.bias(ofDevice: "gyro_3d", parentPath: "/devices/a") == nil)
    #expect(!rig.folder.exists(rig.state), "reading creates no folder")
    first.remember(bias, ofDevice: "gyro_3d", parentPath: "/devices/a", at: 0)
    first.remember(.zero, ofDevice: "gyro_3d", parentPath: "/devices/b", at: 1)
    first.remember(bias, ofDevice: "bmi160", parentPath: nil, at: 2)
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

  @Test func manyNamesOfFeedsDoNotReplaceTheDeviceThatIsUsed() throws {
    let rig = try StateRig()
    let store = rig.store()
    for index in 0..<200 as Range<Int64> {
      store.remember(
        .zero, ofDevice: "phone \(index)", parentPath: "feed", at: .zero + .seconds(2 * index))
      let own = AngularRate(x: Double(index) / 1000, y: 0, z: 0)
      store.remember(
        own, ofDevice: "gyro_3d", parentPath: "/a", at: .zero + .seconds(2 * index + 1))
    }
    store.flush()
    let next = rig.store()
    #expect(next.bias(ofDevice: "gyro_3d", parentPath: "/a")?.x == 0.199)
    #expect(next.bias(ofDevice: "phone 199", parentPath: "feed") == .zero)
    #expect(next.bias(ofDevice: "phone 0", parentPath: "feed") == nil)
    #expect(try rig.rows().count == 64)
  }

  @Test func isWrittenAtMostOncePerMinuteAndOnlyIfChanged() throws {
    let rig = try StateRig()
    let store = rig.store()
    func remember(_ x: Double, at seconds: Int64) throws -> String {
      store.remember(
        AngularRate(x: x, y: 0, z: 0), ofDevice: "g", parentPath: "/",
        at: .zero + .seconds(seconds))
      return try rig.rows().joined()
    }
    #expect(try remember(0.1, at: 1000) == "0.1 0.0 0.0\tg\t/", "the first at once")
    #expect(try remember(0.2, at: 1001) == "0.1 0.0 0.0\tg\t/")
    #expect(try remember(0.3, at: 1059) == "0.1 0.0 0.0\tg\t/")
    #expect(try remember(0.4, at: 1060) == "0.4 0.0 0.0\tg\t/")
    #expect(try remember(0.400009, at: 2000) == "0.4 0.0 0.0\tg\t/", "too small a change")
    #expect(try remember(0.399980, at: 2001) == "0.39998 0.0 0.0\tg\t/")
    #expect(try remember(0.1, at: 2002) == "0.39998 0.0 0.0\tg\t/")
    store.writeIfDue(at: .zero + .seconds(2060))
    #expect(try rig.rows() == ["0.39998 0.0 0.0\tg\t/"])
    store.writeIfDue(at: .zero + .seconds(2061))
    #expect(try rig.rows() == ["0.1 0.0 0.0\tg\t/"], "without another call of remember")
    try rig.folder.write("", to: rig.file)
    store.flush()
    #expect(try rig.rows() == [], "unchanged, so not written")
  }

  @Test(arguments: [
    AngularRate(x: 0.51, y: 0, z: 0), AngularRate(x: 0, y: -0.6, z: 0),
    AngularRate(x: 0, y: 0, z: .nan), AngularRate(x: .infinity, y: 0, z: 0),
  ])
  func implausibleBiasIsNotKept(bias: AngularRate) throws {
    let rig = try StateRig()
    let store = rig.store()
    store.remember(bias, ofDevice: "g", parentPath: "/", at: 0)
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
    store.remember(bias, ofDevice: name, parentPath: name, at: 0)
    #expect(rig.store().bias(ofDevice: name, parentPath: name) == bias)
    #expect(rig.lines == [])
  }

  /// A file, and the message about it.
  @Test(arguments: [
    ("0 0 0\tg", ":1: expected 'X Y Z', a name and a path, separated by tabs"),
    ("# x\n\n0 0 0\tg\t/\nabc 0 0\tg\t/\n", ":4: expected a number, got 'abc'"),
    ("0 0 nan\tg\t/\n", ":1: expected a number, got 'nan'"),
    ("0 0\tg\t/\n", ":1: expected three numbers, got 2"),
    ("0 0 0.7\tg\t/\n", ":1: each axis must be between -0.5 and 0.5 rad/s"),
    ("0 0 0\tg\\x\t/\n", ":1: a backslash may only start \\t, \\n, \\r or \\\\"),
    (String(repeating: "#\n", count: 40_000), ": must not be longer than 65536 bytes"),
    ("\u{0}\u{0}\u{0}", ":1: expected 'X Y Z', a name and a path, separated by tabs"),
  ])
  func brokenFileIsReportedAndStartedAgain(text: String, complaint: String) throws {
    let rig = try StateRig()
    try rig.folder.write(text, to: rig.file)
    let store = rig.store()
    #expect(store.bias(ofDevice: "g", parentPath: "/") == nil)
    let path = rig.folder(rig.file)
    #expect(
      rig.lines == [
        "\(path)\(complaint); the bias will be measured again; the file was renamed to "
          + "\(path).broken"
      ])
    #expect(try rig.folder.text(of: rig.file + ".broken") == text)
    store.remember(bias, ofDevice: "g", parentPath: "/", at: 0)
    #expect(rig.store().bias(ofDevice: "g", parentPath: "/") == bias)
    #expect(rig.lines.count == 1)
  }

  @Test func folderAndPipeAreNotRead() throws {
    let rig = try StateRig()
    try rig.folder.makeFolder("state")
    try rig.folder.makeFolder("state/bias")
    #expect(rig.store().bias(ofDevice: "g", parentPath: "/") == nil)
    #expect(mkfifo(rig.folder(rig.file), 0o600) == 0)
    let store = rig.store()
    #expect(store.bias(ofDevice: "g", parentPath: "/") == nil)
    store.remember(bias, ofDevice: "g", parentPath: "/", at: 0)
    #expect(try rig.rows().count == 1)
    #expect(rig.lines.count == 2)
    #expect(
      rig.lines.allSatisfy { $0.hasPrefix("\(rig.folder(rig.file)): is not a regular file; ") })
  }

  @Test func editedFileMayHaveSpacesNoFinalNewlineAndDuplicates() throws {
    let rig = try StateRig()
    try rig.folder.write("\n0 0 0\tg\t/\n +0.1  -2e-3 .3 \tg\t/", to: rig.file)
    #expect(
      rig.store().bias(ofDevice: "g", parentPath: "/") == AngularRate(x: 0.1, y: -0.002, z: 0.3))
    #expect(rig.lines == [])
  }

  @Test func failedWriteIsReportedOnce() throws {
    let rig = try StateRig()
    try rig.folder.write("a file in the way", to: "state")
    rig.state = "state/parallax"
    let store = rig.store()
    for minute in 0..<5 as Range<Int64> {
      store.remember(
        AngularRate(x: 0.01 * Double(minute), y: 0, z: 0), ofDevice: "g", parentPath: "/",
        at: .zero + .seconds(60 * minute))
    }
    store.flush()
    #expect(store.bias(ofDevice: "g", parentPath: "/") == AngularRate(x: 0.04, y: 0, z: 0))
    #expect(rig.lines.count == 1)
    #expect(
      rig.lines.first?.hasPrefix("the bias is not kept across restarts: ") == true)
  }

  @Test func failedWriteLeavesTheOldFile() throws {
    let rig = try StateRig()
    rig.store().remember(bias, ofDevice: "g", parentPath: "/", at: 0)
    // A folder takes the new file's name.
    try rig.folder.makeFolder("state/bias.new")
    rig.store().remember(.zero, ofDevice: "g", parentPath: "/", at: 0)
    #expect(rig.store().bias(ofDevice: "g", parentPath: "/") == bias)
    #expect(rig.lines.count == 1)
    #expect(try rig.rows().count == 1)
  }

  @Test func linkInTheNewFilesPlaceIsNotFollowed() throws {
    let rig = try StateRig()
    try rig.folder.write("precious", to: "elsewhere")
    try rig.folder.makeFolder("state")
    #expect(symlink(rig.folder("elsewhere"), rig.folder("state/bias.new")) == 0)
    rig.store().remember(bias, ofDevice: "g", parentPath: "/", at: 0)
    #expect(try rig.folder.text(of: "elsewhere") == "precious")
    #expect(try rig.rows().count == 1)
  }

  /// A file that was cut at any byte, as a power failure may leave it, is read up to there or started
  /// again. No device gets another one's bias.
  @Test func cutFileIsReadOrStartedAgain() throws {
    let devices = [
      StoredBias(name: "gyro_3d", parentPath: "/devices/a", bias: bias),
      StoredBias(name: "bmi\t160", parentPath: "", bias: AngularRate(x: 0.25, y: -0.5, z: 0)),
    ]
    let whole = Array(BiasFile.text(devices).utf8)
    for length in 0...whole.count {
      let rig = try StateRig()
      try rig.folder.write(String(decoding: whole[..<length], as: UTF8.self), to: rig.file)
      let store = rig.store()
      for device in devices {
        let read = store.bias(ofDevice: device.name, parentPath: device.parentPath)
        #expect(read == nil || read == device.bias, "cut after \(length) bytes")
      }
      #expect(rig.lines.count <= 1)
      store.remember(.zero, ofDevice: "g", parentPath: "/", at: 0)
      #expect(rig.store().bias(ofDevice: "g", parentPath: "/") == .zero)
    }
  }

  /// In a process of its own, since the limit holds for all of its files.
  @Test func fullDiskIsReportedOnceAndLeavesTheOldFile() async {
    await #expect(processExitsWith: .success) {
      let rig = try StateRig()
      rig.store().remember(bias, ofDevice: "g", parentPath: "/", at: 0)
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let maximum = limit.rlim_max
      limit.rlim_cur = 100
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let store = rig.store()
      store.remember(.zero, ofDevice: "g", parentPath: "/", at: 0)
      store.remember(.zero, ofDevice: "h", parentPath: "/", at: .zero + .seconds(60))
      #expect(rig.lines.count == 1)
      #expect(rig.lines.first?.contains("File too large") == true)
      #expect(try namesInFolder(rig.folder(rig.state)) == ["bias"], "no rest of the new file")
      #expect(rig.store().bias(ofDevice: "g", parentPath: "/") == bias)

      // There is room again.
      limit.rlim_cur = maximum
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      store.writeIfDue(at: .zero + .seconds(120))
      #expect(rig.store().bias(ofDevice: "h", parentPath: "/") == .zero)
    }
  }

  @Test func fileHoldsAtMost64Devices() throws {
    let rig = try StateRig()
    let store = rig.store()
    for index in 0..<100 {
      store.remember(bias, ofDevice: "g\(index)", parentPath: "/", at: 0)
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
  func pathFollowsSystemdAndXDG(example: Case) {
    let process = ProcessEnvironment(userID: example.userID, variables: example.variables)
    #expect(StateFolder.path(process: process) == example.path)
  }

  @Test(arguments: [(0, 0o755), (1000, 0o700)] as [(UInt32, UInt32)])
  func parentsAreCreated(userID: UInt32, mode: UInt32) throws {
    let folder = try TemporaryFolder()
    for _ in 0..<2 { try StateFolder.make(folder("a/b/c"), userID: userID) }
    for name in ["a", "a/b", "a/b/c"] {
      var status = stat()
      #expect(stat(folder(name), &status) == 0)
      // The umask may restrict it further.
      #expect(status.st_mode & 0o777 & ~mode == 0 && status.st_mode & 0o700 == 0o700)
    }
  }

  @Test func missingFolderIsReportedOnce() {
    var lines: [String] = []
    let store = BiasStore(process: ProcessEnvironment(userID: 1000, variables: [:])) {
      lines.append($0)
    }
    store.remember(.zero, ofDevice: "g", parentPath: "/", at: 0)
    store.flush()
    #expect(store.bias(ofDevice: "g", parentPath: "/") == .zero)
    #expect(
      lines == ["the bias is not kept across restarts: set HOME or STATE_DIRECTORY"])
  }
}
