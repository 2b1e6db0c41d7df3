// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
package import ParallaxBase
import ParallaxMotion
package import ParallaxProtocol

/// PLAY and STOP.
extension ControlService {
  /// Starts an animation, and answers once it has been found and read.
  func play(_ animation: RequestedAnimation, tag: RequestTag?, for client: ControlSession) {
    let request = animation.request
    client.awaitPlay()
    let start = PlayStart(request, uid: client.peer.userID)
    if case .chain(let parts, let chain) = request.subject {
      return playChain(parts, chain, request, start, tag: tag, for: client)
    }
    let waiter = PlayWaiter(client, isDetached: start.isDetached)
    hub.animations.library.prepare(animation, for: waiter) { [weak self, weak client] result in
      self?.begin(result.map { $0.named(request.name) }, start, tag: tag, for: client)
    }
  }

  /// Starts a chain, and answers once its first part has been found and read.
  private func playChain(
    _ parts: [PlayRequest], _ chain: ChainRequest, _ request: PlayRequest,
    _ start: PlayStart, tag: RequestTag?, for client: ControlSession
  ) {
    let waiter = PlayWaiter(client, isDetached: start.isDetached)
    let acknowledge = { [weak self, weak client] (result: Result<AckMessage, PlayError>) in
      guard let self, let client else { return }
      finish(result, tag: tag, for: client)
    }
    let parts = parts.map { RequestedAnimation($0).onLayer(request.layer) }
    hub.animations.library.read(parts, for: waiter) { [weak self] parts in
      switch parts {
      case .failure(let error): acknowledge(.failure(error))
      case .success(let parts):
        self?.hub.animations.startChain(
          chain, parts: parts, id: request.name ?? "chain", start, owner: client, tag: tag,
          waiter: waiter, reply: acknowledge)
      }
    }
  }

  /// Answers a request whose documents have been read.
  private func finish(
    _ result: Result<AckMessage, PlayError>, tag: RequestTag?, for client: ControlSession
  ) {
    defer { client.endPlay() }
    guard !client.channel.isClosed else { return }
    switch result {
    case .failure(let error):
      reply(.error(error.answer, tag: tag), to: client, at: hub.currentTime())
    case .success(let ack): reply(.ack(ack, tag: tag), to: client, at: hub.currentTime())
    }
  }

  /// Changes an animation, and answers at once unless a document has to be found and read.
  ///
  /// - Parameter action: What is done at once, if anything is.
  func perform(
    _ request: AnimateRequest, _ action: RunAction?, tag: RequestTag?, for client: ControlSession,
    at now: MotionInstant
  ) -> ControlAnswer? {
    if let action { return perform(action, request, tag: tag, for: client, at: now) }
    switch request.action {
    case .append(let part):
      client.awaitPlay()
      let waiter = PlayWaiter(client, isDetached: false)
      hub.animations.library.read([RequestedAnimation(part)], for: waiter) {
        [weak self, weak client] parts in
        guard let self, let client else { return }
        let result = parts.flatMap { parts in
          Result { () throws(PlayError) in
            try self.hub.animations.append(parts[0], to: request.id, for: client)
            return AckMessage(id: request.id)
          }
        }
        finish(result, tag: tag, for: client)
      }
      return nil
    case .add(let subject, let delayFactor):
      let document = RequestedAnimation(PlayRequest(subject, layer: request.layer))
      client.awaitPlay()
      let waiter = PlayWaiter(client, isDetached: false)
      hub.animations.library.prepare(document, for: waiter) { [weak self, weak client] result in
        guard let self, let client else { return }
        defer { client.endPlay() }
        let now = hub.currentTime()
        let answer: ControlAnswer
        switch result {
        case .failure(let error): answer = .error(error.answer, tag: tag)
        case .success(let animation):
          let action = RunAction.add(animation.timeline, delayFactor: delayFactor)
          answer = perform(action, request, tag: tag, for: client, at: now)
        }
        if !client.channel.isClosed { reply(answer, to: client, at: now) }
      }
      return nil
    default: return nil
    }
  }

  private func perform(
    _ action: RunAction, _ request: AnimateRequest, tag: RequestTag?,
    for client: ControlSession, at now: MotionInstant
  ) -> ControlAnswer {
    do throws(PlayError) {
      let progress = try hub.animations.perform(
        action, on: request.id, layer: request.layer, for: client, at: now)
      return .ack(AckMessage(id: request.id, progress: progress, time: now), tag: tag)
    } catch {
      return .error(error.answer, tag: tag)
    }
  }

  /// Reads a long request, with the document in it, and then performs it.
  func readLater(_ request: [UInt8], from client: ControlSession, at now: MotionInstant) {
    client.awaitPlay()
    let worker = hub.animations.library.worker
    // The client is kept until then: a detached animation plays even if it has left.
    let isAccepted = worker.run(for: PlayWaiter(client, isDetached: true)) {
      ReceivedRequest(request).readingDocument()
    } reply: { [weak self] request in
      guard let self else { return }
      answer(request, from: client, at: hub.currentTime())
      client.endPlay()
      HeapMemory.release()
    }
    guard !isAccepted else { return }
    reply(.error(PlayError.workerIsBusy.answer, tag: nil), to: client, at: now)
    client.endPlay()
  }

  private func begin(
    _ result: Result<ReadyAnimation, PlayError>, _ start: PlayStart, tag: RequestTag?,
    for client: ControlSession?
  ) {
    // Finding the document may have taken a while.
    let now = hub.currentTime()
    let listener = client.flatMap { $0.channel.isClosed ? nil : $0 }
    defer { client?.endPlay() }
    switch result {
    case .failure(let error):
      listener.map { reply(.error(error.answer, tag: tag), to: $0, at: now) }
    case .success(let animation):
      guard listener != nil || start.isDetached else { return }
      if let refusal = hub.animations.refusal(of: animation, at: now) {
        let error = ErrorMessage(message: refusal, code: .unavailable)
        listener.map { reply(.error(error, tag: tag), to: $0, at: now) }
        return
      }
      let notes = visibilityNotes(animation) + animation.notes
      let ack = AckMessage(
        note: notes.isEmpty ? nil : notes.joined(separator: "; "), id: animation.id, time: now)
      listener.map { reply(.ack(ack, tag: tag), to: $0, at: now) }
      hub.animations.start(
        animation, start, owner: start.isDetached ? nil : listener, tag: tag, at: now)
    }
  }

  /// Returns why the animation is not visible, if so.
  private func visibilityNotes(_ animation: ReadyAnimation) -> [String] {
    guard let layer = animation.layer, !hub.hasLayer(layer) else { return [] }
    return ["no subscriber has a layer named '\(layer)', so this will not be visible"]
  }

  func stop(_ id: String?, at now: MotionInstant) -> AckMessage {
    if hub.animations.stop(id: id, at: now) { return AckMessage() }
    return AckMessage(note: id.map { "no animation '\($0)' to stop" } ?? "no animation to stop")
  }
}

/// A client that has sent a PLAY.
private final class PlayWaiter: DocumentWaiter {
  private weak var client: ControlSession?
  private let isDetached: Bool

  init(_ client: ControlSession, isDetached: Bool) {
    self.client = client
    self.isDetached = isDetached
  }

  var isGone: Bool { !isDetached && client?.channel.isClosed ?? true }

  func pause() { client?.channel.pause() }

  func resume() { client?.channel.resume() }
}

extension ControlSession: AnimationOwner {
  package var userID: UInt32 { peer.userID }

  package func animationChanged(
    _ message: AnimationMessage, tag: RequestTag?, isOver: Bool, at now: MotionInstant
  ) {
    if message.event == .started {
      awaitPlay()
      beginOwnPlay()
    }
    var line = OutputBuffer()
    line.appendLine(.animation(message, tag: tag))
    channel.send(line, as: .event, at: now)
    if isOver {
      endOwnPlay()
      endPlay()
    }
  }
}
