// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxProtocol

/// The state of the animations that play without a request: `on-connect` and `idle`.
struct AutomaticPlayback {
  enum Idle: Equatable {
    case off
    /// Its document is being fetched; the number distinguishes this fetch from an earlier one.
    case fetching(UInt64)
    case playing(UInt64)
    /// It failed, or a client stopped it: it does not play again before the device has streamed.
    case finished
  }

  /// Whether a subscriber watches.
  var isWatched = false
  /// When the last subscriber left; nil before the first one came.
  var unwatchedSince: MotionInstant?
  var idle = Idle.off
  var idleID: String?
  var fetches: UInt64 = 0

  /// Takes note of a STOP.
  mutating func stopped(_ id: String?) {
    guard idle != .off, id == nil || id == idleID else { return }
    idle = .finished
  }
}

extension AnimationDirector {
  /// Starts or ends `on-connect` and `idle`, after subscribers, the source or the gates may have
  /// changed.
  func updateAutomaticPlayback(_ device: DeviceMessage.State, at now: MotionInstant) {
    let isWatched = audience.watching > 0
    if isWatched != automatic.isWatched {
      automatic.isWatched = isWatched
      if isWatched { welcome(at: now) } else { automatic.unwatchedSince = now }
    }
    updateIdle(device, at: now)
  }

  /// Takes over a configuration that was read again.
  func reconfigure(fadeSeconds: Double, at now: MotionInstant) {
    setFade(seconds: fadeSeconds)
    if settings.idle != automatic.idleID { endIdle(at: now) }
  }

  // MARK: - on-connect

  private func welcome(at now: MotionInstant) {
    guard let id = settings.onConnect else { return }
    // A subscriber that comes back before the source is off has not been away.
    if let since = automatic.unwatchedSince, now - since < SourceStateMachine.lingerDuration {
      return
    }
    library.prepare(id) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let animation):
        if start(animation, at: clock()) == nil { warn(.onConnect, refusing: animation) }
      case .failure(let error): warn(.onConnect, error.answer.message)
      }
    }
  }

  // MARK: - idle

  /// Whether nothing streams, and nothing else closes the gate.
  private func isIdleTime(_ device: DeviceMessage.State) -> Bool {
    guard automatic.isWatched, !isBlocked,
      gates.globalReasons.isDisjoint(with: .reduceMotion)
    else { return false }
    return switch device {
    case .none, .busy, .denied, .lost, .ended: true
    case .streaming, .idle: false
    }
  }

  private func updateIdle(_ device: DeviceMessage.State, at now: MotionInstant) {
    guard let id = settings.idle, isIdleTime(device) else { return endIdle(at: now) }
    // One that the gate ended starts again, and one that a client's PLAY replaced, when that is over.
    if case .playing(let number) = automatic.idle,
      !plays.contains(where: { $0.number == number || $0.id == id })
    {
      automatic.idle = .off
    }
    guard automatic.idle == .off else { return }
    automatic.fetches += 1
    let fetch = AutomaticPlayback.Idle.fetching(automatic.fetches)
    automatic.idle = fetch
    automatic.idleID = id
    library.prepare(id, loops: true) { [weak self] result in
      guard let self, automatic.idle == fetch else { return }
      automatic.idle = .finished
      switch result {
      case .success(let animation):
        if let number = start(
          animation, PlayStart(playsReduced: false), at: clock())
        {
          automatic.idle = .playing(number)
        } else {
          warn(.idle, refusing: animation)
        }
      case .failure(let error): warn(.idle, error.answer.message)
      }
    }
  }

  private func endIdle(at now: MotionInstant) {
    guard automatic.idle != .off else { return }
    let former = automatic.idle
    automatic.idle = .off
    automatic.idleID = nil
    if case .playing(let number) = former { cancel(number, at: now) }
  }

  private enum AutomaticTrigger: String {
    case onConnect = "on-connect"
    case idle
  }

  private func warn(_ trigger: AutomaticTrigger, refusing animation: ReadyAnimation) {
    warn(trigger, refusal(of: animation, at: clock()) ?? "")
  }

  private func warn(_ trigger: AutomaticTrigger, _ why: String) {
    log("animations.\(trigger.rawValue) does not play: \(why)")
  }
}
