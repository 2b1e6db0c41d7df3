// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
import ParallaxMotion

/// The unit of a trace's times.
package enum TimeUnit: String, CaseIterable, Equatable, Sendable {
  case seconds = "s"
  case milliseconds = "ms"
  case microseconds = "us"
  case nanoseconds = "ns"

  /// Parses `s`, `ms`, `us` or `ns`.
  package init(parsing text: String) throws(SettingError) {
    guard let unit = TimeUnit(rawValue: text) else {
      throw SettingError("unknown unit of time '\(text)'; use s, ms, us or ns")
    }
    self = unit
  }

  /// Recognizes the spellings in headers, in lower case; nil for other text.
  init?(spelled text: String) {
    switch text {
    case "s", "sec", "secs", "second", "seconds": self = .seconds
    case "ms", "msec", "millisecond", "milliseconds": self = .milliseconds
    // U+FFFD is what the Latin-1 micro sign, invalid as UTF-8, decodes to.
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

/// The unit of a trace's rates.
package enum GyroUnit: String, CaseIterable, Equatable, Sendable {
  case radiansPerSecond = "rad/s"
  case degreesPerSecond = "deg/s"

  /// Parses `rad/s` or `deg/s`.
  package init(parsing text: String) throws(SettingError) {
    guard let unit = GyroUnit(rawValue: text) else {
      throw SettingError("unknown unit of angular rate '\(text)'; use rad/s or deg/s")
    }
    self = unit
  }

  /// Recognizes the spellings in headers, in lower case; nil for other text.
  init?(spelled text: String) {
    switch text {
    case "rad/s", "rad s^-1", "rad s-1", "rad s\u{207B}\u{B9}", "rad*s^-1", "rad/sec", "rads/s",
      "radians/s":
      self = .radiansPerSecond
    // U+FFFD is what the Latin-1 degree sign, invalid as UTF-8, decodes to.
    case "deg/s", "deg s^-1", "deg s-1", "deg/sec", "degrees/s", "degrees/sec", "dps", "\u{B0}/s",
      "\u{FFFD}/s":
      self = .degreesPerSecond
    default: return nil
    }
  }

  /// The rad/s of one unit.
  var radiansPerSecond: Double {
    switch self {
    case .radiansPerSecond: 1
    case .degreesPerSecond: .pi / 180
    }
  }
}

/// The names of the columns: `--columns t=NAME,x=NAME,y=NAME,z=NAME`.
package struct ColumnChoice: Equatable, Sendable {
  /// nil if `--input-rate` determines the times.
  package let t: String?
  package let x: String
  package let y: String
  /// nil if z is not needed.
  package let z: String?

  package init(t: String?, x: String, y: String, z: String?) {
    self.t = t
    self.x = x
    self.y = y
    self.z = z
  }

  /// Parses `t=NAME,x=NAME,y=NAME,z=NAME`, each at most once, in any order; a name may contain commas.
  package init(parsing text: String) throws(SettingError) {
    var names: [Character: String] = [:]
    var current: Character?
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let begin = part.drop { $0 == " " }
      if let axis = begin.first, "txyz".contains(axis), begin.dropFirst().first == "=" {
        guard names[axis] == nil else {
          throw SettingError("the columns '\(text)' name \(axis) twice; name each axis once")
        }
        names[axis] = String(begin.dropFirst(2))
        current = axis
      } else if let axis = current {
        names[axis, default: ""] += "," + part
      } else {
        throw SettingError(
          "invalid columns '\(text)'; write t=NAME,x=NAME,y=NAME,z=NAME")
      }
    }
    guard let x = names["x"], let y = names["y"], names.values.allSatisfy({ !$0.isEmpty }) else {
      throw SettingError(
        "the columns '\(text)' lack a name for x or y; write t=NAME,x=NAME,y=NAME,z=NAME")
    }
    guard Set(names.values).count == names.count else {
      throw SettingError("the columns '\(text)' use one column twice; give each axis its own")
    }
    self.init(t: names["t"], x: x, y: y, z: names["z"])
  }
}

/// The options of the command line for reading a trace.
package struct TraceOptions: Equatable, Sendable {
  /// nil: the columns of the known dialects.
  package var columns: ColumnChoice?
  /// Overrides the header's unit; nil: as in the header.
  package var timeUnit: TimeUnit?
  /// Overrides the header's unit; nil: as in the header.
  package var gyroUnit: GyroUnit?
  /// Rows per second. The rows are then evenly spaced, and the times in the file are not read.
  package var inputRateHertz: Double?
  /// Whether rows that cannot be read are counted rather than an error.
  package var skipsBadRows = false

  package static let inputRateRange = 0.001...1_000_000.0

  package init() {}

  /// Parses the value of `--input-rate`.
  package static func inputRate(parsing text: String) throws(SettingError) -> Double {
    guard let hertz = SettingText.number(text), inputRateRange.contains(hertz) else {
      throw SettingError("invalid row rate '\(text)'; use 0.001 to 1000000 Hz")
    }
    return hertz
  }
}
