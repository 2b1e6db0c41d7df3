/// Everything that plays: which animation on which layer since when, what finished ones have left, and
/// what is to be told of it. Pure; the times given must not go back. A frame allocates nothing.
///
/// Everything adds: a run adds the difference between its pose and the one that its layer had where it
/// began. What it leaves stays until `stop`.
package struct AnimationStage: Sendable {
  /// How the layers stand since the last call of `advance`; layers that nothing moves are not there.
  package private(set) var layers: [StageLayer] = []

  private var fadeNanoseconds: Int64
  private var now = Int64.min
  private var running: [StageRunning] = []
  private var left: [StageLeft] = []
  private var fading: [StageFading] = []
  private var reports: [StageReport] = []
  private var runsStarted: UInt64 = 0

  /// - Parameter fadeSeconds: how long what is cancelled takes back to where it was.
  package init(fadeSeconds: Double) {
    fadeNanoseconds = Int64((fadeSeconds * 1e9).rounded())
  }

  /// Applies to what is cancelled afterwards.
  package mutating func setFade(seconds: Double) {
    fadeNanoseconds = Int64((seconds * 1e9).rounded())
  }

  // -- What is asked of it

  /// Whether something moves or waits to.
  package var isMoving: Bool { !running.isEmpty || !fading.isEmpty }

  package var runCount: Int { running.count }

  package func isRunning(_ run: StageRun) -> Bool { running.contains { $0.run == run } }

  /// The next time when something will be told, should nobody ask for frames; nil: never.
  package var nextEventNanoseconds: Int64? {
    var next: Int64?
    for running in running {
      guard let event = running.nextEventNanoseconds(after: now) else { continue }
      next = min(next ?? event, event)
    }
    return next
  }

  /// How a layer stands; nil where nothing moves it.
  package func layer(_ name: String?) -> StageLayer? {
    var index = 0
    while index < layers.count {
      if layers[index].name == name { return layers[index] }
      index += 1
    }
    return nil
  }

  /// What plays, and what has ended and left something, in that order.
  package var contents: [StageContent] {
    running.map { StageContent(id: $0.id, layer: $0.layer, isRunning: true) }
      + left.compactMap { one in
        guard let id = one.id else { return nil }
        return StageContent(id: id, layer: one.layer, isRunning: false)
      }
  }

  /// What has happened since the last call.
  package mutating func takeReports() -> [StageReport] {
    if reports.isEmpty { return [] }
    defer { reports = [] }
    return reports
  }

  // -- What happens

  /// Begins an animation on a layer, from how that stands.
  ///
  /// The same id on the same layer again takes over from the run before: same targets, from where it
  /// is; springs keep their speed.
  @discardableResult
  package mutating func start(
    _ id: String, _ timeline: Timeline, layer: String?, atNanoseconds time: Int64
  ) -> StageRun {
    advance(toNanoseconds: time)
    runsStarted += 1
    let run = StageRun(number: runsStarted)
    var base = standing(layer)
    var carry: StageCarry?
    if let index = running.firstIndex(where: { $0.id == id && $0.layer == layer }) {
      let former = running.remove(at: index)
      reports.append(StageReport(run: former.run, id: id, event: .cancelled(.current)))
      base = former.base
      let begins = timeline.pose(at: 0, from: base) - base
      if let step = timeline.firstStep {
        carry = StageCarry(
          difference: former.difference(atNanoseconds: now) - begins,
          velocity: former.velocity(atNanoseconds: now), curve: step.curve,
          durationSeconds: step.durationSeconds)
      }
    }
    running.append(
      StageRunning(
        run: run, id: id, layer: layer, timeline: timeline, startNanoseconds: now, base: base,
        carry: carry))
    reports.append(StageReport(run: run, id: id, event: .started))
    // An empty one ends at once.
    advance(toNanoseconds: now)
    return run
  }

  /// Takes a run to its end at once.
  package mutating func complete(_ run: StageRun, atNanoseconds time: Int64) {
    advance(toNanoseconds: time)
    guard let index = running.firstIndex(where: { $0.run == run }) else { return }
    finish(running.remove(at: index))
    stand()
  }

  /// Takes every run to its end, as it must be when the gate closes: the picture stands while the gate
  /// fades it out, and is at the end when it comes back.
  package mutating func completeAll(atNanoseconds time: Int64) {
    advance(toNanoseconds: time)
    for run in running {
      fade(
        run.layer, run.difference(atNanoseconds: now) - run.endDifference, run.timeline.channels,
        since: now + fadeNanoseconds)
      finish(run)
    }
    running = []
    stand()
  }

  /// Ends a run and eases what it has moved back to where it began.
  package mutating func cancel(_ run: StageRun, atNanoseconds time: Int64) {
    advance(toNanoseconds: time)
    guard let index = running.firstIndex(where: { $0.run == run }) else { return }
    takeBack(running.remove(at: index))
    stand()
  }

  /// Ends the runs of an animation, or all of them, and eases back what they moved, and what finished
  /// ones have left.
  ///
  /// - Returns: whether there was something.
  @discardableResult
  package mutating func stop(id: String?, atNanoseconds time: Int64) -> Bool {
    advance(toNanoseconds: time)
    let ended = running.filter { id == nil || $0.id == id }
    let gone = left.filter { id == nil || $0.id == id }
    running.removeAll { id == nil || $0.id == id }
    left.removeAll { id == nil || $0.id == id }
    for run in ended { takeBack(run) }
    for one in gone { fade(one.layer, one.difference, one.channels, since: now) }
    stand()
    return !ended.isEmpty || !gone.isEmpty
  }

  /// Moves everything to a time.
  package mutating func advance(toNanoseconds time: Int64) {
    now = max(now, time)
    var index = 0
    while index < running.count {
      let ended = running[index].stepsEnded(atNanoseconds: now)
      if ended > running[index].stepsTold {
        running[index].stepsTold = ended
        reports.append(
          StageReport(run: running[index].run, id: running[index].id, event: .step))
      }
      if let end = running[index].endNanoseconds, end <= now {
        finish(running.remove(at: index))
      } else {
        index += 1
      }
    }
    index = 0
    while index < fading.count {
      if fading[index].endNanoseconds <= now { fading.remove(at: index) } else { index += 1 }
    }
    stand()
  }

  // -- The ends of runs

  private mutating func finish(_ run: StageRunning) {
    reports.append(StageReport(run: run.run, id: run.id, event: .completed(.end)))
    let difference = run.endDifference
    guard difference != .zero else { return }
    if let index = left.firstIndex(where: { $0.id == run.id && $0.layer == run.layer }) {
      left[index].difference = left[index].difference + difference
      left[index].channels.formUnion(run.timeline.channels)
      return
    }
    left.append(
      StageLeft(
        id: run.id, layer: run.layer, difference: difference, channels: run.timeline.channels))
    if left.count > Self.leftLimit { forgetTheOldest() }
  }

  /// Whoever starts a new id for every nudge must not fill the memory.
  private static let leftLimit = 64

  /// What the oldest left becomes nobody's, beside what else lies on its layer: only `stop` without an
  /// id takes it back. Alone on its layer it is eased away.
  private mutating func forgetTheOldest() {
    let oldest = left.removeFirst()
    guard let index = left.firstIndex(where: { $0.layer == oldest.layer }) else {
      return fade(oldest.layer, oldest.difference, oldest.channels, since: now)
    }
    left[index] = StageLeft(
      id: nil, layer: oldest.layer, difference: left[index].difference + oldest.difference,
      channels: left[index].channels.union(oldest.channels))
  }

  private mutating func takeBack(_ run: StageRunning) {
    reports.append(StageReport(run: run.run, id: run.id, event: .cancelled(.start)))
    fade(run.layer, run.difference(atNanoseconds: now), run.timeline.channels, since: now)
  }

  private mutating func fade(
    _ layer: String?, _ difference: Pose, _ channels: PoseChannels, since: Int64
  ) {
    guard fadeNanoseconds > 0, difference != .zero else { return }
    fading.append(
      StageFading(
        layer: layer, difference: difference, channels: channels, sinceNanoseconds: since,
        durationNanoseconds: fadeNanoseconds))
  }

  // -- The sums

  /// How a layer stands for good: where an animation that begins now begins.
  private func standing(_ layer: String?) -> Pose {
    var pose = Pose.rest
    for one in left where one.layer == layer { pose = pose + one.difference }
    return pose
  }

  // Indices, not iterators: without optimisation those allocate, and the test that shows that a frame
  // does not runs there too.
  private mutating func stand() {
    var index = 0
    while index < layers.count {
      layers[index].pose = .rest
      layers[index].channels = []
      index += 1
    }
    index = 0
    while index < left.count {
      add(left[index].layer, left[index].difference, left[index].channels)
      index += 1
    }
    index = 0
    while index < fading.count {
      let difference = fading[index].difference(atNanoseconds: now)
      add(fading[index].layer, difference, fading[index].channels)
      index += 1
    }
    index = 0
    while index < running.count {
      let difference = running[index].difference(atNanoseconds: now)
      add(running[index].layer, difference, running[index].timeline.channels)
      index += 1
    }
    index = 0
    while index < layers.count {
      if layers[index].channels == [] {
        layers.remove(at: index)
      } else {
        layers[index].pose = layers[index].pose.limited
        index += 1
      }
    }
  }

  private mutating func add(_ layer: String?, _ difference: Pose, _ channels: PoseChannels) {
    var index = 0
    while index < layers.count {
      if layers[index].name == layer {
        layers[index].pose = layers[index].pose + difference
        layers[index].channels.formUnion(channels)
        return
      }
      index += 1
    }
    layers.append(StageLayer(name: layer, pose: .rest + difference, channels: channels))
  }
}

extension Pose {
  /// Farther than any screen; what repeats long enough must stay a number.
  private static let farthest = 1e9

  fileprivate var limited: Pose {
    var pose = combined(with: self) { value, _ in
      value.isNaN ? 0 : min(max(value, -Self.farthest), Self.farthest)
    }
    pose.opacity = min(max(pose.opacity, 0), 1)
    return pose
  }
}
