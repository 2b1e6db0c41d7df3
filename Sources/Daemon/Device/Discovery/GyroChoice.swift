// SPDX-License-Identifier: Apache-2.0

/// Which of several gyroscopes to use, and why.
package struct GyroChoice: Equatable, Sendable {
  /// Its index among the candidates.
  package var index: Int
  /// The reason for the user, as in `the only one`.
  package var reason: String

  /// Chooses a gyroscope by these rules, the strongest first:
  ///
  /// - it has the requested name, label, own number, id or node;
  /// - it is at the display; a gyroscope without a location comes before one at the keyboard;
  /// - it is a sensor of this machine; a controller comes after it;
  /// - it streams through a buffer;
  /// - its name comes first.
  ///
  /// - Parameter interface: Where to choose from; nil: everywhere.
  /// - Throws: `.none` if there is none, or none of that name; the message lists all names.
  package static func choose(
    from all: [GyroDescription], named requested: String?, interface: GyroInterface? = nil
  ) throws(DeviceError) -> GyroChoice {
    let present = all.indices.filter { interface == nil || all[$0].interface == interface }
    guard !present.isEmpty else { throw missing(all.first) }
    let candidates = present.filter { index in
      requested.map { all[index].isNamed($0) } ?? true
    }
    // No two ranks are equal, since ids differ.
    let sorted = candidates.sorted { Rank(all[$0]) < Rank(all[$1]) }
    guard let first = sorted.first else {
      let others = present.map { "\(all[$0].name) (\(all[$0].id))" }.joined(separator: ", ")
      throw .none(
        "no gyroscope is named '\(requested ?? "")'; found: \(others); use one of these names, or none"
      )
    }
    let advantage = sorted.dropFirst().first.map { second in
      Rank(all[first]).advantage(over: Rank(all[second]), all[first])
    }
    switch (requested, advantage) {
    case (nil, nil): return GyroChoice(index: first, reason: "the only one")
    case (nil, let advantage?): return GyroChoice(index: first, reason: advantage)
    case (let name?, nil): return GyroChoice(index: first, reason: "'\(name)' was requested")
    case (let name?, let advantage?):
      return GyroChoice(
        index: first, reason: "'\(name)' was requested; of \(sorted.count) matches: \(advantage)")
    }
  }
}

extension GyroChoice {
  /// - Parameter other: A gyroscope that `source.kind` leaves out.
  private static func missing(_ other: GyroDescription?) -> DeviceError {
    guard let other else {
      return .none("no gyroscope with three axes was found; 'parallax doctor' shows what to check")
    }
    let found =
      other.interface == .evdev ? "no sensor but a controller" : "no controller but a sensor"
    return .none(
      "\(found) was found, \(other.name); set source.kind to \"\(other.interface.rawValue)\" to use it"
    )
  }
}

extension GyroDescription {
  /// Whether `text`, the value of `source.device`, means this gyroscope.
  package func isNamed(_ text: String) -> Bool {
    // Drivers write an address in capital or in small letters.
    [name, label, id, node].contains(text) || uniq?.lowercased() == text.lowercased()
  }

  /// The location that its label or the firmware states.
  fileprivate var displayPlace: Rank.Place {
    let words = [label, location].compactMap { $0?.lowercased() }
    func says(_ parts: [String]) -> Bool { words.contains { parts.contains(where: $0.contains) } }
    if says(["display", "lid", "screen"]) { return .display }
    return says(["base", "keyboard"]) ? .keyboard : .unknown
  }
}

/// The criteria, the strongest first.
private struct Rank: Comparable {
  enum Place: Int {
    case display, unknown, keyboard
  }

  let place: Place
  let isController: Bool
  let canStream: Bool
  let name: String
  /// `iio:device10` comes after `iio:device9`.
  let number: Int
  let id: String

  init(_ gyro: GyroDescription) {
    place = gyro.displayPlace
    isController = gyro.interface == .evdev
    canStream = gyro.canStream
    name = gyro.name
    id = gyro.id
    number = Int(String(gyro.id.reversed().prefix { $0.isNumber }.reversed())) ?? 0
  }

  static func < (left: Rank, right: Rank) -> Bool {
    if left.place != right.place { return left.place.rawValue < right.place.rawValue }
    if left.isController != right.isController { return right.isController }
    if left.canStream != right.canStream { return left.canStream }
    if left.name != right.name { return left.name < right.name }
    return (left.number, left.id) < (right.number, right.id)
  }

  /// Why it comes before the second one.
  func advantage(over second: Rank, _ gyro: GyroDescription) -> String {
    if place != second.place {
      guard place == .display else { return "the other is at the keyboard" }
      let words = [gyro.label, gyro.location].compactMap(\.self).joined(separator: ", ")
      return "it is at the display ('\(words)')"
    }
    if isController != second.isController { return "a sensor comes before a controller" }
    if canStream != second.canStream {
      return "it streams through a buffer, and the next, \(second.name), does not"
    }
    return name == second.name ? "the lowest number of that name" : "the first by name"
  }
}
