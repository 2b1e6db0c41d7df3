/// Which of several gyroscopes is used, and why.
package struct GyroChoice: Equatable, Sendable {
  /// Its place among those that there were to choose from.
  package var index: Int
  /// Why this one, in words: `the only one`.
  package var reason: String

  /// The one that is asked for by name, label or id; else one at the display before one that does
  /// not say where it is, and that before one at the keyboard; else one that streams through a buffer
  /// before one that does not; else the first by name. The same rules hold among several of the name
  /// that is asked for.
  ///
  /// - Throws: `.none` where there is none, or none of that name; it lists those that there are.
  package static func choose(
    from all: [GyroDescription], named wanted: String?
  ) throws(DeviceTrouble) -> GyroChoice {
    guard !all.isEmpty else {
      throw .none(
        "no gyroscope with three axes is there; 'parallax doctor' says what to look at")
    }
    let candidates = all.indices.filter { index in
      wanted.map { all[index].isNamed($0) } ?? true
    }
    // Ranks differ, since ids do.
    let sorted = candidates.sorted { Rank(all[$0]) < Rank(all[$1]) }
    guard let first = sorted.first else {
      let others = all.map { "\($0.name) (\($0.id))" }.joined(separator: ", ")
      throw .none(
        "no gyroscope is named '\(wanted ?? "")'; there is \(others); use one of these names, or none"
      )
    }
    let advantage = sorted.dropFirst().first.map { second in
      Rank(all[first]).advantage(over: Rank(all[second]), all[first])
    }
    switch (wanted, advantage) {
    case (nil, nil): return GyroChoice(index: first, reason: "the only one")
    case (nil, let advantage?): return GyroChoice(index: first, reason: advantage)
    case (let name?, nil): return GyroChoice(index: first, reason: "'\(name)' is asked for")
    case (let name?, let advantage?):
      return GyroChoice(
        index: first, reason: "'\(name)' is asked for; of \(sorted.count) such: \(advantage)")
    }
  }
}

extension GyroDescription {
  /// Whether this is what `source.device` means.
  package func isNamed(_ text: String) -> Bool { name == text || label == text || id == text }

  /// Where it says it is.
  fileprivate var place: Rank.Place {
    let words = [label, location].compactMap { $0?.lowercased() }
    func says(_ parts: [String]) -> Bool { words.contains { parts.contains(where: $0.contains) } }
    if says(["display", "lid", "screen"]) { return .display }
    return says(["base", "keyboard"]) ? .keyboard : .unknown
  }
}

/// What decides, the strongest first.
private struct Rank: Comparable {
  enum Place: Int {
    case display, unknown, keyboard
  }

  let place: Place
  let canStream: Bool
  let name: String
  /// `iio:device10` behind `iio:device9`.
  let number: Int
  let id: String

  init(_ gyro: GyroDescription) {
    place = gyro.place
    canStream = gyro.canStream
    name = gyro.name
    id = gyro.id
    number = Int(String(gyro.id.reversed().prefix { $0.isNumber }.reversed())) ?? 0
  }

  static func < (left: Rank, right: Rank) -> Bool {
    if left.place != right.place { return left.place.rawValue < right.place.rawValue }
    if left.canStream != right.canStream { return left.canStream }
    if left.name != right.name { return left.name < right.name }
    return (left.number, left.id) < (right.number, right.id)
  }

  /// What puts it in front of the second one.
  func advantage(over second: Rank, _ gyro: GyroDescription) -> String {
    if place != second.place {
      guard place == .display else { return "the other is at the keyboard" }
      let words = [gyro.label, gyro.location].compactMap(\.self).joined(separator: ", ")
      return "it is at the display ('\(words)')"
    }
    if canStream != second.canStream {
      return "it streams through a buffer, and the next, \(second.name), does not"
    }
    return name == second.name ? "the lowest number of that name" : "the first by name"
  }
}
