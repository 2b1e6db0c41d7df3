// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxDocuments
import ParallaxMotion
import ParallaxProtocol

/// The animation that `parallax play` plays.
enum PlaySubject {
  /// A document that the daemon finds.
  case id(DocumentID)
  /// The path of a file, or `-` for standard input, whose document is sent.
  case file(String)

  /// A path contains a slash or ends in `.json` or `.lottie`. Any other valid id is an id.
  init(_ argument: String) throws(CommandFailure) {
    if argument == "-" || argument.contains("/") || argument.hasSuffix(".json")
      || argument.hasSuffix(".lottie")
    {
      self = .file(argument)
      return
    }
    do {
      self = .id(try DocumentID(argument))
    } catch {
      guard access(argument, F_OK) == 0 else {
        throw CommandFailure(
          .noInput, "no such animation: \(error.message)")
      }
      self = .file(argument)
    }
  }

  /// Returns the request with the id, or with the text of the file, which the daemon reads.
  func request(
    layer: String?, variables: VariableValues = .none
  ) throws(CommandFailure) -> PlayRequest {
    switch self {
    case .id(let id):
      return PlayRequest(.id(id.text), layer: layer, variables: variables.json)
    case .file(let path):
      let name = LoadedDocument.name(ofPath: path)
      return PlayRequest(
        .text(try Self.text(path: path, name: name), file: name), layer: layer,
        variables: variables.json)
    }
  }

  private static func text(path: String, name: String) throws(CommandFailure) -> String {
    let bytes = try LoadedDocument.text(ofPath: path)
    do {
      return try DocumentReader.string(bytes, name: name)
    } catch {
      throw CommandFailure(error)
    }
  }
}

extension ControlRequest {
  /// Returns the request's line.
  ///
  /// - Throws: `CommandFailure` if its documents exceed what the daemon accepts.
  func line(withDocumentsTag tag: RequestTag?) throws(CommandFailure) -> [UInt8] {
    let line = line(tag: tag)
    guard line.count - 1 <= PlayRequest.lineLimit else {
      throw CommandFailure(
        .badData,
        "the documents are too large for one request: \(line.count - 1) bytes, the limit is "
          + "\(PlayRequest.lineLimit); put them in the daemon's folder (animations.directory)")
    }
    return line
  }
}
