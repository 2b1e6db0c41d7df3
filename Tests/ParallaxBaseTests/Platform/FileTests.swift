// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxTestSupport
import Testing

@Suite struct DirectoryTests {
  @Test func allNamesButTheDotsAreListed() throws {
    let folder = try TemporaryFolder()
    #expect(try Directory.names(in: folder.path) == [])
    for name in ["b", "a", ".hidden", "\u{E4}"] { try folder.write("", to: name) }
    try folder.makeFolder("folder")
    #expect(
      try Set(Directory.names(in: folder.path)) == ["b", "a", ".hidden", "\u{E4}", "folder"])
  }

  @Test func manyNamesAreListed() throws {
    let folder = try TemporaryFolder()
    let names = (0..<500).map { "a-name-that-takes-a-few-bytes-\($0)" }
    for name in names { try folder.write("", to: name) }
    #expect(try Directory.names(in: folder.path).sorted() == names.sorted())
  }

  @Test func aMissingFolderAndAFileAreErrors() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("", to: "file")
    for (path, number) in [(folder("none"), ENOENT), (file, ENOTDIR)] {
      let error = #expect(throws: SystemError.self) { _ = try Directory.names(in: path) }
      #expect(error == SystemError(number: number, call: "opendir", path: path))
    }
  }
}

@Suite struct SmallFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [0, 1, 99, 100])
  func aFileUpToTheLimitIsReadWhole(size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    let file = try folder.write(bytes: bytes, to: "file")
    #expect(try SmallFile.read(file, limit: 100) == bytes)
  }

  @Test func aLongerFileGivesOneByteMoreThanTheLimit() throws {
    let file = try folder.write(bytes: [UInt8](repeating: 7, count: 100_000), to: "file")
    #expect(try SmallFile.read(file, limit: 100).count == 101)
    #expect(try SmallFile.read(file, limit: 0).count == 1)
    #expect(try SmallFile.read(file, limit: 50_000).count == 50_001)
    #expect(try SmallFile.read(file, limit: 100_000).count == 100_000)
  }

  @Test func errorsNameTheirCall() throws {
    let cases = [(folder("none"), "open", ENOENT), (folder.path, "read", EISDIR)]
    for (path, call, number) in cases {
      let error = #expect(throws: SystemError.self) { _ = try SmallFile.read(path, limit: 10) }
      #expect(error == SystemError(number: number, call: call, path: path))
    }
  }

  @Test func aFifoIsReadToItsEnd() throws {
    try #require(mkfifo(folder("fifo"), 0o600) == 0)
    // Without a writer, the end comes at once.
    #expect(try SmallFile.read(folder("fifo"), limit: 10) == [])
    let keeper = try FileDescriptor.open(folder("fifo"), O_RDWR)
    #expect(write(keeper.raw, "abc", 3) == 3)
    #expect(try SmallFile.read(folder("fifo"), limit: 2) == Array("abc".utf8))
  }

  @Test func aSilentFifoEndsWithATimeout() throws {
    try #require(mkfifo(folder("fifo"), 0o600) == 0)
    let keeper = try FileDescriptor.open(folder("fifo"), O_RDWR)
    let error = #expect(throws: SystemError.self) {
      _ = try SmallFile.read(folder("fifo"), limit: 10)
    }
    #expect(error == SystemError(number: ETIMEDOUT, call: "read", path: folder("fifo")))
    keeper.close()
  }

  @Test(
    arguments: [
      ("Discharging\n", "Discharging"), (" 1 2 \n\n", "1 2"), ("x", "x"), ("", nil), ("\n \t", nil),
    ] as [(String, String?)])
  func anAttributesTextHasNoSpaceAroundIt(contents: String, text: String?) throws {
    let file = try folder.write(contents, to: "attribute")
    #expect(SmallFile.text(file) == text)
  }

  @Test func anUnreadableAttributeHasNoText() {
    #expect(SmallFile.text(folder("none")) == nil)
    #expect(SmallFile.text(folder.path) == nil)
  }

  @Test func onlyRegularFilesAreOpenedWhereNothingMayBlock() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("data", to: "file")
    #expect(try SmallFile.readRegular(file, limit: 10) == Array("data".utf8))
    symlink("file", folder("link"))
    #expect(try SmallFile.readRegular(folder("link"), limit: 10) == Array("data".utf8))
    #expect(try SmallFile.readRegular("/dev/null", limit: 10).isEmpty)
    try #require(mkfifo(folder("fifo"), 0o600) == 0)
    symlink("fifo", folder("fifo-link"))
    for path in [folder("fifo"), folder("fifo-link"), "/dev/zero"] {
      #expect(throws: RegularFileError.notRegular) {
        _ = try SmallFile.readRegular(path, limit: 10)
      }
    }
    for path in ["/proc/self/status", "/sys/kernel/uevent_seqnum"] {
      #expect(throws: RegularFileError.kernelFile) {
        _ = try SmallFile.readRegular(path, limit: 10)
      }
    }
    let missing = #expect(throws: RegularFileError.self) {
      _ = try SmallFile.readRegular(folder("none"), limit: 10)
    }
    #expect(missing == .failed(SystemError(number: ENOENT, call: "open", path: folder("none"))))
  }
}
