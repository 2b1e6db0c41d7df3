// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxDocuments
import ParallaxProtocol

/// An animation that is ready to play.
struct ReadyAnimation {
  /// The id in ANIMATION lines.
  let id: String
  /// nil: all layers.
  let layer: String?
  let timeline: Timeline<Pose>
  /// The further layers that play with it.
  var followers: [StaggeredLayer] = []
  /// What plays under reduced motion; nil: the animation jumps to its end.
  let alternative: Timeline<Pose>?
  /// Remarks for the user: unsupported features, the origin of a copy.
  let notes: [String]

  /// Returns it with another id, unless that is nil.
  func named(_ name: String?) -> ReadyAnimation {
    guard let name else { return self }
    return ReadyAnimation(
      id: name, layer: layer, timeline: timeline, followers: followers, alternative: alternative,
      notes: notes)
  }
}

/// Finds and reads animations. The document source may reply later, and a worker reads: the daemon does
/// not wait.
final class AnimationLibrary {
  typealias Reply = (Result<ReadyAnimation, PlayError>) -> Void

  private let source: any DocumentSource
  let worker: any DocumentWorker
  /// Returns whether the configuration or a subscriber has a layer of that name.
  var hasLayer: (String) -> Bool = { _ in false }

  init(_ source: any DocumentSource, worker: any DocumentWorker) {
    self.source = source
    self.worker = worker
  }

  /// Finds and reads an animation. `reply` is called once, before this returns or later; never if the
  /// waiter is gone.
  func prepare(
    _ animation: RequestedAnimation, for waiter: (any DocumentWaiter)?, reply: @escaping Reply
  ) {
    let request = animation.request
    if let document = animation.document {
      return finish(document, layer: request.layer, for: waiter, reply: reply)
    }
    switch request.subject {
    case .id(let text):
      prepare(
        text, layer: request.layer, variables: VariableValues(request), for: waiter, reply: reply)
    case .document, .text:
      read([animation], for: waiter) { [weak self] read in
        switch read {
        case .success(let read): self?.prepare(read[0], for: waiter, reply: reply)
        case .failure(let error): reply(.failure(error))
        }
      }
    case .chain: reply(.failure(PlayError("a chain is not one document", .badRequest)))
    }
  }

  /// Reads the documents that requests contain, so that an invalid one is reported before any of them
  /// plays. `reply` is called as by `prepare`.
  func read(
    _ animations: [RequestedAnimation], for waiter: (any DocumentWaiter)?,
    reply: @escaping (Result<[RequestedAnimation], PlayError>) -> Void
  ) {
    guard animations.contains(where: \.hasUnreadDocument) else {
      return reply(.success(animations))
    }
    read(for: waiter) { () throws(PlayError) in
      try animations.map { (animation) throws(PlayError) in
        let animation = animation.readingDocument()
        if case .failure(let error) = animation.document { throw error }
        return animation
      }
    } reply: {
      reply($0)
    }
  }

  /// Finds a document by its id.
  ///
  /// - Parameter loops: Whether it repeats forever.
  func prepare(
    _ text: String, layer: String? = nil, loops: Bool = false,
    variables: VariableValues = .none,
    for waiter: (any DocumentWaiter)? = nil, reply: @escaping Reply
  ) {
    fetch(text, for: waiter) { [weak self] id, found in
      self?.read(for: waiter) { () throws(PlayError) in
        try PreparedDocument(
          found.text, id: id, driver: layer, loops: loops, variables: variables)
      } reply: { document in
        self?.finish(
          document, layer: layer, notes: found.note.map { [$0] } ?? [], for: waiter, reply: reply)
        if found.text.count > Self.largeBytes { HeapMemory.release() }
      }
    } failed: {
      reply(.failure($0))
    }
  }

  /// Finds the text of a document.
  private func fetch(
    _ text: String, for waiter: (any DocumentWaiter)?,
    reply: @escaping (DocumentID, FoundDocument) -> Void, failed: @escaping (PlayError) -> Void
  ) {
    do throws(PlayError) {
      let id = try DocumentID(requested: text)
      source.fetch(id, for: waiter) { found in
        switch found {
        case .success(let found): reply(id, found)
        case .failure(let error): failed(PlayError(error))
        }
      }
    } catch {
      failed(error)
    }
  }

  /// Lets the worker read documents.
  private func read<Value: Sendable>(
    for waiter: (any DocumentWaiter)?,
    _ body: @escaping @Sendable () throws(PlayError) -> Value,
    reply: @escaping (Result<Value, PlayError>) -> Void
  ) {
    let isAccepted = worker.run(for: waiter) {
      Result { () throws(PlayError) in try body() }
    } reply: {
      reply($0)
    }
    if !isAccepted { reply(.failure(.workerIsBusy)) }
  }

  private func finish(
    _ result: Result<PreparedDocument, PlayError>, layer: String?, notes: [String] = [],
    for waiter: (any DocumentWaiter)?, reply: @escaping Reply
  ) {
    let document: PreparedDocument
    do throws(PlayError) {
      document = try result.get()
    } catch {
      return reply(.failure(error))
    }
    let target = target(document, layer: layer)
    var notes = notes
    if let note = document.note { notes.append((document.file.map { "\($0): " } ?? "") + note) }
    func ready(_ alternative: Timeline<Pose>?) {
      reply(
        .success(
          ReadyAnimation(
            id: document.id, layer: target, timeline: document.timeline,
            followers: document.followers, alternative: alternative, notes: notes)))
    }
    func failed(_ error: PlayError) {
      notes.append("nothing plays under reduced motion: \(error.answer.message)")
      ready(nil)
    }
    switch document.reducedMotion {
    case .none: ready(nil)
    case .timeline(let timeline): ready(timeline)
    case .document(let other):
      // The alternative's own `reduced-motion` is ignored.
      fetch(other, for: waiter) { [weak self] id, found in
        self?.read(for: waiter) { () throws(PlayError) in
          try PreparedDocument(found.text, id: id)
        } reply: { alternative in
          switch alternative {
          case .success(let alternative): ready(alternative.timeline)
          case .failure(let error): failed(error)
          }
        }
      } failed: {
        failed($0)
      }
    }
  }

  /// Returns the layer of the stream to move; nil for all. For a Lottie file `layer` names a layer of the
  /// file, which moves the stream's layer of the same name, if there is one.
  private func target(_ document: PreparedDocument, layer: String?) -> String? {
    guard document.isTrack, let layer else { return layer ?? document.layer }
    return hasLayer(layer) ? layer : nil
  }

  /// The size from which the memory that reading a document used is returned to the system.
  private static let largeBytes = 64 << 10
}
