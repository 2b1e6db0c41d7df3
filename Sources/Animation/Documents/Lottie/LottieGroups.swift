// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

// Many programs export a shape layer that stands still, with a group of shapes that moves.

extension LottieReader {
  /// Reads the groups of a shape layer up to the outermost one that changes; the first one, if several are
  /// equally far out.
  ///
  /// - Parameter label: The layer in messages.
  /// - Returns: nil if no group changes, or if one cannot be read: a file may play without it.
  mutating func changingGroup(of layer: JSONNode, _ label: String) -> LottieGroup? {
    let before = counted
    do {
      if let group = try outermostGroup(layer) { return group }
    } catch {
      failures.append("the groups of shapes: \(error.about(label))")
    }
    counted = before
    return nil
  }

  private mutating func outermostGroup(_ layer: JSONNode) throws(JSONShapeError) -> LottieGroup? {
    guard let shapes = try layer.member("shapes") else { return nil }
    var level = [(shapes: shapes, outer: LottieMatrix.identity)]
    while !level.isEmpty {
      var next: [(shapes: JSONNode, outer: LottieMatrix)] = []
      for (shapes, outer) in level {
        for shape in try shapes.elements() {
          guard case .string("gr")? = try shape.member("ty")?.value,
            let items = try shape.member("it"),
            try !Self.isSet(shape.member("hd"))
          else { continue }
          let before = counted
          let transform = try groupTransform(items)
          if transform.changes(in: Self.frames) {
            return LottieGroup(title: try Self.title(shape), transform: transform, outer: outer)
          }
          counted = before
          next.append((items, outer.applied(to: transform.matrix(at: 0))))
        }
      }
      level = next
    }
    return nil
  }

  /// Reads the transform among the items of a group, usually the last one.
  private mutating func groupTransform(_ items: JSONNode) throws(JSONShapeError) -> LottieTransform
  {
    for item in try items.elements().reversed() {
      if case .string("tr")? = try item.member("ty")?.value { return try transform(item) }
    }
    return LottieTransform()
  }

  private static func title(_ group: JSONNode) throws(JSONShapeError) -> String {
    guard case .string(let name)? = try group.member("nm")?.value, !name.isEmpty else {
      return "group \(path(group))"
    }
    return "group \(QuotedText.of(name)) (\(path(group)))"
  }
}
