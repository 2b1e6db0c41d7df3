import Glibc
import ParallaxDocuments
import ParallaxMotion
import ParallaxWire

/// What `parallax play` was told to play.
enum PlaySubject {
  /// A document that the daemon finds.
  case id(DocumentID)
  /// A file of this path, or standard input (`-`), whose document is sent.
  case file(String)

  /// A path has a slash or ends in `.json`; anything else that can be an id is one.
  init(_ argument: String) throws(CommandFailure) {
    if argument == "-" || argument.contains("/") || argument.hasSuffix(".json") {
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

  /// The request that plays it. What is wrong with a file's document is found here, before anything is
  /// sent.
  func request(layer: String?, isDetached: Bool) throws(CommandFailure) -> PlayRequest {
    switch self {
    case .id(let id): return PlayRequest(.id(id.text), layer: layer, isDetached: isDetached)
    case .file(let path):
      let document = try LoadedDocument(path: path, driver: layer)
      document.reportLeftOut()
      let id = document.document.id == nil ? document.fileID : nil
      return PlayRequest(
        .document(document.json, id: id), layer: layer, isDetached: isDetached)
    }
  }
}

extension LoadedDocument {
  /// The file's name without its ending, where that can be an id.
  fileprivate var fileID: String? {
    guard let last = name.split(separator: "/").last else { return nil }
    let stem = last.hasSuffix(".json") ? last.dropLast(5) : last
    return (try? DocumentID(String(stem)))?.text
  }
}
