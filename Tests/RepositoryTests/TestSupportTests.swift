// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxTestSupport
import Testing

@Suite("Test support")
struct TestSupportTests {
  /// The first numbers of Vigna's splitmix64.c from state 1234567.
  @Test func seededGeneratorIsSplitMix64() {
    var generator = SeededGenerator(seed: 1_234_567)
    let numbers = (0..<3).map { _ in generator.next() }
    #expect(
      numbers == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
  }

  @Test func clockMovesOnlyWhenSet() {
    let clock = SettableClock(nanoseconds: 5)
    let read = clock.reading
    #expect(read() == 5)
    clock.advance(seconds: 1.5)
    #expect(read() == 1_500_000_005)
    clock.nanoseconds = 7
    #expect(read() == 7)
  }

  @Test func temporaryFolderIsRemovedWithItsContents() throws {
    var folder: TemporaryFolder? = try TemporaryFolder()
    let path = try #require(folder).path
    #expect(path.utf8.count < 32)
    try folder?.write("hello", to: "a/b/c.txt")
    #expect(try folder?.text(of: "a/b/c.txt") == "hello")
    #expect(try folder?.names() == ["a"])
    try #require(symlink("/", path + "/root") == 0)
    folder = nil
    #expect(access(path, F_OK) != 0)
    #expect(access("/", F_OK) == 0)
  }

  @Test func programResultHasOutputErrorsAndExitCode() throws {
    let shell = Program(path: "/bin/sh")
    let result = try shell.run(
      ["-c", "cat; echo \"$WHAT in $PWD\" >&2; exit 3"], input: "in\n",
      environment: ["WHAT": "ran"], folder: "/usr")
    #expect(result.output == "in\n")
    #expect(result.errors == "ran in /usr\n")
    #expect(result.exitCode == 3)
    #expect(result.signal == nil)
  }

  @Test func outputMayExceedAPipeBuffer() throws {
    let bytes = [UInt8](repeating: 7, count: 1_000_000)
    let result = try Program(path: "/bin/cat").run(input: bytes)
    #expect(result.outputBytes == bytes)
    #expect(result.exitCode == 0)
  }

  @Test func programIsKilledAfterTheTimeout() throws {
    let result = try Program(path: "/bin/sleep").run(["1000"], timeoutSeconds: 0.05)
    #expect(result.timedOut)
    #expect(result.signal == SIGKILL)
  }

  @Test func runningProgramReturnsLineByLine() throws {
    let running = try Program(path: "/bin/sh").start(["-c", "echo one; echo two; exec sleep 1000"])
    #expect(try running.nextLine() == "one")
    #expect(try running.nextLine() == "two")
    running.send(signal: SIGTERM)
    #expect(try running.nextLine() == nil)
    #expect(try running.finish().signal == SIGTERM)
  }

  @Test func missingProgramIsAnError() {
    #expect(throws: TestSupportError.self) { try Program(path: "/nowhere/program").run() }
  }

  @Test(.needsRoot) func programRunsAsAnotherUser() throws {
    let result = try Program(path: "/usr/bin/id").run(["-u"], as: 54_321)
    #expect(result.output == "54321\n")
  }
}
