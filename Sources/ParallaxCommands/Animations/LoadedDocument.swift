import ParallaxDocuments

/// A document that was named on the command line.
struct LoadedDocument {
  /// As messages call it.
  let name: String
  /// As it stands in the file.
  let text: [UInt8]
  let document: AnimationDocument

  /// - Parameters:
  ///   - path: `-` is standard input.
  ///   - driver: as `DocumentReader.read` has it.
  init(path: String, driver: String?) throws(CommandFailure) {
    name = path == "-" ? "standard input" : path
    do {
      text = try DocumentFile.text(path: path)
      document = try DocumentReader.read(text, name: name, driver: driver)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// The text as a part of a line: without the byte order mark that a file may begin with.
  var json: [UInt8] { Array(DocumentReader.withoutMark(text)) }

  /// The file's layers; nil: it is one of our documents.
  func lottie() throws(CommandFailure) -> LottieFile? {
    do { return try DocumentReader.lottieFile(text, name: name) } catch {
      throw CommandFailure(error)
    }
  }

  /// Tells what of it does not play, a line each.
  func reportLeftOut() {
    for text in document.leftOut { Console.report("\(name): left out: \(text)") }
  }
}

extension CommandFailure {
  /// What a document's error means for a script.
  init(_ error: DocumentError) {
    let exit: ToolExit =
      switch error.meaning {
      case .noSuchAnimation: .noInput
      case .noPermission: .noPermission
      case .readFailed: .inputOutput
      case .badData: .badData
      }
    self.init(exit, error.description)
  }
}
