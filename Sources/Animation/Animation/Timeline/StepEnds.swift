// SPDX-License-Identifier: Apache-2.0

// The outermost steps: the parts of an outermost sequence or the passes of an outermost repetition.
// Speed and reversal around it do not change which ones they are.

extension Timeline {
  /// Returns the number of outermost steps that have ended at a time.
  package func stepsEnded(at seconds: Double) -> Int {
    guard seconds >= 0 else { return 0 }
    let parts = outermost
    let seconds = seconds * parts.factor
    switch nodes[parts.node].kind {
    case .sequence(_, let count):
      var low = 0
      var high = count
      while low < high {
        let middle = low + (high - low) / 2
        if end(of: middle, parts) <= seconds { low = middle + 1 } else { high = middle }
      }
      return low
    case .repeated(let child, _):
      guard nodes[child].durationSeconds > 0 else { return 0 }
      let whole = nodes[parts.node].durationSeconds
      return pass(of: child, at: min(seconds, whole)).count
    case .delay, .step, .keyframes, .track, .parallel, .reversed, .autoreversed, .speed: return 0
    }
  }

  /// Returns the end of the next outermost step after a time; nil if there is none.
  package func nextStepEnd(after seconds: Double) -> Double? {
    let parts = outermost
    let ended = stepsEnded(at: seconds)
    switch nodes[parts.node].kind {
    case .sequence(_, let count):
      guard ended < count else { return nil }
      let end = end(of: ended, parts) / parts.factor
      return end < .infinity ? end : nil
    case .repeated(let child, _):
      let end = Double(ended + 1) * nodes[child].durationSeconds
      let isLast = end > nodes[parts.node].durationSeconds
      return end > seconds * parts.factor && !isLast ? end / parts.factor : nil
    case .delay, .step, .keyframes, .track, .parallel, .reversed, .autoreversed, .speed: return nil
    }
  }

  private typealias Parts = (node: Int, isBackward: Bool, factor: Double)

  private var outermost: Parts {
    var parts: Parts = (nodes.count - 1, false, 1)
    while true {
      switch nodes[parts.node].kind {
      case .speed(let child, let factor): parts = (child, parts.isBackward, parts.factor * factor)
      case .reversed(let child, _): parts = (child, !parts.isBackward, parts.factor)
      case .delay, .step, .keyframes, .track, .sequence, .parallel, .repeated, .autoreversed:
        return parts
      }
    }
  }

  /// Returns the end of the part that plays at position `index`, in the time of the sequence.
  private func end(of index: Int, _ parts: Parts) -> Double {
    guard case .sequence(let first, let count) = nodes[parts.node].kind else { return .infinity }
    if parts.isBackward {
      return nodes[parts.node].durationSeconds - links[first + count - 1 - index].startSeconds
    }
    let link = links[first + index]
    return link.startSeconds + nodes[link.node].durationSeconds
  }
}
