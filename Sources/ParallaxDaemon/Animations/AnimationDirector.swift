// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxMotion
import ParallaxTime
import ParallaxWire

/// Plays animations on two stages, one for every user and one for users under reduced motion, and
/// reports their events to subscribers and owners. Frames move it; it waits for nothing.
package final class AnimationDirector {
  /// The largest number of animations that play at the same time.
  package static let limit = 32
  /// The most parts of all animations that may run at the same time; a single animation may have more.
  ///
  /// Two thousand springs take 0.3 ms on a fast core, and a tenth of a frame at 60 Hz on one that is
  /// five times slower.
  package static let maxRunningParts = 2_500

  private(set) var full: AnimationStage
  private(set) var reduced: AnimationStage
  private(set) var plays: [Play] = []
  /// Whether the gate takes every animation to its end at once.
  private(set) var isBlocked = false
  private var lastNumber: UInt64 = 0
  private var lastAdvance = MotionInstant.distantPast

  let library: AnimationLibrary
  /// Set once, by the host itself.
  weak var host: (any AnimationHost)?
  var automatic = AutomaticPlayback()

  init(documents: any DocumentSource, worker: any DocumentWorker, fadeSeconds: Double) {
    library = AnimationLibrary(documents, worker: worker)
    full = AnimationStage(fadeSeconds: fadeSeconds)
    reduced = AnimationStage(fadeSeconds: fadeSeconds)
    library.hasLayer = { [weak self] in self?.host?.hasLayer($0) ?? false }
  }

  // MARK: - State

  /// Whether frames contain anything of an animation.
  var isVisible: Bool { full.isPresent || reduced.isPresent }

  /// Whether an animation moves a single layer.
  var movesLayers: Bool { full.movesLayers || reduced.movesLayers }

  /// What animations add to one layer of a user in place of what they add to all; nil if no animation
  /// moves that layer alone.
  func overlay(ofLayer name: String, for user: UserState) -> OffsetOverlay? {
    user.animations.overlay(ofLayer: name, full, reduced)
  }

  /// What plays, and what ended animations have left displaced, for STATUS.
  func playing(at now: MotionInstant) -> [StatusMessage.Animation] {
    advance(to: now)
    reportEvents(at: now)
    return full.contents.map {
      StatusMessage.Animation(id: $0.id, layer: $0.layer, state: $0.isRunning ? .playing : .ended)
    }
  }

  /// When an owner must receive an event although no one sees a frame; nil if only another event can
  /// change that. At most once per frame period.
  func deadline(framePeriod period: MotionDuration) -> MotionInstant? {
    var deadline: MotionInstant?
    for play in plays where play.isOwed {
      guard let owner = play.owner else { continue }
      let stage = isReduced(owner) ? reduced : full
      deadline = .earlier(deadline, stage.nextEvent)
    }
    return deadline.map { max($0, lastAdvance + period) }
  }

  // MARK: - Playing

  /// Starts an animation for every user.
  ///
  /// - Parameters:
  ///   - playsReduced: Whether it, or its alternative, also plays for users under reduced motion.
  ///   - owner: Receives its events; `ownerLeft` ends it.
  /// - Returns: Its number; nil if `refusal` has a reason.
  @discardableResult
  func start(
    _ animation: ReadyAnimation, playsReduced: Bool = true,
    owner: (any AnimationOwner)? = nil, tag: RequestTag? = nil, at now: MotionInstant
  ) -> UInt64? {
    guard refusal(of: animation, at: now) == nil else { return nil }
    let run = full.start(
      animation.id, animation.timeline, layer: animation.layer, at: now)
    if isBlocked { full.complete(run, at: now) }
    var other: StageRun?
    if playsReduced {
      let run = reduced.start(
        animation.id, animation.alternative ?? animation.timeline, layer: animation.layer,
        at: now)
      if isBlocked || animation.alternative == nil { reduced.complete(run, at: now) }
      other = run
    }
    lastNumber += 1
    plays.append(
      Play(
        number: lastNumber, id: animation.id, layer: animation.layer, full: run, reduced: other,
        owner: owner, tag: tag,
        reducedEnd: other == nil
          ? AnimationMessage(id: animation.id, event: .cancelled, position: .start) : nil))
    changed(at: now)
    return lastNumber
  }

  /// Ends an animation and eases back what it moved.
  func cancel(_ number: UInt64, at now: MotionInstant) {
    guard let play = plays.first(where: { $0.number == number }) else { return }
    full.cancel(play.full, at: now)
    if let run = play.reduced { reduced.cancel(run, at: now) }
    changed(at: now)
  }

  /// Ends animations and eases back what they moved.
  ///
  /// - Parameter id: nil stops all of them.
  /// - Returns: Whether anything played or was displaced.
  func stop(id: String?, at now: MotionInstant) -> Bool {
    automatic.stopped(id)
    let wasThere = full.stop(id: id, at: now)
    let wasThereToo = reduced.stop(id: id, at: now)
    changed(at: now)
    return wasThere || wasThereToo
  }

  /// Ends the animations of an owner whose connection has closed.
  func ownerLeft(_ owner: any AnimationOwner, at now: MotionInstant) {
    for play in plays where play.owner === owner { cancel(play.number, at: now) }
  }

  // MARK: - Gates and time

  /// Follows the gates: hides animations, or shows those of the other stage.
  func applyGates(at now: MotionInstant) {
    guard let host else { return }
    let gates = host.gates
    let isHidden = gates.hidesAnimations
    if isHidden, !isBlocked {
      full.completeAll(at: now)
      reduced.completeAll(at: now)
    }
    isBlocked = isHidden
    let atOnce = !gates.globalReasons.isDisjoint(with: .inhibit)
    for user in host.users {
      user.animations.turn(
        isHidden: isHidden || gates.hidesAnimations(of: user.uid), atOnce: atOnce,
        isReduced: gates.reducesMotion(of: user.uid), at: now)
    }
    changed(at: now)
    catchUp(at: now)
  }

  func setFade(seconds: Double) {
    full.setFade(seconds: seconds)
    reduced.setFade(seconds: seconds)
    for user in users { user.animations.setFade(seconds: seconds) }
  }

  /// The view of a user who connects now.
  func view(for uid: UInt32, at now: MotionInstant) -> AnimationView {
    advance(to: now)
    reportEvents(at: now)
    let gates = host?.gates ?? GateBoard()
    var view = AnimationView(
      isHidden: isBlocked || gates.hidesAnimations(of: uid),
      isReduced: gates.reducesMotion(of: uid), fadeSeconds: host?.fadeSeconds ?? 0)
    view.owed = plays.filter { $0.end(isReduced: view.isReduced) == nil }.map(\.number)
    view.update(full, reduced, at: now)
    return view
  }

  /// Moves every animation to the time of a frame.
  func advance(to time: MotionInstant) {
    guard isVisible, time > lastAdvance else { return }
    lastAdvance = time
    full.advance(to: time)
    reduced.advance(to: time)
    let users = users
    var index = 0
    while index < users.count {
      users[index].animations.update(full, reduced, at: time)
      index += 1
    }
  }

  /// Shows a change that does not wait for a frame.
  private func changed(at now: MotionInstant) {
    lastAdvance = max(lastAdvance, now)
    if isVisible || !plays.isEmpty {
      for user in users {
        user.animations.touch()
        user.animations.update(full, reduced, at: now)
      }
    }
    reportEvents(at: now)
  }

  private var users: [UserState] { host?.users ?? [] }

  // MARK: - Events

  /// Reports what has happened on the stages since the last call.
  func reportEvents(at now: MotionInstant) {
    let events = full.takeReports()
    let reducedEvents = reduced.takeReports()
    if events.isEmpty, reducedEvents.isEmpty { return }
    for event in events { report(event, isReduced: false, at: now) }
    for event in reducedEvents { report(event, isReduced: true, at: now) }
    plays.removeAll(where: \.isOver)
  }

  /// Why another animation may not play, or take the place of the one with its id; nil if it may.
  func refusal(of animation: ReadyAnimation, at now: MotionInstant) -> String? {
    advance(to: now)
    reportEvents(at: now)
    let (id, layer) = (animation.id, animation.layer)
    guard plays.count < Self.limit || plays.contains(where: { $0.id == id && $0.layer == layer })
    else { return "\(Self.limit) animations are already playing; stop one first" }
    let others =
      full.maxRunningParts(without: id, layer: layer)
      + reduced.maxRunningParts(without: id, layer: layer)
    let own =
      animation.timeline.maxRunningParts + (animation.alternative?.maxRunningParts ?? 0)
    guard others > 0, others + own > Self.maxRunningParts else { return nil }
    return "up to \(own) parts of this animation and \(others) of those that play would run at the "
      + "same time; at most \(Self.maxRunningParts) may; stop one first"
  }

  private func report(_ event: StageReport, isReduced: Bool, at now: MotionInstant) {
    guard
      let index = plays.firstIndex(where: {
        (isReduced ? $0.reduced : $0.full) == event.run
      })
    else { return }
    let message = AnimationMessage(event)
    let number = plays[index].number
    if message.isEnd {
      if isReduced { plays[index].reducedEnd = message } else { plays[index].fullEnd = message }
    }
    for user in users where user.animations.isReduced == isReduced {
      report(message, of: number, to: user, at: now)
    }
    if let owner = plays[index].owner, self.isReduced(owner) == isReduced {
      report(message, at: index, to: owner, at: now)
    }
  }

  private func report(
    _ message: AnimationMessage, of number: UInt64, to user: UserState, at now: MotionInstant
  ) {
    if message.event == .started {
      user.animations.owed.append(number)
    } else {
      guard let place = user.animations.owed.firstIndex(of: number) else { return }
      if message.isEnd { user.animations.owed.remove(at: place) }
    }
    host?.animationChanged(message, for: user, at: now)
  }

  private func report(
    _ message: AnimationMessage, at index: Int, to owner: any AnimationOwner,
    at now: MotionInstant
  ) {
    guard plays[index].isOwed != (message.event == .started) else { return }
    plays[index].isOwed = !message.isEnd
    owner.animationChanged(
      message, tag: plays[index].tag, isOver: message.isEnd, at: now)
  }

  /// Reports what has already ended on the stage that a user sees from now on.
  private func catchUp(at now: MotionInstant) {
    for index in plays.indices {
      let number = plays[index].number
      for user in users {
        guard let end = plays[index].end(isReduced: user.animations.isReduced) else { continue }
        report(end, of: number, to: user, at: now)
      }
      if let owner = plays[index].owner, let end = plays[index].end(isReduced: isReduced(owner)) {
        report(end, at: index, to: owner, at: now)
      }
    }
  }

  private func isReduced(_ owner: any AnimationOwner) -> Bool {
    host?.gates.reducesMotion(of: owner.userID) ?? false
  }
}
