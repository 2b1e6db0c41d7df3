// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// The running animations, the poses that ended ones have left, and the events to report. Pure;
/// time must not go back. A frame does not allocate.
///
/// Animations add up: a run adds the difference between its pose and the pose of its layer at its
/// start. What it leaves stays until `stop`.
package struct AnimationStage: Sendable {
  /// The poses of the layers at the last call of `advance`, without layers that are not animated.
  package private(set) var layers: [StageLayer] = []

  private var fadeDuration: MotionDuration
  private var now = MotionInstant.distantPast
  private var running: [ActiveRun] = []
  private var retained: [RetainedPose] = []
  private var fading: [FadingPose] = []
  private var reports: [StageReport] = []
  private var runsStarted: UInt64 = 0

  /// - Parameter fadeSeconds: Duration for which a cancelled animation eases back to its start.
  package init(fadeSeconds: Double) {
    fadeDuration = MotionDuration(seconds: fadeSeconds)
  }

  /// Sets the fade for animations that are cancelled afterwards.
  package mutating func setFade(seconds: Double) {
    fadeDuration = MotionDuration(seconds: seconds)
  }

  // MARK: - State

  /// Whether an animation runs, waits to run or fades.
  package var isMoving: Bool {
    !fading.isEmpty || running.contains { $0.isMoving }
  }

  /// Returns how many parts may run at the same time, without those of an animation that another start
  /// of it would end.
  package func maxRunningParts(without id: String, layer: String?) -> Int {
    running.reduce(0) { sum, run in
      run.id == id && run.layer == layer ? sum : sum + run.maxRunningParts
    }
  }

  /// Returns how many parts of an animation on one layer may run at the same time.
  package func runningParts(of id: String, layer: String?) -> Int {
    running.reduce(0) { sum, run in
      run.id == id && run.layer == layer ? sum + run.maxRunningParts : sum
    }
  }

  /// The most parts that run at the same time.
  package var maxRunningParts: Int { running.reduce(0) { $0 + $1.maxRunningParts } }

  /// The time of the next event if no frames are requested; nil if there is none.
  package var nextEvent: MotionInstant? {
    var next: MotionInstant?
    for running in running { next = MotionInstant.earlier(next, running.nextEvent(after: now)) }
    return next
  }

  /// Returns the pose of a layer; nil if it is not animated.
  package func layer(_ name: String?) -> StageLayer? {
    layers.first { $0.name == name }
  }

  /// The running animations, then the ended ones with a retained pose.
  package var contents: [StageContent] {
    running.map {
      StageContent(id: StageReport.publicID($0.id), layer: $0.layer, state: $0.state(at: now))
    }
      + retained.compactMap { pose in
        guard let id = pose.id else { return nil }
        return StageContent(id: StageReport.publicID(id), layer: pose.layer, state: nil)
      }
  }

  /// Returns the events since the last call.
  package mutating func takeReports() -> [StageReport] {
    if reports.isEmpty { return [] }
    defer { reports = [] }
    return reports
  }

  // MARK: - Runs

  /// Starts an animation on a layer, from the layer's current resting pose.
  ///
  /// If the same id already runs on the same layer, the new run takes over: same targets, from the
  /// current position; springs keep their velocity.
  ///
  /// - Parameter since: When it began, if that is before now.
  @discardableResult
  package mutating func start(
    _ id: String, _ timeline: Timeline<Pose>, layer: String?, since: MotionInstant? = nil,
    at time: MotionInstant
  ) -> StageRun {
    advance(to: time)
    runsStarted += 1
    let run = StageRun(number: runsStarted)
    var base = restingPose(of: layer)
    var carry: CarriedMotion?
    if let index = running.firstIndex(where: { $0.id == id && $0.layer == layer }) {
      let previous = running.remove(at: index)
      reports.append(StageReport(run: previous.run, id: id, event: .cancelled(.current), time: now))
      base = previous.base
      let jump = timeline.pose(at: 0, from: base) - base
      if let step = timeline.firstStep {
        carry = CarriedMotion(
          difference: previous.difference(at: now) - jump,
          velocity: previous.velocity(at: now), curve: step.curve,
          durationSeconds: step.durationSeconds)
      }
    }
    running.append(
      ActiveRun(
        run: run, id: id, layer: layer, timeline: timeline, start: min(since ?? now, now),
        base: base,
        carry: carry))
    reports.append(StageReport(run: run, id: id, event: .started, time: now))
    // An empty animation ends at once.
    advance(to: now)
    return run
  }

  /// Returns the state of a run; nil if it has ended.
  package func state(of run: StageRun) -> RunState? {
    running.first { $0.run == run }?.state(at: now)
  }

  /// Performs an action on a run.
  ///
  /// - Returns: Whether the run plays; if it has ended, nothing happens.
  /// - Throws: `AnimatorError` if its state does not allow the action; nothing has changed.
  @discardableResult
  package mutating func perform(
    _ action: RunAction, on run: StageRun, at time: MotionInstant
  ) throws(AnimatorError) -> Bool {
    advance(to: time)
    guard let index = running.firstIndex(where: { $0.run == run }) else { return false }
    if let ending = try running[index].perform(action, at: now) {
      finish(running.remove(at: index), at: ending)
    }
    // It may be at its end already.
    advance(to: now)
    return true
  }

  /// Moves a run to its end at once.
  package mutating func complete(_ run: StageRun, at time: MotionInstant) {
    advance(to: time)
    guard let index = running.firstIndex(where: { $0.run == run }) else { return }
    finish(running.remove(at: index), at: .end)
    updateLayers()
  }

  /// Moves every run to its end, as a closing gate requires: the picture freezes while the gate
  /// fades it out, and is at the end when it returns.
  package mutating func completeAll(at time: MotionInstant) {
    advance(to: time)
    for run in running {
      fade(
        run.layer, run.difference(at: now) - run.endDifference, run.timeline.channels,
        since: now + fadeDuration)
      finish(run, at: .end)
    }
    running = []
    updateLayers()
  }

  /// Ends a run and eases its layer back to the pose before it.
  package mutating func cancel(_ run: StageRun, at time: MotionInstant) {
    advance(to: time)
    guard let index = running.firstIndex(where: { $0.run == run }) else { return }
    revert(running.remove(at: index))
    updateLayers()
  }

  /// Ends the runs of an animation, or all runs, and eases back what they and the ended ones have
  /// moved.
  ///
  /// - Returns: Whether there was anything to stop.
  @discardableResult
  package mutating func stop(id: String?, at time: MotionInstant) -> Bool {
    advance(to: time)
    func isMeant(_ other: String?) -> Bool {
      id == nil || other.map(StageReport.publicID) == id
    }
    let ended = running.filter { isMeant($0.id) }
    let removed = retained.filter { isMeant($0.id) }
    running.removeAll { isMeant($0.id) }
    retained.removeAll { isMeant($0.id) }
    for run in ended { revert(run) }
    for pose in removed { fade(pose.layer, pose.difference, pose.channels, since: now) }
    updateLayers()
    return !ended.isEmpty || !removed.isEmpty
  }

  /// Moves all animations to a time.
  package mutating func advance(to time: MotionInstant) {
    now = max(now, time)
    var index = 0
    while index < running.count {
      let ended = running[index].stepsEnded(at: now)
      if ended > running[index].reportedSteps {
        running[index].reportedSteps = ended
        reports.append(
          StageReport(run: running[index].run, id: running[index].id, event: .step, time: now))
      }
      let end = running[index].end
      if let ending = running[index].advance(to: now) {
        finish(running.remove(at: index), at: ending, time: end)
      } else {
        if let state = running[index].changedState(at: now) {
          reports.append(
            StageReport(
              run: running[index].run, id: running[index].id, event: .changed(state), time: now))
        }
        index += 1
      }
    }
    fading.removeAll { $0.end <= now }
    updateLayers()
  }

  // MARK: - Ends of runs

  private mutating func finish(
    _ run: ActiveRun, at position: AnimationPosition, time end: MotionInstant? = nil
  ) {
    reports.append(
      StageReport(run: run.run, id: run.id, event: .completed(position), time: min(end ?? now, now))
    )
    let difference = run.difference(endedAt: position)
    guard difference != .zero else { return }
    if let index = retained.firstIndex(where: { $0.id == run.id && $0.layer == run.layer }) {
      retained[index].difference = retained[index].difference + difference
      retained[index].channels.formUnion(run.timeline.channels)
      return
    }
    retained.append(
      RetainedPose(
        id: run.id, layer: run.layer, difference: difference, channels: run.timeline.channels))
    if retained.count > Self.maxRetained { mergeOldestRetained() }
  }

  /// Bounds the memory of a client that uses a new id for every nudge.
  private static let maxRetained = 64

  /// Merges the oldest retained pose into another one on its layer. The sum has no id, so only
  /// `stop` without an id reverts it. If it is the only one on its layer, it fades out.
  private mutating func mergeOldestRetained() {
    let oldest = retained.removeFirst()
    guard let index = retained.firstIndex(where: { $0.layer == oldest.layer }) else {
      return fade(oldest.layer, oldest.difference, oldest.channels, since: now)
    }
    retained[index] = RetainedPose(
      id: nil, layer: oldest.layer, difference: retained[index].difference + oldest.difference,
      channels: retained[index].channels.union(oldest.channels))
  }

  private mutating func revert(_ run: ActiveRun) {
    reports.append(StageReport(run: run.run, id: run.id, event: .cancelled(.start), time: now))
    fade(run.layer, run.difference(at: now), run.timeline.channels, since: now)
  }

  private mutating func fade(
    _ layer: String?, _ difference: Pose, _ channels: PoseChannels, since: MotionInstant
  ) {
    guard fadeDuration > .zero, difference != .zero else { return }
    fading.append(
      FadingPose(
        layer: layer, difference: difference, channels: channels, since: since,
        duration: fadeDuration))
  }

  // MARK: - Sums per layer

  /// Returns the pose of a layer without the runs: the start of an animation that starts now.
  private func restingPose(of layer: String?) -> Pose {
    var pose = Pose.rest
    for other in retained where other.layer == layer { pose = pose + other.difference }
    return pose
  }

  private mutating func updateLayers() {
    for index in layers.indices {
      layers[index].pose = .rest
      layers[index].channels = []
    }
    for pose in retained { add(pose.layer, pose.difference, pose.channels) }
    for fade in fading { add(fade.layer, fade.difference(at: now), fade.channels) }
    for run in running { add(run.layer, run.difference(at: now), run.timeline.channels) }
    layers.removeAll { $0.channels == [] }
    for index in layers.indices { layers[index].pose = layers[index].pose.limited }
  }

  private mutating func add(_ layer: String?, _ difference: Pose, _ channels: PoseChannels) {
    for index in layers.indices where layers[index].name == layer {
      layers[index].pose = layers[index].pose + difference
      layers[index].channels.formUnion(channels)
      return
    }
    layers.append(StageLayer(name: layer, pose: .rest + difference, channels: channels))
  }
}

extension Pose {
  /// Farther than any screen. A long repetition stays finite.
  private static let limit = 1e9

  fileprivate var limited: Pose {
    var pose = combined(with: self) { value, _ in
      value.isNaN ? 0 : min(max(value, -Self.limit), Self.limit)
    }
    pose.opacity = min(max(pose.opacity, 0), 1)
    return pose
  }
}
