// SPDX-License-Identifier: Apache-2.0

/// The program that wrote a trace, recognized by the header.
enum TraceDialect: String, CaseIterable, Equatable, Sendable {
  /// `t,x,y,z`, the output of `parallax record`.
  case native
  /// Sensor Logger (tszheichoi.com): `time,seconds_elapsed,z,y,x`.
  case sensorLogger
  /// phyphox: `Time (s)`, `X (rad/s)` or `Gyroscope x (rad/s)`. xio exports are similar:
  /// `Gyroscope X (deg/s)`.
  case phyphox
  /// EuRoC MAV: `#timestamp [ns],w_RS_S_x [rad s^-1]`.
  case euroc
  /// MotionSense (Core Motion, rad/s): `rotationRate.x`, without times.
  case motionSense
  /// Physics Toolbox: `time,wx,wy,wz`, often among the columns of other sensors.
  case physicsToolbox
  /// Gyroflow's `.gcsv`: `t,gx,gy,gz` below lines of `key,value`.
  case gyroflow
  /// A decoded Betaflight blackbox log: `time (us)`, `gyroADC[0] (deg/s)`.
  case betaflight
  /// HHAR (Stisen 2015): `Creation_Time,x,y,z` among others; rad/s, as on Android.
  case hhar
  /// Columns named on the command line.
  case chosen
  /// Columns that look like a gyroscope's, from an unknown program.
  case unknown
}

/// The time column, with the unit from its header or dialect; nil if neither gives it.
struct TimeColumn: Equatable {
  var index: Int
  var unit: TimeUnit?
}

/// The columns of a gyroscope found in a header.
struct DialectMatch: Equatable {
  var dialect: TraceDialect
  /// nil if the header has no time column.
  var time: TimeColumn?
  var x: Int
  var y: Int
  var z: Int?
  /// nil if neither the header nor the dialect gives it.
  var gyroUnit: GyroUnit?

  /// Finds the columns by name; nil if the line is not a known header.
  ///
  /// - Parameter isGyroflow: Whether the first line is that of a Gyroflow log.
  init?(_ line: HeaderLine, isGyroflow: Bool) {
    for (dialect, names) in Self.axes {
      guard let x = line.index(ofBase: names[0]), let y = line.index(ofBase: names[1]) else {
        continue
      }
      self.dialect = dialect
      self.x = x
      self.y = y
      z = line.index(ofBase: names[2])
      let units = [x, y].map { line.cells[$0].gyroUnit }
      gyroUnit = units[0] == units[1] ? units[0] : nil
      complete(with: line, isGyroflow: isGyroflow)
      guard self.dialect == .unknown, time == nil, gyroUnit == nil else { return }
    }
    return nil
  }

  /// The names of x, y and z in lower case, most specific first: a file may contain several of them.
  private static let axes: [(TraceDialect, [String])] = [
    (.euroc, ["w_rs_s_x", "w_rs_s_y", "w_rs_s_z"]),
    (.motionSense, ["rotationrate.x", "rotationrate.y", "rotationrate.z"]),
    (.betaflight, ["gyroadc[0]", "gyroadc[1]", "gyroadc[2]"]),
    (.phyphox, ["gyroscope x", "gyroscope y", "gyroscope z"]),
    (.physicsToolbox, ["wx", "wy", "wz"]),
    (.gyroflow, ["gx", "gy", "gz"]),
    (.native, ["x", "y", "z"]),
  ]

  /// Determines what the names of the axes do not: the program that wrote `x,y,z`, the times, the units.
  private mutating func complete(with line: HeaderLine, isGyroflow: Bool) {
    func column(_ base: String, implied: TimeUnit?) -> TimeColumn? {
      guard let index = line.index(ofBase: base) else { return nil }
      switch line.cells[index].unit {
      case nil: return TimeColumn(index: index, unit: implied)
      case .time(let unit): return TimeColumn(index: index, unit: unit)
      default: return nil
      }
    }
    let anyTime =
      column("time", implied: nil) ?? column("timestamp", implied: nil)
      ?? column("t", implied: nil) ?? column("seconds_elapsed", implied: .seconds)
    switch dialect {
    case .euroc:
      time = column("timestamp", implied: nil) ?? anyTime
    case .motionSense:
      gyroUnit = gyroUnit ?? .radiansPerSecond
      time = anyTime
    case .betaflight:
      time = column("time", implied: .microseconds) ?? anyTime
    case .physicsToolbox:
      gyroUnit = gyroUnit ?? .radiansPerSecond
      time = column("time", implied: .seconds) ?? anyTime
    case .gyroflow:
      time = column("t", implied: nil) ?? anyTime
      if !isGyroflow { dialect = .unknown }
    case .phyphox:
      time = anyTime
    default:
      completeBare(with: line, column: column, anyTime: anyTime)
    }
  }

  /// Determines the dialect of columns named `x,y,z`, by the time column.
  private mutating func completeBare(
    with line: HeaderLine, column: (String, TimeUnit?) -> TimeColumn?, anyTime: TimeColumn?
  ) {
    let hasForeignUnit =
      switch line.cells[x].unit {
      case .other, .time: true
      default: false
      }
    if gyroUnit != nil {
      dialect = .phyphox
      time = anyTime
    } else if hasForeignUnit {
      dialect = .unknown
      time = anyTime
    } else if let creation = column("creation_time", .nanoseconds) {
      dialect = .hhar
      time = creation
      gyroUnit = .radiansPerSecond
    } else if let elapsed = column("seconds_elapsed", .seconds) {
      dialect = .sensorLogger
      time = column("time", .nanoseconds) ?? elapsed
      gyroUnit = .radiansPerSecond
    } else if let seconds = column("t", .seconds) {
      dialect = .native
      time = seconds
      gyroUnit = .radiansPerSecond
    } else {
      dialect = .unknown
      time = anyTime
    }
  }

  /// Whether the dialect's accelerometer files have the same header as its gyroscope files.
  var mayBeOtherSensor: Bool { dialect == .sensorLogger || dialect == .hhar }
}

extension HeaderLine {
  /// The unit of an axis that is not an angular rate, as in the file of an accelerometer.
  var otherSensorUnit: String? {
    for cell in cells {
      guard case .other(let unit) = cell.unit else { continue }
      let isAxis = ["x", "y", "z"].contains { cell.base == $0 || cell.base.hasSuffix(" \($0)") }
      if isAxis { return unit }
    }
    return nil
  }
}
