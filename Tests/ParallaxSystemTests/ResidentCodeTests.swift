import ParallaxSystem
import ParallaxTestSupport
import Testing

@Suite struct ResidentCodeTests {
  /// Resident kilobytes of this process's files, its own code among them.
  private func residentFiles() throws -> Int {
    let line = try #require(
      try text(ofFile: "/proc/self/status").split(separator: "\n")
        .first { $0.hasPrefix("RssFile:") })
    return try #require(
      line.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) })
  }

  @Test(.enabled(if: !Surroundings.isSanitized, "a sanitizer's memory is no ordinary one"))
  func `Code that is let go of leaves memory, and runs again`() throws {
    let before = try residentFiles()
    ResidentCode.release()
    #expect(try residentFiles() < before)
    ResidentCode.release()
    #expect(try residentFiles() > 0)
  }
}
