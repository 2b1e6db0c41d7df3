import ParallaxConfig
import ParallaxDaemon
import ParallaxDocuments
import ParallaxTestSupport
import Testing

/// The folder first, then the server.
struct ConfiguredDocumentsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("here", to: "both.json")
  }

  private func found(
    _ id: String, directory: Bool = true, url: Bool = true,
    answer: Result<ProvidedDocument, ProviderTrouble>
  ) throws -> String {
    var settings = Configuration().animations
    settings.directory = directory ? folder.path : nil
    settings.url = url ? "https://example.org/a" : nil
    var asked: [String] = []
    let documents = ConfiguredDocuments(settings) { id, base, reply in
      asked.append("\(base)/\(id)")
      reply(answer)
    }
    var result: String?
    documents.fetch(try DocumentID(id)) { found in
      switch found {
      case .success(let document):
        result =
          String(decoding: document.text, as: UTF8.self)
          + (document.note.map { " (\($0))" } ?? "")
      case .failure(let error): result = "\(error.meaning): \(error.description)"
      }
    }
    return try #require(result) + (asked.isEmpty ? "" : " <- " + asked.joined(separator: ","))
  }

  private let there = ProvidedDocument(text: Array("there".utf8), origin: .network)

  @Test func whereItIsFound() throws {
    #expect(try found("both", answer: .success(there)) == "here")
    #expect(try found("other", answer: .success(there)) == "there <- https://example.org/a/other")
    #expect(
      try found("both", directory: false, answer: .success(there))
        == "there <- https://example.org/a/both")
    let stale = ProvidedDocument(text: Array("old".utf8), origin: .stale, note: "of 3 min ago")
    #expect(
      try found("other", answer: .success(stale))
        == "old (the server cannot be had, a kept copy plays: of 3 min ago) "
        + "<- https://example.org/a/other")
  }

  @Test(arguments: [
    (true, false, ProviderTrouble("x"), "noSuchAnimation: other: no such animation: there is no"),
    (false, false, ProviderTrouble("x"), "set animations.directory or animations.url"),
    (true, true, ProviderTrouble("404", isMissing: true), "noSuchAnimation: other: 404"),
    (true, true, ProviderTrouble("does not answer"), "readFailed: other: does not answer"),
  ])
  func whyItIsNot(
    _ directory: Bool, _ url: Bool, _ trouble: ProviderTrouble, _ text: String
  ) throws {
    let answer = try found(
      "other", directory: directory, url: url, answer: .failure(trouble))
    #expect(answer.contains(text), "\(answer)")
  }

  /// One that is there and cannot be read is not looked for elsewhere.
  @Test func onlyWhatIsMissingIsLookedForOnTheServer() throws {
    try folder.write(String(repeating: " ", count: 1_048_577), to: "large.json")
    let answer = try found("large", answer: .success(there))
    #expect(answer.hasPrefix("badData") && answer.contains("1048576"), "\(answer)")
  }
}
