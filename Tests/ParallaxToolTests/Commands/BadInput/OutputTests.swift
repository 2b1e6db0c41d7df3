// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

/// The outputs of `parallax replay`: pipes, devices, links, full disks, closed streams.
@Suite("Outputs of replays", .timeLimit(.minutes(10)))
struct OutputTests {
  private let folder: TemporaryFolder
  /// 2000 frames, more than the smallest pipe holds.
  private let trace: String
  private let table: String

  init() throws {
    folder = try TemporaryFolder()
    let rows = (0..<2000).map { "\(Double($0) / 30),\($0 % 7),\($0 % 5)\n" }.joined()
    trace = try folder.write("t,x,y\n" + rows, to: "walk.csv")
    table = try Program.parallax.run(["replay", trace]).output
  }

  private func shell(_ line: String) throws -> ProgramResult {
    try Program(path: "/bin/sh").run(
      ["-c", line], environment: ["P": Program.parallax.path], folder: folder.path)
  }

  @Test func aFIFOIsWrittenDirectly() throws {
    try #require(mkfifo(folder("fifo"), 0o600) == 0)
    let reader = try Program(path: "/bin/cat").start([folder("fifo")])
    let result = try Program.parallax.run(["replay", trace, "-o", folder("fifo")])
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try reader.finish().output == table)
    #expect(try folder.names() == ["fifo", "walk.csv"])
  }

  @Test func aDeviceIsWrittenDirectly() throws {
    #expect(try Program.parallax.run(["replay", trace, "-o", "/dev/null"]).exitCode == 0)
    var status = stat()
    #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
  }

  /// Standard output under a name, as `/dev/stdout` is: the link stays whatever it leads to.
  @Test(arguments: [
    (#""$P" replay walk.csv -o stdout | cat"#, true),
    (#"echo first > log; "$P" replay walk.csv -o stdout >> log; tail -n +2 log"#, true),
    (#"{ echo first; "$P" replay walk.csv -o stdout; } > log; tail -n +2 log"#, true),
    // A file that has no name anymore, as the temporary files of other programs.
    (#"exec 3>&1 > log 4< log; rm log; "$P" replay walk.csv -o stdout; cat <&4 >&3"#, true),
    (#"exec 3>&1; "$P" replay walk.csv -o /dev/fd/3 > log"#, true),
    (#""$P" replay walk.csv -o stdout >&-"#, false),
    (#""$P" replay walk.csv -o /proc/$$/fd/1 > log; tail -n +1 log"#, true),
  ])
  func standardOutputByName(line: String, isWritten: Bool) throws {
    try #require(symlink("/proc/self/fd/1", folder("stdout")) == 0)
    let result = try shell(line)
    let failure =
      "parallax: stdout: cannot be written: Bad file descriptor; write elsewhere with -o\n"
    #expect(result.output == (isWritten ? table : ""))
    #expect(result.errors == (isWritten ? "" : failure))
    var status = stat()
    #expect(lstat(folder("stdout"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(try folder.names().filter { $0.hasSuffix(".part") } == [])
  }

  @Test func aLinkToAFileThatIsMissing() throws {
    try folder.makeFolder("there")
    try #require(symlink("there/real.csv", folder("link.csv")) == 0)
    #expect(try Program.parallax.run(["replay", trace, "-o", folder("link.csv")]).exitCode == 0)
    #expect(try folder.text(of: "there/real.csv") == table)
    var status = stat()
    #expect(lstat(folder("link.csv"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
  }

  @Test func aLinkToItself() throws {
    try #require(symlink("round.csv", folder("round.csv")) == 0)
    let result = try shell(#""$P" replay walk.csv -o round.csv"#)
    #expect(
      result.errors
        == "parallax: round.csv: cannot be created: Too many levels of symbolic links; "
        + "write elsewhere\n")
  }

  @Test func aSymbolicLinkAndItsFilesPermissionsAreKept() throws {
    try folder.write("older", to: "real.csv")
    try changeMode(folder("real.csv"), 0o640)
    try #require(symlink("real.csv", folder("link.csv")) == 0)
    #expect(try Program.parallax.run(["replay", trace, "-o", folder("link.csv")]).exitCode == 0)
    var status = stat()
    #expect(lstat(folder("link.csv"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(stat(folder("real.csv"), &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(try folder.text(of: "real.csv") == table)
  }

  @Test func aReaderThatIsGoneIsExit0() throws {
    let result = try shell(
      #"{ "$P" replay walk.csv --loop; echo "exit $?" >&2; } | head -n 2"#)
    #expect(result.output == table.split(separator: "\n").prefix(2).map { "\($0)\n" }.joined())
    #expect(result.errors == "exit 0\n")
  }

  @Test func standardOutputOnAFullDisk() throws {
    let result = try shell(#""$P" replay walk.csv > /dev/full"#)
    #expect(
      result.errors
        == "parallax: standard output: the disk is full; free some space or write elsewhere "
        + "with -o\n")
    #expect(result.exitCode == 74)
  }

  /// A closed descriptor's number must not become the trace's or the table's.
  @Test(arguments: [
    (">&-", Int32(74), "standard output: cannot be written: Bad file descriptor; write elsewhere"),
    ("<&- >&- -o out.csv", 0, nil), ("<&- >&- 2>&- -o out.csv", 0, nil),
    (">&- 2>&- -o out.csv --summary", 0, nil),
    ("- <&-", 74, "standard input: cannot be read: Bad file descriptor"),
  ])
  func closedStandardStreams(redirection: String, code: Int32, message: String?) throws {
    let words = redirection.hasPrefix("- ") ? redirection : "walk.csv " + redirection
    let result = try shell(#""$P" replay "# + words)
    #expect(result.exitCode == code)
    if let message {
      #expect(result.errors.hasPrefix("parallax: \(message)"), "\(result.errors)")
      #expect(result.errorLines.count == 1)
    } else {
      #expect(result.errors == "")
      #expect(try folder.text(of: "out.csv") == table)
    }
  }

  @Test(.disabled(if: TestEnvironment.isSanitized, "a sanitizer's own memory is such a file"))
  func aFileAtItsSizeLimit() throws {
    try folder.write("older", to: "out.csv")
    // 512 or 1024 bytes per block. The signal would end it with 128 + SIGXFSZ.
    // In a build that counts lines, the counts have no room either.
    let result = try shell(
      #"ulimit -f 4; LLVM_PROFILE_FILE=/dev/null "$P" replay walk.csv -o out.csv"#)
    #expect(result.exitCode == 74)
    #expect(
      result.errors
        == "parallax: out.csv: the file exceeds the size limit; raise it with ulimit -f\n")
    #expect(try folder.names() == ["out.csv", "walk.csv"])
    #expect(try folder.text(of: "out.csv") == "older")
  }

  @Test(.needsRoot) func aDiskThatFillsUp() throws {
    try folder.makeFolder("disk")
    let mounted = try Program(path: "/bin/mount").run([
      "-t", "tmpfs", "-o", "size=16k", "none", folder("disk"),
    ])
    guard mounted.exitCode == 0 else {
      try leaveOut("a full disk: mount: \(mounted.errors)")
      return
    }
    defer { umount2(folder("disk"), Int32(MNT_DETACH)) }
    try folder.write("older", to: "disk/out.csv")
    for place in ["disk/out.csv", "disk/new.csv"] {
      let result = try Program.parallax.run(
        ["replay", "walk.csv", "-o", place], folder: folder.path)
      #expect(
        result.errors
          == "parallax: \(place): the disk is full; free some space or write elsewhere with -o\n")
      #expect(result.exitCode == 74)
    }
    #expect(try namesInFolder(folder("disk")) == ["out.csv"])
    #expect(try folder.text(of: "disk/out.csv") == "older")
  }

  @Test func anInterruptedReplayLeavesNothing() throws {
    let program = try Program.parallax.start(["replay", trace, "--loop", "-o", folder("out.csv")])
    // The replay runs as soon as the descriptor of the table is open.
    try waitUntil("the table is open") {
      try namesInFolder("/proc/\(program.processID)/fd").count >= 5
    }
    program.send(signal: SIGTERM)
    #expect(try program.finish().signal == SIGTERM)
    #expect(try folder.names() == ["walk.csv"])
  }
}
