/// Lays an animation out flat, children before their parents, and works out what each part lasts and
/// leaves.
struct TimelineCompiler {
  private(set) var nodes: [TimelineNode] = []
  private(set) var links: [TimelineLink] = []

  /// The root is the last node.
  mutating func root(_ animation: Animation) {
    _ = add(animation, isReversed: false)
  }

  /// - Returns: the node's index.
  private mutating func add(_ animation: Animation, isReversed: Bool) -> Int {
    switch animation {
    case .empty: return add(.delay, lasting: 0, [])
    case .delay(let seconds): return add(.delay, lasting: max(0, seconds), [])
    case .step(let step):
      return add(
        .step(step.change, step.curve, isReversed: isReversed),
        lasting: max(0, step.durationSeconds ?? step.curve.naturalSeconds), step.change.channels)
    case .keyframes(let keyframes):
      return add(
        .keyframes(keyframes.frames, isReversed: isReversed),
        lasting: max(0, keyframes.durationSeconds), keyframes.frames.channels)
    case .track(let reference):
      return add(
        .track(reference, isReversed: isReversed), lasting: reference.track.durationSeconds,
        reference.track.channels)
    case .sequence(let children): return sequence(children, isReversed)
    case .parallel(let children): return parallel(children, isReversed)
    case .repeated(let child, let count): return repeated(child, count, isReversed)
    case .reversed(let child): return add(child, isReversed: !isReversed)
    case .autoreversed(let child): return autoreversed(child, isReversed)
    case .speed(let child, let factor):
      let child = add(child, isReversed: isReversed)
      return add(
        .speed(child: child, factor: factor), lasting: nodes[child].durationSeconds / factor,
        nodes[child].effect, nodes[child].channels)
    }
  }

  private mutating func add(
    _ leaf: TimelineLeaf, lasting seconds: Double, _ channels: PoseChannels
  ) -> Int {
    add(.leaf(leaf), lasting: seconds, leaf.effect(seconds), channels)
  }

  private mutating func add(
    _ kind: TimelineNode.Kind, lasting seconds: Double, _ effect: PoseMap, _ channels: PoseChannels
  ) -> Int {
    nodes.append(
      TimelineNode(kind: kind, durationSeconds: seconds, effect: effect, channels: channels))
    return nodes.count - 1
  }

  private mutating func sequence(_ children: [Animation], _ isReversed: Bool) -> Int {
    var own: [TimelineLink] = []
    var end = 0.0
    var effect = PoseMap.identity
    var channels: PoseChannels = []
    for child in isReversed ? children.reversed() : children {
      // What follows something endless never begins.
      if end == .infinity { break }
      let node = add(child, isReversed: isReversed)
      own.append(TimelineLink(node: node, startSeconds: end, before: effect))
      end += nodes[node].durationSeconds
      effect = effect.then(nodes[node].effect)
      channels.formUnion(nodes[node].channels)
    }
    return add(own, .sequence(first: links.count, count: own.count), end, effect, channels)
  }

  private mutating func parallel(_ children: [Animation], _ isReversed: Bool) -> Int {
    var own: [TimelineLink] = []
    var effect = PoseMap.identity
    var channels: PoseChannels = []
    for child in children {
      let node = add(child, isReversed: isReversed)
      own.append(TimelineLink(node: node, startSeconds: 0, before: .identity))
      effect = effect.beside(nodes[node].effect)
      channels.formUnion(nodes[node].channels)
    }
    let end = own.map { nodes[$0.node].durationSeconds }.max() ?? 0
    if isReversed, end < .infinity {
      // What ended first begins last.
      for index in own.indices {
        own[index].startSeconds = end - nodes[own[index].node].durationSeconds
      }
    }
    return add(own, .parallel(first: links.count, count: own.count), end, effect, channels)
  }

  private mutating func add(
    _ own: [TimelineLink], _ kind: TimelineNode.Kind, _ seconds: Double, _ effect: PoseMap,
    _ channels: PoseChannels
  ) -> Int {
    // Nothing to descend into.
    if own.isEmpty { return add(.delay, lasting: 0, []) }
    links += own
    return add(kind, lasting: seconds, effect, channels)
  }

  private mutating func repeated(
    _ child: Animation, _ count: RepeatCount, _ isReversed: Bool
  ) -> Int {
    let node = add(child, isReversed: isReversed)
    let (duration, effect) = (nodes[node].durationSeconds, nodes[node].effect)
    switch count {
    case .times(let count):
      // Without a duration all passes are one instant.
      return add(
        .repeated(child: node), lasting: count == 0 ? 0 : duration * Double(count),
        effect.repeated(count), nodes[node].channels)
    case .forever:
      // Repeating what takes no time takes none: it would never come to an end of the first frame.
      return add(
        .repeated(child: node), lasting: duration > 0 ? .infinity : 0, .identity,
        nodes[node].channels)
    }
  }

  /// There and back is the same backward.
  private mutating func autoreversed(_ child: Animation, _ isReversed: Bool) -> Int {
    let node = add(child, isReversed: false)
    return add(
      .autoreversed(child: node), lasting: 2 * nodes[node].durationSeconds, .identity,
      nodes[node].channels)
  }
}
