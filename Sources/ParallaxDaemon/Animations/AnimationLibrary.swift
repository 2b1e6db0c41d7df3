import ParallaxAnimation
import ParallaxDocuments
import ParallaxJSON
import ParallaxMotion
import ParallaxSystem
import ParallaxWire

/// An animation that is ready to play.
struct ReadyAnimation {
  /// What ANIMATION lines call it.
  let id: String
  /// nil: all of them.
  let layer: String?
  let timeline: Timeline
  /// What plays under reduce motion; nil: it is at its end at once.
  let alternative: Timeline?
  /// What a person should know: what of it is left out, where it came from.
  let notes: [String]
}

/// Why an animation does not play.
struct PlayRefusal: Error {
  let answer: ErrorMessage

  init(_ message: String, _ code: ErrorMessage.Code) {
    answer = ErrorMessage(message: message, code: code)
  }
}

/// Finds and reads animations. Documents come from a source that may take its time; the daemon goes on
/// meanwhile.
final class AnimationLibrary {
  typealias Reply = (Result<ReadyAnimation, PlayRefusal>) -> Void

  private let source: any DocumentSource
  /// Whether a layer of that name is configured, or a receiver has one.
  var hasLayer: (String) -> Bool = { _ in false }

  init(_ source: any DocumentSource) {
    self.source = source
  }

  /// Reads what a PLAY asks for. `reply` is called once, before this returns or later.
  func prepare(_ order: PlayOrder, reply: @escaping Reply) {
    switch order.subject {
    case .id(let text): prepare(text, layer: order.layer, reply: reply)
    case .document(let value, let given):
      do throws(PlayRefusal) {
        let id = try given.map(Self.id)
        let document = try Self.read { () throws(DocumentError) in
          try DocumentReader.read(value, name: id?.text ?? "document", driver: order.layer)
        }
        finish(
          document, id: id?.text ?? document.id ?? "document", layer: order.layer, notes: [],
          reply: reply)
      } catch {
        reply(.failure(error))
      }
    }
  }

  /// Finds a document by its id.
  ///
  /// - Parameter loops: it plays over and over.
  func prepare(
    _ text: String, layer: String? = nil, loops: Bool = false, reply: @escaping Reply
  ) {
    let id: DocumentID
    do throws(PlayRefusal) {
      id = try Self.id(text)
    } catch {
      return reply(.failure(error))
    }
    source.fetch(id) { [weak self] found in
      do throws(PlayRefusal) {
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
    if !document.leftOut.isEmpty {
      notes.append("left out: " + document.leftOut.prefix(Self.shownNotes).joined(separator: "; "))
    }
    func ready(_ alternative: Animation?) {
      reply(
        .success(
          ReadyAnimation(
            id: id, layer: target, timeline: Timeline(document.animation),
            alternative: alternative.map { Timeline($0) }, notes: notes)))
      // Of what finding and reading it took, nothing runs again while it plays.
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
          notes.append("nothing plays under reduce-motion: \(error.answer.message)")
          ready(nil)
        }
      }
    }
  }

  /// What stands in for a document under reduce motion. Whatever that says of reduce motion itself: it
  /// has none.
  private func fetchAlternative(
    _ text: String, reply: @escaping (Result<Animation, PlayRefusal>) -> Void
  ) {
    do throws(PlayRefusal) {
      let id = try Self.id(text)
      source.fetch(id) { found in
        reply(
          Result { () throws(PlayRefusal) in
            try Self.read { () throws(DocumentError) in
              try DocumentReader.read(try found.get().text, name: "\(id.text).json").animation
            }
          })
      }
    } catch {
      reply(.failure(error))
    }
  }

  /// What moves. The layer that is asked for, of a Lottie file, names one of the file's own: that it
  /// moves a layer of the stream of the same name is only so where there is one.
  private func target(_ document: AnimationDocument, layer: String?) -> String? {
    guard case .track = document.animation, let layer else { return layer ?? document.layer }
    return hasLayer(layer) ? layer : nil
  }

  private static func loop(
    _ animation: Animation, _ id: DocumentID
  ) throws(PlayRefusal) -> Animation {
    guard Timeline(animation).durationSeconds > 0 else {
      throw PlayRefusal(
        "\(id.text).json: takes no time and cannot play over and over", .badDocument)
    }
    return animation.repeatedForever()
  }

  private static let shownNotes = 5
  /// From here on reading a document leaves memory behind that is worth giving back.
  private static let largeBytes = 64 << 10

  private static func id(_ text: String) throws(PlayRefusal) -> DocumentID {
    do throws(SettingError) {
      return try DocumentID(text)
    } catch {
      throw PlayRefusal(error.message, .badRequest)
    }
  }

  private static func read<Value>(
    _ body: () throws(DocumentError) -> Value
  ) throws(PlayRefusal) -> Value {
    do throws(DocumentError) {
      return try body()
    } catch {
      throw PlayRefusal(error.description, error.meaning.code)
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
