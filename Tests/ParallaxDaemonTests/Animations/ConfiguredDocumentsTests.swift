// SPDX-License-Identifier: Apache-2.0

import ParallaxConfig
import ParallaxDaemon
import ParallaxDocuments
import ParallaxTestSupport
import Testing

/// Documents come from the folder first, then from the server, then from what is installed.
struct ConfiguredDocumentsTests {
  private let folder: TemporaryFolder
  private let installed: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("here", to: "both.json")
    installed = try TemporaryFolder()
    for name in ["both", "installed"] { try installed.write("installed", to: "\(name).json") }
  }

  private func found(
    _ id: String, directory: Bool = true, url: Bool = true,
    answer: Result<ProvidedDocument, ProviderError>
  ) throws -> String {
    var settings = Configuration().animations
    settings.directory = directory ? folder.path : nil
    settings.url = url ? "https://example.org/a" : nil
    var requested: [String] = []
    let documents = ConfiguredDocuments(
      settings, shipped: DocumentDirectory(path: installed.path)
    ) { id, base, reply in
      requested.append("\(base)/\(id)")
      reply(answer)
    }
    var result: String?
    documents.fetch(try DocumentID(id), for: nil) { found in
      switch found {
      case .success(let document):
        result =
          String(decoding: document.text, as: UTF8.self)
          + (document.note.map { " (\($0))" } ?? "")
      case .failure(let error): result = "\(error.meaning): \(error.description)"
      }
    }
    let from = requested.isEmpty ? "" : " <- " + requested.joined(separator: ",")
    return try #require(result) + from
  }

  private let there = ProvidedDocument(text: Array("there".utf8), origin: .network)

  @Test func theFolderComesBeforeTheServer() throws {
    #expect(try found("both", answer: .success(there)) == "here")
    #expect(try found("other", answer: .success(there)) == "there <- https://example.org/a/other")
    #expect(
      try found("both", directory: false, answer: .success(there))
        == "there <- https://example.org/a/both")
    let stale = ProvidedDocument(text: Array("old".utf8), origin: .stale, note: "of 3 min ago")
    #expect(
      try found("other", answer: .success(stale))
        == "old (the server is unavailable; a cached copy plays: of 3 min ago) "
        + "<- https://example.org/a/other")
  }

  @Test(arguments: [false, true])
  func whatIsInstalledComesLast(directory: Bool) throws {
    let missing: Result<ProvidedDocument, ProviderError> = .failure(
      ProviderError("404", isMissing: true))
    #expect(
      try found("installed", directory: directory, url: false, answer: missing) == "installed")
    #expect(
      try found("installed", directory: directory, answer: missing)
        == "installed <- https://example.org/a/installed")
    #expect(
      try found("installed", directory: directory, answer: .success(there))
        == "there <- https://example.org/a/installed")
    // A server that does not answer may have it.
    let silent = try found(
      "installed", directory: directory, answer: .failure(ProviderError("does not answer")))
    #expect(silent.hasPrefix("readFailed: installed: does not answer"), "\(silent)")
  }

  @Test(arguments: [
    (true, false, ProviderError("x"), "noSuchAnimation: other: no such animation: /"),
    (false, false, ProviderError("x"), "set animations.directory or animations.url"),
    (true, true, ProviderError("404", isMissing: true), "noSuchAnimation: other: 404"),
    (true, true, ProviderError("does not answer"), "readFailed: other: does not answer"),
  ])
  func failuresAreExplained(
    _ directory: Bool, _ url: Bool, _ error: ProviderError, _ text: String
  ) throws {
    let answer = try found(
      "other", directory: directory, url: url, answer: .failure(error))
    #expect(answer.contains(text), "\(answer)")
  }

  /// A document in the folder that cannot be read is not looked up on the server.
  @Test func onlyMissingDocumentsAreLookedUpOnTheServer() throws {
    try folder.write(String(repeating: " ", count: 1_048_577), to: "large.json")
    let answer = try found("large", answer: .success(there))
    #expect(answer.hasPrefix("badData") && answer.contains("1048576"), "\(answer)")
  }
}
