package import ParallaxMotion

/// What a trace's times count.
package enum TimeUnit: String, CaseIterable, Equatable, Sendable {
  case seconds = "s"
  case milliseconds = "ms"
  case microseconds = "us"
  case nanoseconds = "ns"

  /// Parses `s`, `ms`, `us` or `ns`.
  package init(parsing text: String) throws(SettingError) {
    guard let unit = TimeUnit(rawValue: text) else {
      throw SettingError("'\(text)' is no unit of time; use s, ms, us or ns")
    }
    self = unit
  }

  /// The unit as headers spell it, in lower case.
  init?(spelled text: String) {
    switch text {
    case "s", "sec", "secs", "second", "seconds": self = .seconds
    case "ms", "msec", "millisecond", "milliseconds": self = .milliseconds
    // The last is a micro sign in Latin-1, which is no UTF-8.
    case "us", "\u{B5}s", "\u{3BC}s", "\u{FFFD}s", "usec", "microsecond", "microseconds":
      self = .microseconds
    case "ns", "nsec", "nanosecond", "nanoseconds": self = .nanoseconds
    default: return nil
    }
  }

  var scale: TimeScale {
    switch self {
    case .seconds: TimeScale(mantissa: 1, exponent: 9)
    case .milliseconds: TimeScale(mantissa: 1, exponent: 6)
    case .microseconds: TimeScale(mantissa: 1, exponent: 3)
    case .nanoseconds: TimeScale(mantissa: 1, exponent: 0)
    }
  }
}

/// What a trace's rates count.
package enum GyroUnit: String, CaseIterable, Equatable, Sendable {
  case radiansPerSecond = "rad/s"
  case degreesPerSecond = "deg/s"

  /// Parses `rad/s` or `deg/s`.
  package init(parsing text: String) throws(SettingError) {
    guard let unit = GyroUnit(rawValue: text) else {
      throw SettingError("'\(text)' is no unit of angular rate; use rad/s or deg/s")
    }
    self = unit
  }

  /// The unit as headers spell it, in lower case.
  init?(spelled text: String) {
    switch text {
    case "rad/s", "rad s^-1", "rad s-1", "rad s\u{207B}\u{B9}", "rad*s^-1", "rad/sec", "rads/s",
      "radians/s":
      self = .radiansPerSecond
    // The last is a degree sign in Latin-1, which is no UTF-8.
    case "deg/s", "deg s^-1", "deg s-1", "deg/sec", "degrees/s", "degrees/sec", "dps", "\u{B0}/s",
      "\u{FFFD}/s":
      self = .degreesPerSecond
    default: return nil
    }
  }

  /// rad/s in one of this unit.
  var radiansPerSecond: Double {
    switch self {
    case .radiansPerSecond: 1
    case .degreesPerSecond: .pi / 180
    }
  }
}

/// Which columns hold what, by name: `--columns t=NAME,x=NAME,y=NAME,z=NAME`.
package struct ColumnChoice: Equatable, Sendable {
  /// nil where the trace has no times and `--input-rate` gives them.
  package let t: String?
  package let x: String
  package let y: String
  /// nil where z is not needed.
  package let z: String?

  package init(t: String?, x: String, y: String, z: String?) {
    self.t = t
    self.x = x
    self.y = y
    self.z = z
  }

  /// Parses `t=NAME,x=NAME,y=NAME,z=NAME`, each at most once, in any order; a name may hold commas.
  package init(parsing text: String) throws(SettingError) {
    var names: [Character: String] = [:]
    var current: Character?
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let begin = part.drop { $0 == " " }
      if let axis = begin.first, "txyz".contains(axis), begin.dropFirst().first == "=" {
        guard names[axis] == nil else {
          throw SettingError("the columns '\(text)' name \(axis) twice; name each once")
        }
        names[axis] = String(begin.dropFirst(2))
        current = axis
      } else if let axis = current {
        names[axis, default: ""] += "," + part
      } else {
        throw SettingError(
          "'\(text)' names no columns; write t=NAME,x=NAME,y=NAME,z=NAME")
      }
    }
    guard let x = names["x"], let y = names["y"], names.values.allSatisfy({ !$0.isEmpty }) else {
      throw SettingError(
        "the columns '\(text)' need a name for x and one for y; write t=NAME,x=NAME,y=NAME,z=NAME")
    }
    guard Set(names.values).count == names.count else {
      throw SettingError("the columns '\(text)' take one column twice; give each axis its own")
    }
    self.init(t: names["t"], x: x, y: y, z: names["z"])
  }
}

/// What the command line says about a trace, beyond what its header does.
package struct TraceOptions: Equatable, Sendable {
  /// nil: the columns are found by their names in the known dialects.
  package var columns: ColumnChoice?
  /// nil: as the header says. Else it counts instead of the header.
  package var timeUnit: TimeUnit?
  /// nil: as the header says. Else it counts instead of the header.
  package var gyroUnit: GyroUnit?
  /// Rows a second; the rows are then evenly spaced and times in the file are not read.
  package var inputRateHertz: Double?
  /// Rows that cannot be read are counted instead of refused.
  package var skipsBadRows = false

  package static let inputRateRange = 0.001...1_000_000.0

  package init() {}

  /// Parses the value of `--input-rate`.
  package static func inputRate(parsing text: String) throws(SettingError) -> Double {
    guard let hertz = SettingText.number(text), inputRateRange.contains(hertz) else {
      throw SettingError("'\(text)' is no rate of rows; use 0.001 to 1000000 Hz")
    }
    return hertz
  }
}
