// SPDX-License-Identifier: Apache-2.0

/// Flattens an animation, children before their parents, and computes the duration and the effect
/// of each part.
struct TimelineCompiler<Value: Animatable> {
  typealias Animation = ValueAnimation<Value>
  typealias Model = Value._Model
  typealias Node = TimelineNode<Value>
  typealias Link = TimelineLink<Value>

  private(set) var nodes: [Node] = []
  private(set) var links: [Link] = []
  private(set) var steps: [TimelineStep<Value>] = []
  private(set) var keyframes: [Model.Track] = []
  private(set) var tracks: [AnimationTrackReference<Value>] = []
  /// What undoes the children of reversed nodes.
  private(set) var undos: [Model.Map] = []
  /// The nodes of labels.
  private(set) var labels: [String: Int] = [:]

  /// Compiles an animation. Its root is the last node.
  mutating func root(_ animation: Animation) {
    _ = add(animation)
  }

  /// - Returns: The index of the node.
  private mutating func add(_ animation: Animation) -> Int {
    let seconds = animation.durationSeconds
    switch animation.content {
    case .empty, .delay:
      let node = add(.delay, lasting: seconds)
      if let label = animation.label, labels[label] == nil { labels[label] = node }
      return node
    case .step(let step):
      let own = TimelineStep<Value>(change: Model.clamped(step.change), curve: step.curve)
      steps.append(own)
      return add(
        .step(steps.count - 1), lasting: seconds, begin: own.begin(seconds), effect: own.effect,
        channels: Model.channels(of: own.change), targets: Model.targets(of: own.change))
    case .keyframes(let frames):
      let own = Model.Track(frames.frames)
      keyframes.append(own)
      return add(
        .keyframes(keyframes.count - 1), lasting: seconds, begin: own.begin, effect: own.effect,
        channels: own.channels, targets: own.channels)
    case .track(let own):
      tracks.append(own)
      return add(
        .track(tracks.count - 1), lasting: seconds, begin: own.effect(at: 0),
        effect: own.effect(at: seconds), channels: own.track.channels)
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

  private mutating func add(
    _ kind: TimelinePart, lasting seconds: Double, begin: Model.Map = .identity,
    effect: Model.Map = .identity, channels: PoseChannels = [], targets: PoseChannels = []
  ) -> Int {
    nodes.append(
      Node(
        kind: kind, durationSeconds: seconds, begin: seconds > 0 ? begin : .identity,
        effect: effect, channels: channels, targets: targets))
    return nodes.count - 1
  }

  private mutating func sequence(
    _ children: some Sequence<Animation>, _ adding: (inout Self, Animation) -> Int
  ) -> Int {
    var own: [Link] = []
    var whole = Node.nothing
    for child in children {
      // Parts after an endless one never start.
      if whole.durationSeconds == .infinity { break }
      let node = adding(&self, child)
      own.append(
        Link(node: node, startSeconds: whole.durationSeconds, before: whole.effect))
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
    var own: [Link] = []
    var whole = Node.nothing
    for child in children {
      let node = adding(&self, child)
      own.append(Link(node: node, startSeconds: 0, before: .identity))
      whole.durationSeconds = max(whole.durationSeconds, nodes[node].durationSeconds)
      whole.begin = whole.begin.alongside(nodes[node].begin)
      whole.effect = whole.effect.alongside(nodes[node].effect)
      whole.formUnion(nodes[node])
    }
    whole.kind = .parallel(first: links.count, count: own.count)
    return add(own, whole)
  }

  private mutating func add(_ own: [Link], _ whole: Node) -> Int {
    links += own
    // A node without children is a delay: a descent needs a child.
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
    if case .delay = node.kind { return child }
    let undo = node.effect.inverse(except: node.targets)
    undos.append(undo)
    node.kind = .reversed(child: child, undo: undos.count - 1)
    (node.begin, node.effect) =
      undo.turns
      ? (undo.then(node.effect), undo.then(node.begin))
      : (node.effect.then(undo), node.begin.then(undo))
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
  fileprivate static var nothing: Self {
    Self(
      kind: .delay, durationSeconds: 0, begin: .identity, effect: .identity, channels: [],
      targets: [])
  }

  fileprivate mutating func formUnion(_ child: TimelineNode) {
    channels.formUnion(child.channels)
    targets.formUnion(child.targets)
  }
}
