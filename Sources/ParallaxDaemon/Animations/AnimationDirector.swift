import ParallaxAnimation
import ParallaxMotion
import ParallaxWire

/// What plays: on one stage for everybody and on another for who wants less motion, moved by the hub's
/// frames, told to whoever listens. Like the hub it knows no clock and waits for nothing.
package final class AnimationDirector {
  /// Animations at a time.
  package static let limit = 32

  private(set) var full: AnimationStage
  private(set) var reduced: AnimationStage
  private(set) var plays: [Play] = []
  /// Whether the gate takes every animation to its end at once.
  private(set) var isBlocked = false
  private var lastNumber: UInt64 = 0
  private var lastAdvance = Int64.min

  let library: AnimationLibrary
  unowned let hub: MotionHub
  var occasions = Occasions()

  init(hub: MotionHub, documents: any DocumentSource, fadeSeconds: Double) {
    self.hub = hub
    library = AnimationLibrary(documents)
    full = AnimationStage(fadeSeconds: fadeSeconds)
    reduced = AnimationStage(fadeSeconds: fadeSeconds)
    library.hasLayer = { [weak hub] in hub?.hasLayer($0) ?? false }
  }

  // -- What is asked of it

  /// Whether frames have something of animations in them.
  var isVisible: Bool { full.isPresent || reduced.isPresent }

  /// Whether a single layer is moved by an animation of its own.
  var movesLayers: Bool { full.movesLayers || reduced.movesLayers }

  /// What is added to a layer of a user's in place of what is added to all; nil: nothing of its own.
  func overlay(ofLayer name: String, for user: UserState) -> OffsetOverlay? {
    user.animations.overlay(ofLayer: name, full, reduced)
  }

  /// What plays and what ended ones have left, for STATUS.
  func playing(atNanoseconds now: Int64) -> [StatusMessage.Playing] {
    advance(toNanoseconds: now)
    tell(atNanoseconds: now)
    return full.contents.map {
      StatusMessage.Playing(id: $0.id, layer: $0.layer, state: $0.isRunning ? .playing : .ended)
    }
  }

  /// When somebody is to be told something, though nobody sees a frame; nil: not before something else
  /// happens. No more often than there would be frames.
  func deadlineNanoseconds(framePeriodNanoseconds period: Int64) -> Int64? {
    var deadline: Int64?
    for play in plays where play.isOwed {
      guard let owner = play.owner else { continue }
      let stage = isReduced(owner) ? reduced : full
      deadline = earlier(deadline, stage.nextEventNanoseconds)
    }
    return deadline.map { max($0, lastAdvance + period) }
  }

  // -- What is played

  /// Begins an animation for everybody.
  ///
  /// - Parameters:
  ///   - playsReduced: whether who wants less motion has any part in it.
  ///   - owner: hears of it, and ends it by `ownerLeft`.
  /// - Returns: its number; nil where too many play.
  @discardableResult
  func start(
    _ animation: ReadyAnimation, playsReduced: Bool = true,
    owner: (any AnimationOwner)? = nil, tag: RequestTag? = nil, atNanoseconds now: Int64
  ) -> UInt64? {
    advance(toNanoseconds: now)
    tell(atNanoseconds: now)
    guard hasRoom(for: animation) else { return nil }
    let run = full.start(
      animation.id, animation.timeline, layer: animation.layer, atNanoseconds: now)
    if isBlocked { full.complete(run, atNanoseconds: now) }
    var other: StageRun?
    if playsReduced {
      let run = reduced.start(
        animation.id, animation.alternative ?? animation.timeline, layer: animation.layer,
        atNanoseconds: now)
      if isBlocked || animation.alternative == nil { reduced.complete(run, atNanoseconds: now) }
      other = run
    }
    lastNumber += 1
    plays.append(
      Play(
        number: lastNumber, id: animation.id, layer: animation.layer, full: run, reduced: other,
        owner: owner, tag: tag,
        reducedEnd: other == nil
          ? AnimationMessage(id: animation.id, event: .cancelled, position: .start) : nil))
    changed(atNanoseconds: now)
    return lastNumber
  }

  /// Ends one animation and eases what it moved back.
  func cancel(_ number: UInt64, atNanoseconds now: Int64) {
    guard let play = plays.first(where: { $0.number == number }) else { return }
    full.cancel(play.full, atNanoseconds: now)
    if let run = play.reduced { reduced.cancel(run, atNanoseconds: now) }
    changed(atNanoseconds: now)
  }

  /// Ends animations and takes back what ended ones have left; nil: all of them.
  ///
  /// - Returns: whether there was something.
  func stop(id: String?, atNanoseconds now: Int64) -> Bool {
    occasions.stopped(id)
    let wasThere = full.stop(id: id, atNanoseconds: now)
    let wasThereToo = reduced.stop(id: id, atNanoseconds: now)
    changed(atNanoseconds: now)
    return wasThere || wasThereToo
  }

  /// Whoever began them has gone.
  func ownerLeft(_ owner: any AnimationOwner, atNanoseconds now: Int64) {
    for play in plays where play.owner === owner { cancel(play.number, atNanoseconds: now) }
  }

  // -- What the hub tells

  /// The reasons of the gate changed, or may have.
  func gatesChanged(atNanoseconds now: Int64) {
    let isHidden = hub.gates.hidesAnimations
    if isHidden, !isBlocked {
      full.completeAll(atNanoseconds: now)
      reduced.completeAll(atNanoseconds: now)
    }
    isBlocked = isHidden
    let atOnce = !hub.gates.globalReasons.isDisjoint(with: .inhibit)
    for user in hub.users {
      user.animations.turn(
        isHidden: isHidden || hub.gates.hidesAnimations(of: user.uid), atOnce: atOnce,
        isReduced: hub.gates.reducesMotion(of: user.uid), atNanoseconds: now)
    }
    changed(atNanoseconds: now)
    catchUp(atNanoseconds: now)
  }

  func setFade(seconds: Double) {
    full.setFade(seconds: seconds)
    reduced.setFade(seconds: seconds)
    for user in hub.users { user.animations.setFade(seconds: seconds) }
  }

  /// What a user who comes now sees.
  func view(for uid: UInt32, atNanoseconds now: Int64) -> AnimationView {
    advance(toNanoseconds: now)
    tell(atNanoseconds: now)
    var view = AnimationView(
      isHidden: isBlocked || hub.gates.hidesAnimations(of: uid),
      isReduced: hub.gates.reducesMotion(of: uid),
      fadeSeconds: hub.configuration.motion.fadeSeconds)
    view.owed = plays.filter { $0.end(isReduced: view.isReduced) == nil }.map(\.number)
    view.update(full, reduced, atNanoseconds: now)
    return view
  }

  /// Moves everything to the time of a frame.
  func advance(toNanoseconds time: Int64) {
    guard isVisible, time > lastAdvance else { return }
    lastAdvance = time
    full.advance(toNanoseconds: time)
    reduced.advance(toNanoseconds: time)
    var index = 0
    while index < hub.users.count {
      hub.users[index].animations.update(full, reduced, atNanoseconds: time)
      index += 1
    }
  }

  /// The picture changed at once.
  private func changed(atNanoseconds now: Int64) {
    lastAdvance = max(lastAdvance, now)
    if isVisible || !plays.isEmpty {
      for user in hub.users {
        user.animations.touch()
        user.animations.update(full, reduced, atNanoseconds: now)
      }
    }
    tell(atNanoseconds: now)
  }

  // -- Who hears what

  /// Tells what has happened on the stages since the last time.
  func tell(atNanoseconds now: Int64) {
    let news = full.takeReports()
    let otherNews = reduced.takeReports()
    if news.isEmpty, otherNews.isEmpty { return }
    for report in news { tell(report, isReduced: false, atNanoseconds: now) }
    for report in otherNews { tell(report, isReduced: true, atNanoseconds: now) }
    plays.removeAll(where: \.isOver)
  }

  /// Whether one more may play.
  func hasRoom(for animation: ReadyAnimation) -> Bool {
    plays.count < Self.limit
      || plays.contains { $0.id == animation.id && $0.layer == animation.layer }
  }

  private func tell(_ report: StageReport, isReduced: Bool, atNanoseconds now: Int64) {
    guard
      let index = plays.firstIndex(where: {
        (isReduced ? $0.reduced : $0.full) == report.run
      })
    else { return }
    let message = AnimationMessage(report)
    let number = plays[index].number
    if message.isEnd {
      if isReduced { plays[index].reducedEnd = message } else { plays[index].fullEnd = message }
    }
    for user in hub.users where user.animations.isReduced == isReduced {
      tell(message, of: number, to: user, atNanoseconds: now)
    }
    if let owner = plays[index].owner, self.isReduced(owner) == isReduced {
      tell(message, at: index, to: owner, atNanoseconds: now)
    }
  }

  private func tell(
    _ message: AnimationMessage, of number: UInt64, to user: UserState, atNanoseconds now: Int64
  ) {
    if message.event == .started {
      user.animations.owed.append(number)
    } else {
      guard let place = user.animations.owed.firstIndex(of: number) else { return }
      if message.isEnd { user.animations.owed.remove(at: place) }
    }
    hub.audience?.animationChanged(message, for: user, atNanoseconds: now)
  }

  private func tell(
    _ message: AnimationMessage, at index: Int, to owner: any AnimationOwner,
    atNanoseconds now: Int64
  ) {
    guard plays[index].isOwed != (message.event == .started) else { return }
    plays[index].isOwed = !message.isEnd
    owner.animationChanged(
      message, tag: plays[index].tag, isOver: message.isEnd, atNanoseconds: now)
  }

  /// Who sees the other stage from now on hears what has ended there already.
  private func catchUp(atNanoseconds now: Int64) {
    for index in plays.indices {
      let number = plays[index].number
      for user in hub.users {
        guard let end = plays[index].end(isReduced: user.animations.isReduced) else { continue }
        tell(end, of: number, to: user, atNanoseconds: now)
      }
      if let owner = plays[index].owner, let end = plays[index].end(isReduced: isReduced(owner)) {
        tell(end, at: index, to: owner, atNanoseconds: now)
      }
    }
  }

  private func isReduced(_ owner: any AnimationOwner) -> Bool {
    hub.gates.reducesMotion(of: owner.userID)
  }
}
