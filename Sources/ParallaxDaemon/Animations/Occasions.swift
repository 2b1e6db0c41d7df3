import ParallaxWire

/// What plays without being asked for: `on-connect` and `idle`.
struct Occasions {
  enum Idle: Equatable {
    case off
    /// Its document is being fetched; the number tells this time from an earlier one.
    case fetching(UInt64)
    case playing(UInt64)
    /// It cannot be played, or somebody stopped it: not again before the reason for it has gone.
    case given
  }

  /// Whether somebody looks.
  var isWatched = false
  /// Since when nobody looks; nil: nobody ever did.
  var unwatchedSince: Int64?
  var idle = Idle.off
  var idleID: String?
  var fetches: UInt64 = 0

  /// Somebody stopped animations.
  mutating func stopped(_ id: String?) {
    guard idle != .off, id == nil || id == idleID else { return }
    idle = .given
  }
}

extension AnimationDirector {
  /// Who looks, what the source does or what the gate says may have changed.
  func occasionsChanged(atNanoseconds now: Int64) {
    let isWatched = hub.audience?.isWatched ?? false
    if isWatched != occasions.isWatched {
      occasions.isWatched = isWatched
      if isWatched { welcome(atNanoseconds: now) } else { occasions.unwatchedSince = now }
    }
    updateIdle(atNanoseconds: now)
  }

  /// The configuration was read again.
  func configurationChanged(atNanoseconds now: Int64) {
    setFade(seconds: hub.configuration.motion.fadeSeconds)
    if hub.configuration.animations.idle != occasions.idleID { endIdle(atNanoseconds: now) }
  }

  // -- on-connect

  private func welcome(atNanoseconds now: Int64) {
    guard let id = hub.configuration.animations.onConnect else { return }
    // Who is back before the source is off has not been away.
    if let since = occasions.unwatchedSince, now - since < SourceSwitch.lingerNanoseconds { return }
    library.prepare(id) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let animation):
        if start(animation, atNanoseconds: hub.clock()) == nil { complain(.onConnect, Self.full) }
      case .failure(let refusal): complain(.onConnect, refusal.answer.message)
      }
    }
  }

  // -- idle

  /// Nothing streams, and nothing but that closes the gate.
  private var isIdleTime: Bool {
    guard occasions.isWatched, !isBlocked,
      hub.gates.globalReasons.isDisjoint(with: .reduceMotion)
    else { return false }
    return switch hub.device.state {
    case .none, .busy, .denied, .lost, .ended: true
    case .streaming, .idle: false
    }
  }

  private func updateIdle(atNanoseconds now: Int64) {
    guard isIdleTime, let id = hub.configuration.animations.idle else {
      return endIdle(atNanoseconds: now)
    }
    // What the gate ended begins again; what somebody's own took over from, when that is over.
    if case .playing(let number) = occasions.idle,
      !plays.contains(where: { $0.number == number || $0.id == id })
    {
      occasions.idle = .off
    }
    guard occasions.idle == .off else { return }
    occasions.fetches += 1
    let fetch = Occasions.Idle.fetching(occasions.fetches)
    occasions.idle = fetch
    occasions.idleID = id
    library.prepare(id, loops: true) { [weak self] result in
      guard let self, occasions.idle == fetch else { return }
      occasions.idle = .given
      switch result {
      case .success(let animation):
        if let number = start(animation, playsReduced: false, atNanoseconds: hub.clock()) {
          occasions.idle = .playing(number)
        } else {
          complain(.idle, Self.full)
        }
      case .failure(let refusal): complain(.idle, refusal.answer.message)
      }
    }
  }

  private func endIdle(atNanoseconds now: Int64) {
    guard occasions.idle != .off else { return }
    let former = occasions.idle
    occasions.idle = .off
    occasions.idleID = nil
    if case .playing(let number) = former { cancel(number, atNanoseconds: now) }
  }

  private enum Occasion: String {
    case onConnect = "on-connect"
    case idle
  }

  private static let full = "\(limit) animations play already"

  private func complain(_ occasion: Occasion, _ why: String) {
    hub.log("animations.\(occasion.rawValue) does not play: \(why)")
  }
}
