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
    name = Self.name(ofPath: path)
    do {
      text = try DocumentFile.text(path: path)
      document = try DocumentReader.read(text, name: name, driver: driver)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// The text as a part of a line: without the byte order mark that a file may begin with.
  var json: [UInt8] { Array(DocumentReader.withoutMark(text)) }

  /// Tells what of it does not play, a line each.
  func reportLeftOut() { Self.report(document.leftOut, of: name) }

  fileprivate static func report(_ leftOut: [String], of name: String) {
    for text in leftOut { Console.report("\(name): left out: \(text)") }
  }

  /// As messages call a path.
  fileprivate static func name(ofPath path: String) -> String {
    path == "-" ? "standard input" : path
  }
}

/// A Lottie file as it is, no layer of it driving anything.
struct LoadedLottie {
  /// As messages call it.
  let name: String
  /// nil: it is one of our documents.
  let file: LottieFile?

  init(path: String) throws(CommandFailure) {
    name = LoadedDocument.name(ofPath: path)
    do {
      file = try DocumentReader.lottieFile(DocumentFile.text(path: path), name: name)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Tells what of it its tracks do not show, a line each.
  func reportLeftOut() { LoadedDocument.report(file?.leftOutOfTracks ?? [], of: name) }
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
