// SPDX-License-Identifier: Apache-2.0

/// Flattens an animation, children before their parents, and computes the duration and the effect
/// of each part.
struct TimelineCompiler {
  private(set) var nodes: [TimelineNode] = []
  private(set) var links: [TimelineLink] = []

  /// Compiles an animation. Its root is the last node.
  mutating func root(_ animation: Animation) {
    _ = add(animation)
  }

  /// - Returns: The index of the node.
  private mutating func add(_ animation: Animation) -> Int {
    switch animation.content {
    case .empty, .delay: return add(.delay, lasting: animation.durationSeconds)
    case .step(let step):
      return add(.step(step.change.clamped, step.curve), lasting: animation.durationSeconds)
    case .keyframes(let keyframes):
      return add(.keyframes(KeyframeTrack(keyframes.frames)), lasting: animation.durationSeconds)
    case .track(let reference):
      return add(.track(reference), lasting: animation.durationSeconds)
    case .sequence(let parts): return sequence(parts) { $0.add($1) }
    case .parallel(let parts): return parallel(parts) { $0.add($1) }
    case .repeated(let child, let count): return repeated(add(child), count)
    case .reversed(let child): return backward(child)
    case .autoreversed(let child): return autoreversed(add(child))
    case .speed(let child, let factor): return speed(add(child), factor)
    }
  }

  /// Reverses an animation. One with an end plays from there. An endless one is reversed part by
  /// part: each pass of a repetition runs backward, and a sequence starts with its endless part.
  private mutating func backward(_ animation: Animation) -> Int {
    if case .reversed(let child) = animation.content { return add(child) }
    if animation.durationSeconds < .infinity { return reversed(add(animation)) }
    switch animation.content {
    case .sequence(let parts): return sequence(parts.reversed()) { $0.backward($1) }
    case .parallel(let parts): return parallel(parts) { $0.backward($1) }
    case .repeated(let child, let count): return repeated(backward(child), count)
    case .speed(let child, let factor): return speed(backward(child), factor)
    case .empty, .step, .delay, .keyframes, .track, .reversed, .autoreversed:
      return add(animation)
    }
  }

  private mutating func add(_ leaf: TimelineLeaf, lasting seconds: Double) -> Int {
    nodes.append(
      TimelineNode(
        kind: .leaf(leaf), durationSeconds: seconds, begin: leaf.begin(seconds),
        effect: leaf.effect(seconds), channels: leaf.channels, targets: leaf.targets))
    return nodes.count - 1
  }

  private mutating func sequence(
    _ children: some Sequence<Animation>, _ adding: (inout Self, Animation) -> Int
  ) -> Int {
    var own: [TimelineLink] = []
    var whole = TimelineNode.nothing
    for child in children {
      // Parts after an endless one never start.
      if whole.durationSeconds == .infinity { break }
      let node = adding(&self, child)
      own.append(
        TimelineLink(node: node, startSeconds: whole.durationSeconds, before: whole.effect))
      if own.count == 1 { whole.begin = nodes[node].begin }
      whole.durationSeconds += nodes[node].durationSeconds
      whole.effect = whole.effect.then(nodes[node].effect)
      whole.formUnion(nodes[node])
    }
    whole.kind = .sequence(first: links.count, count: own.count)
    return add(own, whole)
  }

  private mutating func parallel(
    _ children: some Sequence<Animation>, _ adding: (inout Self, Animation) -> Int
  ) -> Int {
    var own: [TimelineLink] = []
    var whole = TimelineNode.nothing
    for child in children {
      let node = adding(&self, child)
      own.append(TimelineLink(node: node, startSeconds: 0, before: .identity))
      whole.durationSeconds = max(whole.durationSeconds, nodes[node].durationSeconds)
      whole.begin = whole.begin.alongside(nodes[node].begin)
      whole.effect = whole.effect.alongside(nodes[node].effect)
      whole.formUnion(nodes[node])
    }
    whole.kind = .parallel(first: links.count, count: own.count)
    return add(own, whole)
  }

  private mutating func add(_ own: [TimelineLink], _ whole: TimelineNode) -> Int {
    links += own
    // A node without children is a leaf: a descent needs a child.
    nodes.append(own.isEmpty ? .nothing : whole)
    return nodes.count - 1
  }

  private mutating func repeated(_ child: Int, _ count: RepeatCount) -> Int {
    var node = nodes[child]
    node.kind = .repeated(child: child, returns: node.effect == .identity)
    node.durationSeconds = count.durationSeconds(ofOne: node.durationSeconds)
    if node.durationSeconds == 0 { node.begin = .identity }
    switch count {
    // If the child has no duration, all passes happen at one instant.
    case .times(let count): node.effect = node.effect.repeated(count)
    case .forever: node.effect = .identity
    }
    nodes.append(node)
    return nodes.count - 1
  }

  private mutating func reversed(_ child: Int) -> Int {
    var node = nodes[child]
    // A pause reversed is the same pause.
    if case .leaf(.delay) = node.kind { return child }
    let undo = node.effect.inverse(except: node.targets)
    node.kind = .reversed(child: child, undo: undo)
    (node.begin, node.effect) =
      undo.turn == .zero
      ? (node.effect.then(undo), node.begin.then(undo))
      : (undo.then(node.effect), undo.then(node.begin))
    nodes.append(node)
    return nodes.count - 1
  }

  private mutating func autoreversed(_ child: Int) -> Int {
    var node = nodes[child]
    node.kind = .autoreversed(child: child)
    node.durationSeconds *= 2
    node.effect = node.begin
    nodes.append(node)
    return nodes.count - 1
  }

  private mutating func speed(_ child: Int, _ factor: Double) -> Int {
    var node = nodes[child]
    let factor = Animation.validSpeed(factor)
    node.kind = .speed(child: child, factor: factor)
    node.durationSeconds /= factor
    nodes.append(node)
    return nodes.count - 1
  }
}

extension TimelineNode {
  fileprivate static let nothing = TimelineNode(
    kind: .leaf(.delay), durationSeconds: 0, begin: .identity, effect: .identity, channels: [],
    targets: [])

  fileprivate mutating func formUnion(_ child: TimelineNode) {
    channels.formUnion(child.channels)
    targets.formUnion(child.targets)
  }
}
