/// An animation made ready to play: the pose at any time, asked in any order, without allocating.
///
/// What each part lasts and what it leaves is known beforehand, so a time is found by descending: a
/// repetition by division, a sequence by bisection. The cost of a frame is the depth of the animation and
/// the width of what is parallel at that time.
package struct Timeline: Sendable {
  /// s; `.infinity` where something repeats forever.
  package let durationSeconds: Double
  /// What the animation changes at some time.
  package let channels: PoseChannels

  let nodes: [TimelineNode]
  /// The children of sequences and parallels, each node's in one piece.
  let links: [TimelineLink]

  package init(_ animation: Animation) {
    var compiler = TimelineCompiler()
    compiler.root(animation)
    nodes = compiler.nodes
    links = compiler.links
    durationSeconds = nodes[nodes.count - 1].durationSeconds
    channels = nodes[nodes.count - 1].channels
  }

  private var root: Int { nodes.count - 1 }

  /// The pose at a time.
  ///
  /// - Parameters:
  ///   - seconds: since the start. Before it the pose is `start`, behind the end it is `end(from:)`.
  ///   - start: the pose where the animation began.
  package func pose(at seconds: Double, from start: Pose = .rest) -> Pose {
    let start = start.held(within: .poseBound)
    guard seconds >= 0 else { return start }
    return pose(root, at: min(seconds, durationSeconds), from: start).held(within: .poseBound)
  }

  /// The pose's change a second at a time; zero before the start and behind the end.
  package func velocity(at seconds: Double, from start: Pose = .rest) -> Pose {
    guard seconds >= 0, seconds < durationSeconds else { return .zero }
    return velocity(root, at: seconds, from: start.held(within: .poseBound))
      .held(within: .poseBound)
  }

  /// What is left of it. One that repeats forever leaves the pose as it was.
  package func end(from start: Pose) -> Pose {
    nodes[root].effect.apply(start.held(within: .poseBound)).held(within: .poseBound)
  }

  // -- Descending

  private func pose(_ index: Int, at seconds: Double, from start: Pose) -> Pose {
    // Not a copy of the node: it is large.
    let duration = nodes[index].durationSeconds
    if seconds >= duration { return nodes[index].effect.apply(start) }
    switch nodes[index].kind {
    case .leaf(let leaf):
      return leaf.pose(at: seconds / duration, duration, from: start)
    case .sequence(let first, let count):
      let link = links[running(first, count, at: seconds)]
      return pose(link.node, at: seconds - link.startSeconds, from: link.before.apply(start))
    case .parallel(let first, let count):
      var sum = start
      // Indices, not iterators, on a frame's way: without optimisation an iterator allocates, and the
      // tests that show that nothing does run there too.
      var index = first
      while index < first + count {
        let (child, own) = (links[index].node, seconds - links[index].startSeconds)
        if own >= 0 { sum = sum + pose(child, at: own, from: start) - start }
        index += 1
      }
      return sum
    case .repeated(let child, let returns):
      let (count, rest) = pass(of: child, at: seconds)
      let begin = returns ? start : nodes[child].effect.repeated(count).apply(start)
      return pose(child, at: rest, from: begin)
    case .reversed(let child, let undo):
      return undo.apply(pose(child, at: duration - seconds, from: start))
    case .autoreversed(let child):
      let way = nodes[child].durationSeconds
      return pose(child, at: seconds < way ? seconds : 2 * way - seconds, from: start)
    case .speed(let child, let factor):
      return pose(child, at: seconds * factor, from: start)
    }
  }

  private func velocity(_ index: Int, at seconds: Double, from start: Pose) -> Pose {
    let duration = nodes[index].durationSeconds
    if seconds >= duration { return .zero }
    switch nodes[index].kind {
    case .leaf(let leaf):
      return leaf.velocity(at: seconds / duration, duration, from: start)
    case .sequence(let first, let count):
      let link = links[running(first, count, at: seconds)]
      return velocity(link.node, at: seconds - link.startSeconds, from: link.before.apply(start))
    case .parallel(let first, let count):
      var sum = Pose.zero
      var index = first
      while index < first + count {
        let (child, own) = (links[index].node, seconds - links[index].startSeconds)
        if own >= 0 { sum = sum + velocity(child, at: own, from: start) }
        index += 1
      }
      return sum
    case .repeated(let child, let returns):
      let (count, rest) = pass(of: child, at: seconds)
      let begin = returns ? start : nodes[child].effect.repeated(count).apply(start)
      return velocity(child, at: rest, from: begin)
    case .reversed(let child, let undo):
      let back = velocity(child, at: returning(child, seconds), from: start)
      return (undo.factor.combined(with: back, *) * -1).held(within: .partBound)
    case .autoreversed(let child):
      let way = nodes[child].durationSeconds
      guard seconds >= way else { return velocity(child, at: seconds, from: start) }
      return velocity(child, at: returning(child, seconds - way), from: start) * -1
    case .speed(let child, let factor):
      return (velocity(child, at: seconds * factor, from: start) * factor)
        .held(within: .partBound)
    }
  }

  /// The last child that has begun: one that takes no time is over when its successor begins.
  func running(_ first: Int, _ count: Int, at seconds: Double) -> Int {
    var low = first
    var high = first + count
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if links[middle].startSeconds <= seconds { low = middle } else { high = middle }
    }
    return low
  }

  /// How many passes are over, and the time within the one that runs.
  func pass(of child: Int, at seconds: Double) -> (count: Int, rest: Double) {
    let duration = nodes[child].durationSeconds
    // The first pass of what has no end has none.
    guard duration < .infinity else { return (0, seconds) }
    var count = min((seconds / duration).rounded(.down), 1e15)
    // The quotient is rounded: a pass that ends now is over, one that has just begun is under way.
    if count * duration > seconds { count -= 1 }
    if (count + 1) * duration <= seconds, count < 1e15 { count += 1 }
    return (Int(count), max(0, seconds - count * duration))
  }

  /// The time within something on its way back: at first just before its end, where it still moves.
  private func returning(_ child: Int, _ seconds: Double) -> Double {
    let duration = nodes[child].durationSeconds
    return min(duration - seconds, duration.nextDown)
  }
}
