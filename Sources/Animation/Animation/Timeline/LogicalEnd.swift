// SPDX-License-Identifier: Apache-2.0

extension Timeline {
  /// The time after which a user sees the animation as over, in seconds: a spring at its end has then taken its
  /// response, and only swings or creeps to its rest. `.infinity` if a part repeats forever.
  var logicalSeconds: Double {
    // Children come before their parents.
    var ends: [Double] = []
    ends.reserveCapacity(nodes.count)
    for node in nodes {
      let duration = node.durationSeconds
      let end =
        switch node.kind {
        case .step(let index): steps[index].curve.logicalSeconds(duration)
        case .delay, .keyframes, .track, .reversed, .autoreversed: duration
        case .sequence(let first, let count):
          links[first + count - 1].startSeconds + ends[links[first + count - 1].node]
        case .parallel(let first, let count):
          links[first..<first + count].reduce(0) { max($0, ends[$1.node]) }
        case .repeated(let child, _):
          duration < .infinity && duration > 0
            ? duration - nodes[child].durationSeconds + ends[child] : duration
        case .speed(let child, let factor): ends[child] / factor
        }
      ends.append(end)
    }
    return ends[ends.count - 1]
  }
}

extension Curve {
  /// Returns the time after which a step of a duration is seen as over, in seconds.
  func logicalSeconds(_ duration: Double) -> Double {
    guard case .spring(let spring) = self else { return duration }
    return min(duration, spring.responseSeconds)
  }
}
