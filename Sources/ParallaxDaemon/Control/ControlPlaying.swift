// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import ParallaxText
package import ParallaxTime
package import ParallaxWire

/// PLAY and STOP.
extension ControlService {
  /// Starts an animation, and answers once it has been found and read.
  func play(_ request: ParsedPlayRequest, tag: RequestTag?, for client: ControlSession) {
    client.awaitPlay()
    hub.animations.library.prepare(request) { [weak self, weak client] result in
      self?.begin(result, isDetached: request.isDetached, tag: tag, for: client)
    }
  }

  private func begin(
    _ result: Result<ReadyAnimation, PlayError>, isDetached: Bool, tag: RequestTag?,
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
      guard listener != nil || isDetached else { return }
      guard hub.animations.hasRoom(for: animation) else {
        let error = ErrorMessage(
          message: "\(AnimationDirector.limit) animations are already playing; stop one first",
          code: .unavailable)
        listener.map { reply(.error(error, tag: tag), to: $0, at: now) }
        return
      }
      let notes = visibilityNotes(animation) + animation.notes
      let ack = AckMessage(
        note: notes.isEmpty ? nil : notes.joined(separator: "; "), id: animation.id)
      listener.map { reply(.ack(ack, tag: tag), to: $0, at: now) }
      hub.animations.start(
        animation, owner: isDetached ? nil : listener, tag: tag, at: now)
    }
  }

  /// Returns why the animation is not visible, if so.
  private func visibilityNotes(_ animation: ReadyAnimation) -> [String] {
    guard let layer = animation.layer, !hub.hasLayer(layer) else { return [] }
    return ["no subscriber has a layer '\(layer)', so the animation is not visible"]
  }

  func stop(_ id: String?, at now: MotionInstant) -> AckMessage {
    if hub.animations.stop(id: id, at: now) { return AckMessage() }
    return AckMessage(note: id.map { "no animation '\($0)' to stop" } ?? "no animation to stop")
  }
}

extension ControlSession: AnimationOwner {
  package var userID: UInt32 { peer.userID }

  package func animationChanged(
    _ message: AnimationMessage, tag: RequestTag?, isOver: Bool, at now: MotionInstant
  ) {
    if message.event == .started { awaitPlay() }
    var line = OutputBuffer()
    line.appendLine(.animation(message, tag: tag))
    channel.send(line, as: .event, at: now)
    if isOver { endPlay() }
  }
}
