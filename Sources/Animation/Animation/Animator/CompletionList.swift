// SPDX-License-Identifier: Apache-2.0

/// The completions of one motion, each of which is called once.
struct CompletionList {
  private var entries:
    [(criteria: AnimationCompletionCriteria, call: (AnimationPosition) -> Void)] = []

  mutating func add(
    _ criteria: AnimationCompletionCriteria, _ completion: @escaping (AnimationPosition) -> Void
  ) {
    entries.append((criteria, completion))
  }

  /// Whether one of them is called when the motion is logically complete.
  var hasLogical: Bool { entries.contains { $0.criteria == .logicallyComplete } }

  /// Removes those that are called when the motion is logically complete.
  mutating func takeLogical() -> CompletionList {
    var taken = CompletionList()
    taken.entries = entries.filter { $0.criteria == .logicallyComplete }
    entries.removeAll { $0.criteria == .logicallyComplete }
    return taken
  }

  /// Removes all of them.
  mutating func take() -> CompletionList {
    defer { entries = [] }
    return self
  }

  /// Calls them in the order in which they were added. They may add others to the list from which they were taken.
  func call(_ position: AnimationPosition) {
    for entry in entries { entry.call(position) }
  }
}
