import ParallaxMotion
package import ParallaxWire

/// PLAY and STOP.
extension ControlService {
  /// Answers when the animation has been found and read.
  func play(_ order: PlayOrder, tag: RequestTag?, for client: ControlClient) {
    client.awaitPlay()
    hub.animations.library.prepare(order) { [weak self, weak client] result in
      self?.begin(result, isDetached: order.isDetached, tag: tag, for: client)
    }
  }

  private func begin(
    _ result: Result<ReadyAnimation, PlayRefusal>, isDetached: Bool, tag: RequestTag?,
    for client: ControlClient?
  ) {
    // Finding it may have taken a while.
    let now = hub.clock()
    let listener = client.flatMap { $0.channel.isClosed ? nil : $0 }
    defer { client?.endPlay() }
    switch result {
    case .failure(let refusal):
      listener.map { reply(.error(refusal.answer, tag: tag), to: $0, atNanoseconds: now) }
    case .success(let animation):
      guard listener != nil || isDetached else { return }
      guard hub.animations.hasRoom(for: animation) else {
        let error = ErrorMessage(
          message: "\(AnimationDirector.limit) animations play already; stop one of them",
          code: .unavailable)
        listener.map { reply(.error(error, tag: tag), to: $0, atNanoseconds: now) }
        return
      }
      let notes = unseen(animation) + animation.notes
      let ack = AckMessage(
        note: notes.isEmpty ? nil : notes.joined(separator: "; "), id: animation.id)
      listener.map { reply(.ack(ack, tag: tag), to: $0, atNanoseconds: now) }
      hub.animations.start(
        animation, owner: isDetached ? nil : listener, tag: tag, atNanoseconds: now)
    }
  }

  /// Why nobody sees it, if so.
  private func unseen(_ animation: ReadyAnimation) -> [String] {
    guard let layer = animation.layer, !hub.hasLayer(layer) else { return [] }
    return ["nobody has a layer '\(layer)' now, so nothing of it is seen"]
  }

  func stop(_ id: String?, atNanoseconds now: Int64) -> AckMessage {
    if hub.animations.stop(id: id, atNanoseconds: now) { return AckMessage() }
    return AckMessage(note: id.map { "nothing of \($0) is there to stop" } ?? "nothing plays")
  }
}

extension ControlClient: AnimationOwner {
  package var userID: UInt32 { peer.userID }

  package func animationChanged(
    _ message: AnimationMessage, tag: RequestTag?, isOver: Bool, atNanoseconds now: Int64
  ) {
    if message.event == .started { awaitPlay() }
    var line = OutputBuffer()
    line.appendLine(.animation(message, tag: tag))
    channel.send(line, as: .event, atNanoseconds: now)
    if isOver { endPlay() }
  }
}
