import Glibc
import ParallaxAnimation
import ParallaxDocuments
import ParallaxTestSupport
import Testing

@Suite struct DocumentDirectoryTests {
  private let good = #"{"parallax": 1, "animation": {"delay": 1}}"#

  @Test(arguments: ["a", "Nudge-2.1_b", "..", ".", "a.json", String(repeating: "x", count: 128)])
  func `an id is letters, digits, dot, underscore and minus`(text: String) throws {
    #expect(try DocumentID(text).text == text)
  }

  @Test(arguments: ["", "a/b", "a b", "ä", "a\n", "%2e", "a\0", String(repeating: "x", count: 129)])
  func `anything else is none`(text: String) {
    #expect(throws: (any Error).self) { try DocumentID(text) }
  }

  @Test func `ID is the file ID.json`() throws {
    let folder = try TemporaryFolder()
    try folder.write(good, to: "nudge.json")
    let directory = DocumentDirectory(path: folder.path)
    #expect(try directory.document(DocumentID("nudge")).animation == .delay(1))
  }

  @Test func `no such animation`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("folder.json")
    #expect(mkfifo(folder("fifo.json"), 0o600) == 0)
    #expect(
      try failure("none", in: folder.path).message
        == "no such animation: there is no none.json in \(folder.path)")
    #expect(
      try failure("none", in: folder.path + "/x").message
        == "no such animation: the folder \(folder.path)/x is not there")
    for id in ["folder", "fifo"] {
      let error = try failure(id, in: folder.path)
      #expect(error.meaning == .noSuchAnimation)
      #expect(error.message == "no such animation: \(folder.path)/\(id).json is no file")
    }
  }

  @Test func `errors in a document name its file`() throws {
    let folder = try TemporaryFolder()
    try folder.write("{\n  \"parallax\": 1,\n}", to: "bad.json")
    try folder.write(#"{"parallax": 1, "animation": {"delay": -1}}"#, to: "worse.json")
    try folder.write(String(repeating: " ", count: (1 << 20) + 1), to: "large.json")
    let syntax = try failure("bad", in: folder.path)
    #expect(syntax.meaning == .badData && syntax.description.hasPrefix("bad.json:3:1: "))
    #expect(
      try failure("worse", in: folder.path).description
        == "worse.json: $.animation.delay: expected a number from 0 to 86400 (s), found -1")
    #expect(
      try failure("large", in: folder.path).message
        == "larger than 1048576 bytes, which is the limit")
  }

  private func failure(_ id: String, in folder: String) throws -> DocumentError {
    let id = try DocumentID(id)
    do {
      let document = try DocumentDirectory(path: folder).document(id)
      throw Unexpected(text: "read as \(document)")
    } catch let error as DocumentError {
      return error
    }
  }

  private struct Unexpected: Error {
    let text: String
  }
}
