// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion

/// The screens of the subscribers that stated their own orientation: at most one for each of the four,
/// however many subscribers share it.
struct SharedScreens {
  private struct Entry {
    var screen: MotionEngine.Screen
    var subscribers: Int
  }

  /// By quarter turns; a nil entry is not in use.
  private var entries = [Entry?](repeating: nil, count: 4)
  /// Whether no subscriber has its own orientation.
  private(set) var isEmpty = true

  /// The screen with this orientation; nil if no subscriber uses it.
  subscript(orientation: Orientation) -> MotionEngine.Screen? {
    entries[orientation.quarterTurns]?.screen
  }

  /// Counts a subscriber. `add` makes the screen if it is the first one.
  mutating func enter(_ orientation: Orientation, add: () -> MotionEngine.Screen) {
    let index = orientation.quarterTurns
    var entry = entries[index] ?? Entry(screen: add(), subscribers: 0)
    entry.subscribers += 1
    entries[index] = entry
    isEmpty = false
  }

  /// Counts a subscriber out.
  ///
  /// - Returns: The screen if that was the last one: it is to be removed.
  mutating func leave(_ orientation: Orientation) -> MotionEngine.Screen? {
    let index = orientation.quarterTurns
    guard var entry = entries[index] else { return nil }
    entry.subscribers -= 1
    entries[index] = entry.subscribers > 0 ? entry : nil
    isEmpty = entries.allSatisfy { $0 == nil }
    return entry.subscribers > 0 ? nil : entry.screen
  }
}
