// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxTestSupport
import Testing

@Suite struct MemoryTests {
  /// Resident kilobytes of the files that are mapped into this process, its code among them.
  private func residentFiles() throws -> Int {
    let line = try #require(
      try text(ofFile: "/proc/self/status").split(separator: "\n")
        .first { $0.hasPrefix("RssFile:") })
    return try #require(
      line.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) })
  }

  @Test(.enabled(if: !TestEnvironment.isSanitized, "a sanitizer changes the memory layout"))
  func releasedCodeLeavesMemoryAndRunsAgain() throws {
    let before = try residentFiles()
    ResidentCode.release()
    #expect(try residentFiles() < before)
    ResidentCode.release()
    #expect(try residentFiles() > 0)
  }

  @Test func aReleasedHeapWorksAsBefore() {
    let pieces = (0..<10_000).map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: 100) }
    HeapMemory.release()
    #expect(pieces.enumerated().allSatisfy { $1.last == UInt8(truncatingIfNeeded: $0) })
  }
}
