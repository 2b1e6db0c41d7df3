// SPDX-License-Identifier: Apache-2.0

/// A compiled animation: the value at any time, in any order, without allocation.
///
/// The duration and the effect of each part are known in advance. Finding a time is therefore a
/// descent, by division through a repetition and by bisection through a sequence. A frame costs as
/// much as the depth of the animation and the number of parallel parts at that time.
public struct Timeline<Value: Animatable>: Sendable {
  /// The duration; nil if a part repeats forever.
  public var duration: Duration? {
    durationSeconds < .infinity ? Duration(clampingSeconds: durationSeconds) : nil
  }

  /// In seconds; `.infinity` if a part repeats forever.
  package let durationSeconds: Double
  /// The most parts that run at the same time: what a frame costs.
  package let maxRunningParts: Int

  let nodes: [TimelineNode<Value>]
  /// The children of sequences and parallels, contiguous for each node.
  let links: [TimelineLink<Value>]
  let steps: [TimelineStep<Value>]
  let keyframes: [Value._Model.Track]
  let tracks: [AnimationTrackReference<Value>]
  /// What undoes the children of reversed nodes.
  let undos: [Value._Model.Map]
  /// The nodes of labels.
  let labels: [String: Int]

  /// Compiles an animation.
  public init(_ animation: ValueAnimation<Value>) { self.init(compiling: animation) }

  @_specialize(where Value == Pose)
  fileprivate init(compiling animation: ValueAnimation<Value>) {
    var compiler = TimelineCompiler<Value>()
    compiler.root(animation)
    nodes = compiler.nodes
    links = compiler.links
    steps = compiler.steps
    keyframes = compiler.keyframes
    tracks = compiler.tracks
    undos = compiler.undos
    labels = compiler.labels
    durationSeconds = nodes[nodes.count - 1].durationSeconds
    maxRunningParts = Self.maxRunningParts(nodes, links)
  }

  private static func maxRunningParts(
    _ nodes: [TimelineNode<Value>], _ links: [TimelineLink<Value>]
  ) -> Int {
    // Children come before their parents.
    var counts: [Int] = []
    counts.reserveCapacity(nodes.count)
    for node in nodes {
      switch node.kind {
      // Each channel of keyframes and tracks has its own curve.
      case .keyframes, .track: counts.append(max(1, node.channels.rawValue.nonzeroBitCount))
      case .delay, .step: counts.append(1)
      case .sequence(let first, let count):
        counts.append(links[first..<first + count].reduce(1) { max($0, 1 + counts[$1.node]) })
      case .parallel(let first, let count):
        counts.append(links[first..<first + count].reduce(1) { $0 + counts[$1.node] })
      case .repeated(let child, _), .reversed(let child, _), .autoreversed(let child),
        .speed(let child, _):
        counts.append(1 + counts[child])
      }
    }
    return counts[counts.count - 1]
  }

  private var root: Int { nodes.count - 1 }

  /// Returns the value at a time. It allocates nothing.
  ///
  /// - Parameters:
  ///   - time: Time since the start. The value before it is `start`, after the end ``end(from:)``.
  ///   - start: The value at the start of the animation. Default: zero; of a pose, ``Pose/rest``.
  public func value(at time: Duration, from start: Value = Value._Model.rest) -> Value {
    value(at: time.inSeconds, from: start)
  }

  /// Returns the change of the value per second; zero before the start and after the end.
  ///
  /// - Parameters:
  ///   - time: Time since the start.
  ///   - start: The value at the start of the animation. Default: zero; of a pose, ``Pose/rest``.
  public func velocity(at time: Duration, from start: Value = Value._Model.rest) -> Value {
    velocity(at: time.inSeconds, from: start)
  }

  /// Returns the value that the animation leaves. One that repeats forever leaves `start`.
  ///
  /// - Parameter start: The value at the start. Default: zero; of a pose, ``Pose/rest``.
  @_specialize(where Value == Pose)
  public func end(from start: Value = Value._Model.rest) -> Value {
    clamped(nodes[root].effect.apply(clamped(start)))
  }

  /// Returns the value at a time.
  ///
  /// - Parameters:
  ///   - seconds: Time since the start. The value before it is `start`, after the end `end(from:)`.
  ///   - start: The value at the start of the animation.
  @_specialize(where Value == Pose)
  @_specialize(where Value == Double)
  package func value(at seconds: Double, from start: Value = Value._Model.rest) -> Value {
    let start = clamped(start)
    guard seconds >= 0 else { return start }
    return clamped(value(root, at: min(seconds, durationSeconds), from: start))
  }

  /// Returns the change of the value per second; zero before the start and after the end.
  @_specialize(where Value == Pose)
  @_specialize(where Value == Double)
  package func velocity(at seconds: Double, from start: Value = Value._Model.rest) -> Value {
    guard seconds >= 0, seconds < durationSeconds else { return .zero }
    return clamped(velocity(root, at: seconds, from: clamped(start)))
  }

  private func clamped(_ value: Value) -> Value {
    Value._Model.clamped(value, to: .poseBound)
  }

  // MARK: - Descent

  private func value(_ index: Int, at seconds: Double, from start: Value) -> Value {
    // No copy of the node, which is large.
    let duration = nodes[index].durationSeconds
    if seconds >= duration { return nodes[index].effect.apply(start) }
    switch nodes[index].kind {
    case .delay: return start
    case .step(let index): return steps[index].value(at: seconds / duration, duration, from: start)
    case .keyframes(let index):
      return keyframes[index].value(at: seconds / duration, duration, from: start)
    case .track(let index): return tracks[index].value(at: seconds, from: start)
    case .sequence(let first, let count):
      let link = links[activeLink(first, count, at: seconds)]
      return value(link.node, at: seconds - link.startSeconds, from: link.before.apply(start))
    case .parallel(let first, let count):
      var sum = start
      for link in links[first..<first + count] {
        let own = seconds - link.startSeconds
        if own >= 0 { sum = (sum + value(link.node, at: own, from: start)).minus(start) }
      }
      return sum
    case .repeated(let child, let returns):
      let (count, rest) = pass(of: child, at: seconds)
      let begin = returns ? start : nodes[child].effect.repeated(count).apply(start)
      return value(child, at: rest, from: begin)
    case .reversed(let child, let undo):
      // Rotations about different points do not commute: what the child does is undone first.
      if undos[undo].turns {
        return value(child, at: duration - seconds, from: undos[undo].apply(start))
      }
      return undos[undo].apply(value(child, at: duration - seconds, from: start))
    case .autoreversed(let child):
      let way = nodes[child].durationSeconds
      return value(child, at: seconds < way ? seconds : 2 * way - seconds, from: start)
    case .speed(let child, let factor):
      return value(child, at: seconds * factor, from: start)
    }
  }

  private func velocity(_ index: Int, at seconds: Double, from start: Value) -> Value {
    let duration = nodes[index].durationSeconds
    if seconds >= duration { return .zero }
    switch nodes[index].kind {
    case .delay: return .zero
    case .step(let index):
      return steps[index].velocity(at: seconds / duration, duration, from: start)
    case .keyframes(let index):
      return keyframes[index].velocity(at: seconds / duration, duration, from: start)
    case .track(let index): return tracks[index].velocity(at: seconds)
    case .sequence(let first, let count):
      let link = links[activeLink(first, count, at: seconds)]
      return velocity(link.node, at: seconds - link.startSeconds, from: link.before.apply(start))
    case .parallel(let first, let count):
      var sum = Value.zero
      for link in links[first..<first + count] {
        let own = seconds - link.startSeconds
        if own >= 0 { sum = sum + velocity(link.node, at: own, from: start) }
      }
      return sum
    case .repeated(let child, let returns):
      let (count, rest) = pass(of: child, at: seconds)
      let begin = returns ? start : nodes[child].effect.repeated(count).apply(start)
      return velocity(child, at: rest, from: begin)
    case .reversed(let child, let undo):
      if undos[undo].turns {
        return velocity(child, at: returning(child, seconds), from: undos[undo].apply(start))
          .scaled(by: -1)
      }
      let back = velocity(child, at: returning(child, seconds), from: start)
      return Value._Model.clamped(
        undos[undo].apply(toVelocity: back).scaled(by: -1), to: .partBound)
    case .autoreversed(let child):
      let way = nodes[child].durationSeconds
      guard seconds >= way else { return velocity(child, at: seconds, from: start) }
      return velocity(child, at: returning(child, seconds - way), from: start).scaled(by: -1)
    case .speed(let child, let factor):
      return Value._Model.clamped(
        velocity(child, at: seconds * factor, from: start).scaled(by: factor), to: .partBound)
    }
  }

  /// Returns the link of the last child that has started. A child without a duration is over when
  /// the next one starts.
  private func activeLink(_ first: Int, _ count: Int, at seconds: Double) -> Int {
    var low = first
    var high = first + count
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if links[middle].startSeconds <= seconds { low = middle } else { high = middle }
    }
    return low
  }

  /// Returns the number of completed passes and the time within the current one.
  func pass(of child: Int, at seconds: Double) -> (count: Int, rest: Double) {
    let duration = nodes[child].durationSeconds
    // An endless child never completes its first pass.
    guard duration < .infinity else { return (0, seconds) }
    var count = min((seconds / duration).rounded(.down), 1e15)
    // Correct the rounding of the quotient: a pass that ends exactly now is over.
    if count * duration > seconds { count -= 1 }
    if (count + 1) * duration <= seconds, count < 1e15 { count += 1 }
    return (Int(count), max(0, seconds - count * duration))
  }

  /// Returns the time within a child that plays backward. It is at most just before the child's
  /// end, where the child has a velocity.
  private func returning(_ child: Int, _ seconds: Double) -> Double {
    let duration = nodes[child].durationSeconds
    return min(duration - seconds, duration.nextDown)
  }
}

extension Timeline where Value == Pose {
  // So that `Timeline(.empty)` is the timeline of a pose.
  /// Compiles an animation of a pose.
  public init(_ animation: Animation) { self.init(compiling: animation) }

  /// The channels that the animation changes at any time.
  public var channels: PoseChannels { nodes[root].channels }

  /// Returns the pose at a time. It allocates nothing.
  ///
  /// - Parameters:
  ///   - time: Time since the start. The pose before it is `start`, after the end ``end(from:)``.
  ///   - start: The pose at the start of the animation. Default: ``Pose/rest``.
  public func pose(at time: Duration, from start: Pose = .rest) -> Pose {
    value(at: time.inSeconds, from: start)
  }

  /// Returns the pose at a time in seconds since the start.
  package func pose(at seconds: Double, from start: Pose = .rest) -> Pose {
    value(at: seconds, from: start)
  }

  /// The channels that the animation sets at its very start, wherever the layer is, and their values.
  package var settings: (pose: Pose, channels: PoseChannels) {
    let begin = nodes[root].begin
    var channels: PoseChannels = []
    for channel in PoseChannel.allCases where channel != .scaleY && begin.factor[channel] == 0 {
      channels.formUnion(PoseChannels(channel))
    }
    return (begin.term, channels)
  }
}
