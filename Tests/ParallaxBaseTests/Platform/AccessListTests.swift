// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxTestSupport
import Testing

@Suite("Access lists of files")
struct AccessListTests {
  /// A list as the kernel returns it.
  private func list(_ entries: [(tag: UInt8, permissions: UInt8, id: UInt8)]) -> [UInt8] {
    [2, 0, 0, 0] + entries.flatMap { [$0.tag, 0, $0.permissions, 0, $0.id, 3, 0, 0] }
  }

  @Test func groupsThatMayRead() {
    // The owner, the group, two groups by name, the mask and others.
    let entries: [(UInt8, UInt8, UInt8)] = [
      (0x01, 6, 0), (0x04, 6, 0), (0x08, 4, 9), (0x08, 2, 8), (0x08, 6, 7), (0x20, 4, 0),
    ]
    #expect(AccessList.readingGroups(in: list(entries)) == [0x309, 0x307])
    #expect(AccessList.readingGroups(in: list(entries + [(0x10, 7, 0)])) == [0x309, 0x307])
    #expect(AccessList.readingGroups(in: list(entries + [(0x10, 2, 0)])) == [])
  }

  @Test func whatIsNoList() {
    let one = list([(0x08, 4, 9)])
    #expect(AccessList.readingGroups(in: []) == [])
    #expect(AccessList.readingGroups(in: one.prefix(3)) == [])
    #expect(AccessList.readingGroups(in: one.dropLast()) == [])
    #expect(AccessList.readingGroups(in: [3] + one.dropFirst()) == [])
  }

  @Test func filesWithoutOne() throws {
    let folder = try TemporaryFolder()
    #expect(AccessList.readingGroups(of: try folder.write("", to: "file")) == [])
    #expect(AccessList.readingGroups(of: folder("none")) == [])
  }
}
