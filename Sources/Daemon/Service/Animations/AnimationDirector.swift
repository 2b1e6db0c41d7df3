// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxConfig
import ParallaxGates
import ParallaxMotion
import ParallaxProtocol

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
  /// The chains whose parts are among `plays`.
  var chains: [LiveChain] = []
  var isAdvancingChains = false
  /// When parts of chains have ended, until their chain has taken note.
  var partEnds: [UInt64: MotionInstant] = [:]
  /// Whether the gate takes every animation to its end at once.
  private(set) var isBlocked = false
  private var lastNumber: UInt64 = 0
  private var lastAdvance = MotionInstant.distantPast
  /// Whether the users' views contain anything of an animation: what has just left the stages still has to leave them.
  private var wasVisible = false

  let library: AnimationLibrary
  let audience: Audience
  /// Sends ANIMATION lines. Sets itself.
  weak var stream: StreamService?
  /// `[animations]` of the configuration.
  var settings: Configuration.Animations
  /// The gates that were applied last.
  private(set) var gates: GateBoard
  var automatic = AutomaticPlayback()
  /// CLOCK_MONOTONIC, for what begins when a document has arrived.
  let clock: () -> MotionInstant
  /// Receives warnings for the operator.
  let log: (String) -> Void

  init(
    _ library: AnimationLibrary, audience: Audience, gates: GateBoard,
    _ configuration: Configuration, clock: @escaping () -> MotionInstant,
    log: @escaping (String) -> Void
  ) {
    self.library = library
    self.audience = audience
    self.gates = gates
    self.clock = clock
    self.log = log
    settings = configuration.animations
    full = AnimationStage(fadeSeconds: configuration.motion.fadeSeconds)
    reduced = full
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
      StatusMessage.Animation(id: $0.id, layer: $0.layer, state: .init($0.state))
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
    for chain in chains {
      deadline = .earlier(deadline, chain.nextBegin)
      // Its owner waits for the ends of the parts.
      if chain.isOwed, chain.owner != nil { deadline = .earlier(deadline, full.nextEvent) }
    }
    return deadline.map { max($0, lastAdvance + period) }
  }

  func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  // MARK: - Playing

  /// Starts an animation for every user.
  ///
  /// - Parameters:
  ///   - owner: Receives its events; `ownerLeft` ends it.
  ///   - part: Which part of a chain it is.
  ///   - since: When it began; nil: now.
  /// - Returns: Its number; nil if `refusal` has a reason.
  @discardableResult
  func start(
    _ animation: ReadyAnimation, _ way: PlayStart = PlayStart(),
    owner: (any AnimationOwner)? = nil, tag: RequestTag? = nil, part: ChainPlace? = nil,
    since: MotionInstant? = nil, at now: MotionInstant
  ) -> UInt64? {
    guard refusal(of: animation, at: now) == nil else { return nil }
    let parts =
      [StaggeredLayer(layer: animation.layer, timeline: animation.timeline)] + animation.followers
    let runs = begin(
      parts, animation.id, on: &full, way, isComplete: isBlocked, since: since, at: now)
    var reducedRuns: [StageRun] = []
    if way.playsReduced {
      let alternative = animation.alternative
      reducedRuns = begin(
        alternative.map { only in
          parts.map { StaggeredLayer(layer: $0.layer, timeline: only) }
        } ?? parts, animation.id, on: &reduced, way, isComplete: isBlocked || alternative == nil,
        since: since, at: now)
    }
    // Layers of the play that this one replaces, unless they play on.
    for play in plays where play.id == animation.id && play.layer == animation.layer {
      for run in play.full.dropFirst() { full.cancel(run, at: now) }
      for run in play.reduced.dropFirst() { reduced.cancel(run, at: now) }
    }
    let number = nextNumber()
    plays.append(
      Play(
        number: number, part: part, id: animation.id, layer: animation.layer, full: runs,
        reduced: reducedRuns, owner: owner, tag: tag, uid: way.uid,
        reducedEnd: reducedRuns.isEmpty
          ? AnimationMessage(id: animation.id, event: .cancelled, position: .start, time: now)
          : nil))
    changed(at: now)
    return number
  }

  /// Starts the layers of an animation on one stage.
  ///
  /// - Parameter isComplete: Whether they are at their end at once; else they are held as `way` requires.
  /// - Returns: Their runs, in the same order.
  private func begin(
    _ parts: [StaggeredLayer], _ id: String, on stage: inout AnimationStage, _ way: PlayStart,
    isComplete: Bool, since: MotionInstant?, at now: MotionInstant
  ) -> [StageRun] {
    parts.map { part in
      let run = stage.start(id, part.timeline, layer: part.layer, since: since, at: now)
      if isComplete {
        stage.complete(run, at: now)
        return run
      }
      // A run that has just begun allows both.
      if way.isPaused { _ = try? stage.perform(.pause, on: run, at: now) }
      if way.pausesAtEnd { _ = try? stage.perform(.pausesAtEnd(true), on: run, at: now) }
      return run
    }
  }

  /// Changes the animations with an id, on one layer or on all.
  ///
  /// - Returns: The state of the newest of them.
  /// - Throws: Why it may not, or why a state does not allow it; nothing has changed.
  func perform(
    _ action: RunAction, on id: String, layer: String?, for client: any AnimationOwner,
    at now: MotionInstant
  ) throws(PlayError) -> AnimationProgress {
    advance(to: now)
    reportEvents(at: now)
    let chosen = plays.filter {
      StageReport.publicID($0.id) == id && (layer == nil || $0.layer == layer)
    }
    guard !chosen.isEmpty else {
      throw PlayError(
        "no animation '\(id)' plays\(layer.map { " on layer '\($0)'" } ?? "")", .noSuchAnimation)
    }
    guard chosen.allSatisfy({ $0.owner === client || $0.uid == client.userID }) else {
      throw PlayError("animation '\(id)' was begun by another user", .denied)
    }
    if case .add(let timeline, _) = action {
      let parts = full.maxRunningParts + reduced.maxRunningParts
      guard parts + 2 * timeline.maxRunningParts <= Self.maxRunningParts else {
        throw PlayError(
          "\(parts) parts of animations play; at most \(Self.maxRunningParts) may", .unavailable)
      }
    }
    // On copies: an error in one of them changes none.
    var (full, reduced) = (full, reduced)
    do throws(AnimatorError) {
      for play in chosen {
        for run in play.full { try full.perform(action, on: run, at: now) }
        for run in play.reduced { try reduced.perform(action, on: run, at: now) }
      }
    } catch {
      throw PlayError("animation '\(id)' \(error.reason(for: action))", .unavailable)
    }
    (self.full, self.reduced) = (full, reduced)
    changed(at: now)
    let newest = chosen[chosen.count - 1]
    let state =
      full.state(of: newest.full[0]) ?? newest.reduced.first.flatMap { reduced.state(of: $0) }
    return state.map { AnimationProgress($0) } ?? AnimationProgress(state: .ended, fraction: 1)
  }

  /// Ends an animation and eases back what it moved.
  func cancel(_ number: UInt64, at now: MotionInstant) {
    guard let play = plays.first(where: { $0.number == number }) else { return }
    for run in play.full { full.cancel(run, at: now) }
    for run in play.reduced { reduced.cancel(run, at: now) }
    changed(at: now)
  }

  /// Ends animations and eases back what they moved.
  ///
  /// - Parameter id: nil stops all of them.
  /// - Returns: Whether anything played or was displaced.
  func stop(id: String?, at now: MotionInstant) -> Bool {
    automatic.stopped(id)
    cancelChains(id: id, at: now)
    let wasThere = full.stop(id: id, at: now)
    let wasThereToo = reduced.stop(id: id, at: now)
    changed(at: now)
    return wasThere || wasThereToo
  }

  /// Ends the animations of an owner whose connection has closed.
  func ownerLeft(_ owner: any AnimationOwner, at now: MotionInstant) {
    for play in plays where play.owner === owner { cancel(play.number, at: now) }
    cancelChains(of: owner, at: now)
  }

  // MARK: - Gates and time

  /// Follows the gates: hides animations, or shows those of the other stage.
  func apply(_ gates: GateBoard, at now: MotionInstant) {
    self.gates = gates
    let isHidden = gates.hidesAnimations
    if isHidden, !isBlocked {
      full.completeAll(at: now)
      reduced.completeAll(at: now)
    }
    isBlocked = isHidden
    for user in audience.users {
      user.animations.turn(
        isHidden: isHidden || gates.hidesAnimations(of: user.uid), atOnce: gates.isInhibited,
        isReduced: gates.reducesMotion(of: user.uid), at: now)
    }
    changed(at: now)
    catchUp(at: now)
  }

  func setFade(seconds: Double) {
    full.setFade(seconds: seconds)
    reduced.setFade(seconds: seconds)
    for user in audience.users { user.animations.setFade(seconds: seconds) }
  }

  /// The view of a user who connects now.
  func view(
    for uid: UInt32, fadeSeconds: Double, at now: MotionInstant
  ) -> AnimationView {
    advance(to: now)
    reportEvents(at: now)
    var view = AnimationView(
      isHidden: isBlocked || gates.hidesAnimations(of: uid),
      isReduced: gates.reducesMotion(of: uid), fadeSeconds: fadeSeconds)
    view.owed = plays.filter { $0.part == nil && $0.end(isReduced: view.isReduced) == nil }
      .map(\.number)
    view.owed += chains.filter { $0.begun > 0 }.map(\.number)
    view.update(full, reduced, at: now)
    return view
  }

  /// Moves every animation to the time of a frame.
  func advance(to time: MotionInstant) {
    guard isVisible || wasVisible || !chains.isEmpty, time > lastAdvance else { return }
    lastAdvance = time
    full.advance(to: time)
    reduced.advance(to: time)
    if !chains.isEmpty { advanceChains(to: time) }
    for user in audience.users { user.animations.update(full, reduced, at: time) }
    wasVisible = isVisible
  }

  /// Shows a change that does not wait for a frame.
  private func changed(at now: MotionInstant) {
    lastAdvance = max(lastAdvance, now)
    if isVisible || wasVisible || !plays.isEmpty {
      for user in audience.users {
        user.animations.touch()
        user.animations.update(full, reduced, at: now)
      }
    }
    wasVisible = isVisible
    reportEvents(at: now)
  }

  // MARK: - Events

  /// Reports what has happened on the stages since the last call.
  func reportEvents(at now: MotionInstant) {
    takeReports(at: now)
    if !chains.isEmpty { advanceChains(to: now) }
  }

  /// Reports what has happened on the stages, without the chains.
  func takeReports(at now: MotionInstant) {
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
    var others =
      full.maxRunningParts(without: id, layer: layer)
      + reduced.maxRunningParts(without: id, layer: layer)
    var own =
      animation.timeline.maxRunningParts + (animation.alternative?.maxRunningParts ?? 0)
    for follower in animation.followers {
      own +=
        follower.timeline.maxRunningParts + (animation.alternative?.maxRunningParts ?? 0)
      // What it replaces on that layer.
      others -= full.runningParts(of: id, layer: follower.layer)
      others -= reduced.runningParts(of: id, layer: follower.layer)
    }
    guard others > 0, others + own > Self.maxRunningParts else { return nil }
    return "up to \(own) parts of this animation and \(others) of those that play would run at the "
      + "same time; at most \(Self.maxRunningParts) may; stop one first"
  }

  private func report(_ event: StageReport, isReduced: Bool, at now: MotionInstant) {
    guard
      let index = plays.firstIndex(where: {
        (isReduced ? $0.reduced : $0.full).first == event.run
      })
    else { return }
    let message = AnimationMessage(event)
    let number = plays[index].number
    if message.isEnd {
      if isReduced { plays[index].reducedEnd = message } else { plays[index].fullEnd = message }
    }
    if let place = plays[index].part {
      if message.isEnd, !isReduced, chains.contains(where: { $0.number == place.chain }) {
        partEnds[number] = event.time
      }
      reportPart(message, place, isReduced: isReduced, at: now)
      return
    }
    for user in audience.users where user.animations.isReduced == isReduced {
      report(message, of: number, to: user, at: now)
    }
    if let owner = plays[index].owner, self.isReduced(owner) == isReduced {
      report(message, at: index, to: owner, at: now)
    }
  }

  // MARK: - Events of chains

  /// Reports the start or the end of a chain.
  func reportChain(_ message: AnimationMessage, of number: UInt64, at now: MotionInstant) {
    for user in audience.users { report(message, of: number, to: user, at: now) }
    guard let index = chains.firstIndex(where: { $0.number == number }),
      let owner = chains[index].owner,
      chains[index].isOwed != (message.event == .started)
    else { return }
    chains[index].isOwed = !message.isEnd
    owner.animationChanged(message, tag: chains[index].tag, isOver: message.isEnd, at: now)
  }

  /// Reports an event of a part to those who see it, as one of its chain.
  private func reportPart(
    _ message: AnimationMessage, _ place: ChainPlace, isReduced: Bool, at now: MotionInstant
  ) {
    guard let chain = chains.first(where: { $0.number == place.chain }),
      var message = message.ofPart(place.part, chain: chain.id)
    else { return }
    // The stage reports the frame that shows it first.
    if message.event == .partStarted { message.time = chain.lastBegin ?? message.time }
    for user in audience.users
    where user.animations.isReduced == isReduced && user.animations.owed.contains(chain.number) {
      stream?.animationChanged(message, for: user, at: now)
    }
    if let owner = chain.owner, chain.isOwed, self.isReduced(owner) == isReduced {
      owner.animationChanged(message, tag: chain.tag, isOver: false, at: now)
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
    stream?.animationChanged(message, for: user, at: now)
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
    for index in plays.indices where plays[index].part == nil {
      let number = plays[index].number
      for user in audience.users {
        guard let end = plays[index].end(isReduced: user.animations.isReduced) else { continue }
        report(end, of: number, to: user, at: now)
      }
      if let owner = plays[index].owner, let end = plays[index].end(isReduced: isReduced(owner)) {
        report(end, at: index, to: owner, at: now)
      }
    }
  }

  private func isReduced(_ owner: any AnimationOwner) -> Bool {
    gates.reducesMotion(of: owner.userID)
  }
}
