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

  /// Returns the request. An invalid document is reported here, before anything is sent.
  func request(
    layer: String?, isDetached: Bool = false, variables: VariableValues = .none
  ) throws(CommandFailure) -> PlayRequest {
    switch self {
    case .id(let id):
      return PlayRequest(
        .id(id.text), layer: layer, isDetached: isDetached,
        variables: variables.json.map { .text($0) })
    case .file(let path):
      let document = try LoadedDocument(path: path, driver: layer, variables: variables)
      let id = document.document.id == nil ? document.fileID : nil
      return PlayRequest(
        .document(.text(document.json), id: id), layer: layer, isDetached: isDetached,
        variables: variables.json.map { .text($0) })
    }
  }
}

extension LoadedDocument {
  /// The file's name without its extension, if that is a valid id.
  fileprivate var fileID: String? {
    guard let last = name.split(separator: "/").last else { return nil }
    let stem = last.hasSuffix(".json") ? last.dropLast(5) : last
    return (try? DocumentID(String(stem)))?.text
  }
}
