// SPDX-License-Identifier: Apache-2.0

extension HeaderLine {
  /// The options to try with an unknown header. They name the cells that look most like a gyroscope's,
  /// or else the first ones, and are safe to paste into a shell, whatever the cells contain.
  ///
  /// nil if there are too few cells, or if they cannot be named on a command line.
  var suggestedOptions: String? {
    let names = cells.filter { !$0.name.isEmpty && $0.name.isPrintable }
    guard names.count >= 3 else { return nil }
    var chosen: [HeaderCell] = []
    func pick(_ test: (String) -> Bool) -> HeaderCell? {
      names.first { cell in
        test(cell.base) && !chosen.contains { $0.name.lowercased() == cell.name.lowercased() }
      }
    }
    let time = pick {
      $0.holds("time") || $0.holds("stamp") || $0.hasPrefix("zeit") || $0 == "t"
        || $0.hasPrefix("t_")
    }
    if let time { chosen.append(time) }
    for (axis, turn) in [("x", "roll"), ("y", "pitch"), ("z", "yaw")] {
      let isGyro = { (base: String) in
        base.holds("gyr") || base.holds("rot") || base.holds("ang")
          || base.hasPrefix("w") || base.holds("omega")
      }
      // Most programs write the axis after the sensor's name, some before it.
      let endsInAxis = { (base: String) in base.hasSuffix(axis) || base.holds("_\(axis)") }
      let beginsWithAxis = { (base: String) in base.hasPrefix(axis) }
      let found =
        pick { $0.holds(turn) } ?? pick { isGyro($0) && endsInAxis($0) }
        ?? pick { isGyro($0) && beginsWithAxis($0) } ?? pick(endsInAxis) ?? pick(beginsWithAxis)
        ?? pick { _ in true }
      guard let found else { break }
      chosen.append(found)
    }
    let roles = time == nil ? ["x", "y", "z"] : ["t", "x", "y", "z"]
    let columns = zip(roles, chosen).map { "\($0)=\($1.name)" }.joined(separator: ",")
    guard columns.count <= 200, let choice = try? ColumnChoice(parsing: columns),
      [choice.t, choice.x, choice.y, choice.z].compactMap({ $0 }) == chosen.map(\.name)
    else { return nil }
    let rates = chosen.dropFirst(time == nil ? 0 : 1)
    return "--columns \(Self.shellWord(columns))" + Self.timeOption(time)
      + Self.rateOption(Array(rates))
  }

  /// Returns ` --time-unit U`, unless the cell gives the unit.
  private static func timeOption(_ time: HeaderCell?) -> String {
    guard let time else { return " --input-rate 100" }
    if time.timeUnit != nil { return "" }
    // For example stamp_ms.
    let words = time.base.split { !$0.isLetter }
    let unit = words.count > 1 ? words.last.flatMap { TimeUnit(spelled: String($0)) } : nil
    return " --time-unit \((unit ?? .seconds).rawValue)"
  }

  /// Returns ` --gyro-unit U`, unless the cells give the unit.
  private static func rateOption(_ rates: [HeaderCell]) -> String {
    if let unit = rates.first?.gyroUnit, rates.dropFirst().first?.gyroUnit == unit { return "" }
    let isDegrees = rates.contains { $0.base.holds("deg") || $0.base.holds("dps") }
    return " --gyro-unit \(isDegrees ? "deg/s" : "rad/s")"
  }

  /// Returns the text in single quotes, in which a shell expands nothing.
  private static func shellWord(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }
}
