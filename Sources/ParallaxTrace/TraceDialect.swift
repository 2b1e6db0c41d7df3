/// Who wrote a trace, as far as its header tells.
package enum TraceDialect: String, CaseIterable, Equatable, Sendable {
  /// `t,x,y,z`: what `parallax record` writes.
  case own
  /// tszheichoi's Sensor Logger: `time,seconds_elapsed,z,y,x`.
  case sensorLogger
  /// phyphox: `Time (s)`, `X (rad/s)` or `Gyroscope x (rad/s)`. xio's exports look alike:
  /// `Gyroscope X (deg/s)`.
  case phyphox
  /// EuRoC MAV: `#timestamp [ns],w_RS_S_x [rad s^-1]`.
  case euroc
  /// MotionSense (Core Motion, rad/s): `rotationRate.x`, without times.
  case motionSense
  /// Physics Toolbox: `time,wx,wy,wz`, often among other sensors' columns.
  case physicsToolbox
  /// Gyroflow's `.gcsv`: `t,gx,gy,gz` behind lines of `key,value`.
  case gyroflow
  /// Betaflight's decoded blackbox: `time (us)`, `gyroADC[0] (deg/s)`.
  case betaflight
  /// HHAR (Stisen 2015): `Creation_Time,x,y,z` among others; Android's rad/s.
  case hhar
  /// Columns that the command line names.
  case chosen
  /// Columns that look like a gyroscope's, from nobody known.
  case unknown
}

/// A column with the unit its header or its dialect gives; nil where neither does.
struct TimeColumn: Equatable {
  var index: Int
  var unit: TimeUnit?
}

/// The columns of a gyroscope in a header.
struct DialectMatch: Equatable {
  var dialect: TraceDialect
  /// nil: the header has no times.
  var time: TimeColumn?
  var x: Int
  var y: Int
  var z: Int?
  /// nil: neither header nor dialect says it.
  var gyroUnit: GyroUnit?

  /// Finds the columns by name.
  ///
  /// - Parameter isGyroflow: the file began as a Gyroflow log.
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

  /// Names of x, y and z in lower case; a file may have several, the most telling come first.
  private static let axes: [(TraceDialect, [String])] = [
    (.euroc, ["w_rs_s_x", "w_rs_s_y", "w_rs_s_z"]),
    (.motionSense, ["rotationrate.x", "rotationrate.y", "rotationrate.z"]),
    (.betaflight, ["gyroadc[0]", "gyroadc[1]", "gyroadc[2]"]),
    (.phyphox, ["gyroscope x", "gyroscope y", "gyroscope z"]),
    (.physicsToolbox, ["wx", "wy", "wz"]),
    (.gyroflow, ["gx", "gy", "gz"]),
    (.own, ["x", "y", "z"]),
  ]

  /// Settles what the names of the axes leave open: who wrote `x,y,z`, the times, the units.
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

  /// `x,y,z` without a word about the sensor: the column of times tells who wrote it.
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
    } else if let own = column("t", .seconds) {
      dialect = .own
      time = own
      gyroUnit = .radiansPerSecond
    } else {
      dialect = .unknown
      time = anyTime
    }
  }

  /// Whether this dialect's accelerometer files have the same header as its gyroscope's.
  var mayBeOtherSensor: Bool { dialect == .sensorLogger || dialect == .hhar }
}

extension HeaderLine {
  /// The unit by which this header gives itself away as an accelerometer's or a magnetometer's.
  var otherSensorUnit: String? {
    for cell in cells {
      guard case .other(let unit) = cell.unit else { continue }
      let isAxis = ["x", "y", "z"].contains { cell.base == $0 || cell.base.hasSuffix(" \($0)") }
      if isAxis { return unit }
    }
    return nil
  }
}
