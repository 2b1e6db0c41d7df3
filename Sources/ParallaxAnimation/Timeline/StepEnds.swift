/// The outermost steps: the parts of an outermost sequence, the passes of an outermost repetition.
extension Timeline {
  /// How many of them are over at a time.
  package func stepsEnded(at seconds: Double) -> Int {
    guard seconds >= 0 else { return 0 }
    let root = nodes[nodes.count - 1]
    switch root.kind {
    case .sequence(let first, let count):
      var low = 0
      var high = count
      while low < high {
        let middle = low + (high - low) / 2
        if stepEnd(first + middle) <= seconds { low = middle + 1 } else { high = middle }
      }
      return low
    case .repeated(let child):
      guard nodes[child].durationSeconds > 0 else { return 0 }
      return pass(of: child, at: min(seconds, root.durationSeconds)).count
    case .leaf, .parallel, .autoreversed, .speed: return 0
    }
  }

  /// When the next of them ends behind a time; nil where none will.
  package func nextStepEnd(after seconds: Double) -> Double? {
    let root = nodes[nodes.count - 1]
    let ended = stepsEnded(at: seconds)
    switch root.kind {
    case .sequence(let first, let count):
      guard ended < count else { return nil }
      let end = stepEnd(first + ended)
      return end < .infinity ? end : nil
    case .repeated(let child):
      let end = Double(ended + 1) * nodes[child].durationSeconds
      return end > seconds && end <= root.durationSeconds ? end : nil
    case .leaf, .parallel, .autoreversed, .speed: return nil
    }
  }

  private func stepEnd(_ link: Int) -> Double {
    links[link].startSeconds + nodes[links[link].node].durationSeconds
  }
}
