// SPDX-License-Identifier: Apache-2.0

extension ValueAnimation {
  /// Names a position in a sequence. It takes no time and changes nothing; ``Timeline/time(of:)`` finds it.
  ///
  ///     Animation {
  ///       Animation.move(by: PixelOffset(x: 0, y: -40))
  ///       Animation.label("peak")
  ///       Animation.move(by: PixelOffset(x: 0, y: 40))
  ///     }
  ///
  /// Documents have no labels: `encoded()` leaves them out.
  public static func label(_ name: String) -> ValueAnimation { ValueAnimation(label: name) }
}

extension Timeline {
  /// Returns the time at which the animation first passes a label; nil if it never does.
  ///
  /// - Parameter label: The name. Of several labels with the same name, the first one in the animation counts.
  public func time(of label: String) -> Duration? {
    guard let node = labels[label] else { return nil }
    var parts = [node]
    // Children come before their parents.
    for parent in nodes.indices where hasChild(parent, parts[parts.count - 1]) {
      parts.append(parent)
    }
    guard let seconds = seconds(of: parts[...], isBackward: false) else { return nil }
    return Duration(clampingSeconds: seconds)
  }

  private func hasChild(_ parent: Int, _ child: Int) -> Bool {
    switch nodes[parent].kind {
    case .delay, .step, .keyframes, .track: false
    case .sequence(let first, let count), .parallel(let first, let count):
      links[first..<first + count].contains { $0.node == child }
    case .repeated(let own, _), .reversed(let own, _), .autoreversed(let own), .speed(let own, _):
      own == child
    }
  }

  /// Returns the time in a part at which it first passes a label, or last, if it plays backward.
  ///
  /// - Parameter parts: The label, the part around it, and so on.
  private func seconds(of parts: ArraySlice<Int>, isBackward: Bool) -> Double? {
    guard let part = parts.last, let child = parts.dropLast().last else { return 0 }
    let (whole, own) = (nodes[part].durationSeconds, nodes[child].durationSeconds)
    func seconds(isBackward: Bool) -> Double? {
      self.seconds(of: parts.dropLast(), isBackward: isBackward)
    }
    switch nodes[part].kind {
    case .delay, .step, .keyframes, .track: return 0
    case .sequence(let first, let count), .parallel(let first, let count):
      let link = links[first..<first + count].first { $0.node == child }
      return seconds(isBackward: isBackward).map { $0 + (link?.startSeconds ?? 0) }
    case .repeated:
      // In no passes there is no label.
      guard whole > 0 || own == 0 else { return nil }
      return seconds(isBackward: isBackward).map { isBackward ? whole - own + $0 : $0 }
    case .reversed: return seconds(isBackward: !isBackward).map { own - $0 }
    case .autoreversed:
      return seconds(isBackward: false).map { isBackward ? whole - $0 : $0 }
    case .speed(_, let factor): return seconds(isBackward: isBackward).map { $0 / factor }
    }
  }
}
