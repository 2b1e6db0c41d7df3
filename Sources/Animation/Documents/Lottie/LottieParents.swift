// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// Resolves the parents of layers.
enum LottieParents {
  /// Looks up each layer's `parent` by its `ind`. A layer whose parent is not there has none, as in other
  /// players.
  ///
  /// - Parameter failures: Gets a description of the parents that are not there.
  /// - Throws: If the parents form a cycle.
  static func connect(
    _ layers: inout [LottieLayer], _ nodes: [JSONNode], failures: inout [String]
  ) throws(JSONShapeError) {
    var orphans: [String] = []
    let places = layers.indices.sorted { layers[$0].number < layers[$1].number }
    for place in layers.indices {
      guard let node = try nodes[place].member("parent"), node.value != .null else { continue }
      let number: Int64
      do {
        number = try node.integer()
      } catch {
        throw error.about(layers[place].label)
      }
      layers[place].parent = find(number, places, layers)
      if layers[place].parent == nil {
        orphans.append("\(layers[place].label) (\(layers[place].path).parent: \(number))")
      }
    }
    if !orphans.isEmpty {
      failures.append("a parent that is not in the file, of \(shortList(orphans))")
    }
    try check(layers, nodes)
  }

  /// Returns the first layer with a number, by bisection.
  private static func find(_ number: Int64, _ places: [Int], _ layers: [LottieLayer]) -> Int? {
    var low = 0
    var high = places.count
    while low < high {
      let middle = low + (high - low) / 2
      if layers[places[middle]].number < number { low = middle + 1 } else { high = middle }
    }
    guard low < places.count, layers[places[low]].number == number else { return nil }
    return places[low]
  }

  private static func check(
    _ layers: [LottieLayer], _ nodes: [JSONNode]
  ) throws(JSONShapeError) {
    // The round that reached a layer first. Reaching a layer of the same round again is a cycle.
    var round = [Int](repeating: -1, count: layers.count)
    for start in layers.indices {
      var place: Int? = start
      while let current = place, round[current] < 0 {
        round[current] = start
        place = layers[current].parent
      }
      if let current = place, round[current] == start {
        throw try nodes[current].required("parent").error(
          "\(layers[current].label) is its own ancestor; remove a parent")
      }
    }
  }
}
