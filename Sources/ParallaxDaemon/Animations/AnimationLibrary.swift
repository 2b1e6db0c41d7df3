// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxDocuments
import ParallaxJSON
import ParallaxMotion
import ParallaxPlatform
import ParallaxSystemd
import ParallaxText
import ParallaxWire

/// An animation that is ready to play.
struct ReadyAnimation {
  /// The id in ANIMATION lines.
  let id: String
  /// nil: all layers.
  let layer: String?
  let timeline: Timeline
  /// What plays under reduced motion; nil: the animation jumps to its end.
  let alternative: Timeline?
  /// Remarks for the user: unsupported features, the origin of a copy.
  let notes: [String]
}

/// Why an animation does not play.
struct PlayError: Error {
  let answer: ErrorMessage

  init(_ message: String, _ code: ErrorMessage.Code) {
    answer = ErrorMessage(message: message, code: code)
  }
}

/// Finds and reads animations. The document source may reply later; the daemon does not wait.
final class AnimationLibrary {
  typealias Reply = (Result<ReadyAnimation, PlayError>) -> Void

  private let source: any DocumentSource
  /// Returns whether the configuration or a subscriber has a layer of that name.
  var hasLayer: (String) -> Bool = { _ in false }

  init(_ source: any DocumentSource) {
    self.source = source
  }

  /// Reads the animation of a PLAY. `reply` is called once, before this returns or later.
  func prepare(_ request: ParsedPlayRequest, reply: @escaping Reply) {
    switch request.subject {
    case .id(let text): prepare(text, layer: request.layer, reply: reply)
    case .document(let value, let given):
      do throws(PlayError) {
        let id = try given.map(Self.id)
        let document = try Self.read { () throws(DocumentError) in
          try DocumentReader.read(value, name: id?.text ?? "document", driver: request.layer)
        }
        finish(
          document, id: id?.text ?? document.id ?? "document", layer: request.layer, notes: [],
          reply: reply)
      } catch {
        reply(.failure(error))
      }
    }
  }

  /// Finds a document by its id.
  ///
  /// - Parameter loops: Whether it repeats forever.
  func prepare(
    _ text: String, layer: String? = nil, loops: Bool = false, reply: @escaping Reply
  ) {
    let id: DocumentID
    do throws(PlayError) {
      id = try Self.id(text)
    } catch {
      return reply(.failure(error))
    }
    source.fetch(id) { [weak self] found in
      do throws(PlayError) {
        let found = try Self.read { () throws(DocumentError) in try found.get() }
        var document = try Self.read { () throws(DocumentError) in
          try DocumentReader.read(found.text, name: "\(id.text).json", driver: layer)
        }
        if loops { document.animation = try Self.loop(document.animation, id) }
        self?.finish(
          document, id: id.text, layer: layer, notes: found.note.map { [$0] } ?? [], reply: reply)
        if found.text.count > Self.largeBytes { HeapMemory.release() }
      } catch {
        reply(.failure(error))
      }
    }
  }

  private func finish(
    _ document: AnimationDocument, id: String, layer: String?, notes: [String],
    reply: @escaping Reply
  ) {
    let target = target(document, layer: layer)
    var notes = notes
    if !document.unsupportedFeatures.isEmpty {
      notes.append(
        "left out: "
          + document.unsupportedFeatures.prefix(Self.shownNotes).joined(separator: "; "))
    }
    func ready(_ alternative: Animation?) {
      reply(
        .success(
          ReadyAnimation(
            id: id, layer: target, timeline: Timeline(document.animation),
            alternative: alternative.map { Timeline($0) }, notes: notes)))
      // The code that found and read the document is not needed while the animation plays.
      ResidentCode.release()
    }
    switch document.reducedMotion {
    case .none: ready(nil)
    case .animation(let animation): ready(animation)
    case .document(let other):
      fetchAlternative(other) { alternative in
        switch alternative {
        case .success(let animation): ready(animation)
        case .failure(let error):
          notes.append("nothing plays under reduced motion: \(error.answer.message)")
          ready(nil)
        }
      }
    }
  }

  /// Fetches the alternative for reduced motion. The alternative's own `reduced-motion` is ignored.
  private func fetchAlternative(
    _ text: String, reply: @escaping (Result<Animation, PlayError>) -> Void
  ) {
    do throws(PlayError) {
      let id = try Self.id(text)
      source.fetch(id) { found in
        reply(
          Result { () throws(PlayError) in
            try Self.read { () throws(DocumentError) in
              try DocumentReader.read(try found.get().text, name: "\(id.text).json").animation
            }
          })
      }
    } catch {
      reply(.failure(error))
    }
  }

  /// Returns the layer of the stream to move; nil for all. For a Lottie file `layer` names a layer of the
  /// file, which moves the stream's layer of the same name, if there is one.
  private func target(_ document: AnimationDocument, layer: String?) -> String? {
    guard case .track = document.animation, let layer else { return layer ?? document.layer }
    return hasLayer(layer) ? layer : nil
  }

  private static func loop(
    _ animation: Animation, _ id: DocumentID
  ) throws(PlayError) -> Animation {
    guard Timeline(animation).durationSeconds > 0 else {
      throw PlayError(
        "\(id.text).json: has no duration and cannot repeat", .badDocument)
    }
    return animation.repeatedForever()
  }

  private static let shownNotes = 5
  /// The size from which the memory that reading a document used is returned to the system.
  private static let largeBytes = 64 << 10

  private static func id(_ text: String) throws(PlayError) -> DocumentID {
    do throws(SettingError) {
      return try DocumentID(text)
    } catch {
      throw PlayError(error.message, .badRequest)
    }
  }

  private static func read<Value>(
    _ body: () throws(DocumentError) -> Value
  ) throws(PlayError) -> Value {
    do throws(DocumentError) {
      return try body()
    } catch {
      throw PlayError(error.description, error.meaning.code)
    }
  }
}

extension DocumentError.Meaning {
  fileprivate var code: ErrorMessage.Code {
    switch self {
    case .noSuchAnimation: .noSuchAnimation
    case .badData: .badDocument
    case .noPermission, .readFailed: .unavailable
    }
  }
}
