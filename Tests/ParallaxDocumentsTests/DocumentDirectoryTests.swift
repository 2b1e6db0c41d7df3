// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxAnimation
import ParallaxDocuments
import ParallaxTestSupport
import Testing

@Suite struct DocumentDirectoryTests {
  private let valid = #"{"parallax": 1, "animation": {"delay": 1}}"#

  @Test(arguments: ["a", "Nudge-2.1_b", "..", ".", "a.json", String(repeating: "x", count: 128)])
  func validIDs(text: String) throws {
    #expect(try DocumentID(text).text == text)
  }

  @Test(arguments: ["", "a/b", "a b", "ä", "a\n", "%2e", "a\0", String(repeating: "x", count: 129)])
  func invalidIDs(text: String) {
    #expect(throws: (any Error).self) { try DocumentID(text) }
  }

  @Test func idIsTheNameOfTheFile() throws {
    let folder = try TemporaryFolder()
    try folder.write(valid, to: "nudge.json")
    #expect(try document("nudge", in: folder.path).animation == .delay(.seconds(1)))
  }

  @Test func missingDocuments() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("folder.json")
    #expect(mkfifo(folder("fifo.json"), 0o600) == 0)
    #expect(
      try failure("none", in: folder.path).message
        == "no such animation: \(folder.path) has no none.json")
    #expect(
      try failure("none", in: folder.path + "/x").message
        == "no such animation: the folder \(folder.path)/x does not exist")
    for id in ["folder", "fifo"] {
      let error = try failure(id, in: folder.path)
      #expect(error.meaning == .noSuchAnimation)
      #expect(error.message == "no such animation: \(folder.path)/\(id).json is not a regular file")
    }
  }

  @Test func errorsNameTheFile() throws {
    let folder = try TemporaryFolder()
    try folder.write("{\n  \"parallax\": 1,\n}", to: "bad.json")
    try folder.write(#"{"parallax": 1, "animation": {"delay": -1}}"#, to: "worse.json")
    try folder.write(String(repeating: " ", count: (1 << 20) + 1), to: "large.json")
    let syntax = try failure("bad", in: folder.path)
    #expect(syntax.meaning == .badData && syntax.description.hasPrefix("bad.json:3:1: "))
    #expect(
      try failure("worse", in: folder.path).description
        == "worse.json:1:40: $.animation.delay: expected a number from 0 to 86400 (s), got -1")
    #expect(
      try failure("large", in: folder.path).message
        == "too large; the limit is 1048576 bytes")
  }

  /// Reads a document as the daemon does.
  private func document(_ id: String, in folder: String) throws -> AnimationDocument {
    let text = try DocumentDirectory(path: folder).text(of: DocumentID(id))
    return try DocumentReader.read(text, name: "\(id).json")
  }

  private func failure(_ id: String, in folder: String) throws -> DocumentError {
    do {
      let document = try document(id, in: folder)
      throw Unexpected(text: "read as \(document)")
    } catch let error as DocumentError {
      return error
    }
  }

  private struct Unexpected: Error {
    let text: String
  }
}
