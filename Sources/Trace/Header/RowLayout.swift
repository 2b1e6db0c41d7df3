// SPDX-License-Identifier: Apache-2.0

/// The columns of a row, and the factors to nanoseconds and rad/s.
struct RowLayout: Equatable {
  var dialect: TraceDialect
  var separator: UInt8
  /// The names of the columns, for messages.
  var names: [String]
  /// The number of columns up to the last named one: a whole row has at least that many.
  var namedCount: Int
  /// nil if `inputRateHertz` determines the times.
  var timeColumn: Int?
  var timeScale = TimeUnit.seconds.scale
  var inputRateHertz: Double?
  /// The columns of x, y and z; z is nil if the header has none.
  var x: Int
  var y: Int
  var z: Int?
  /// The rad/s of one unit of the column; negative if the orientation of a log negates the axis.
  var scaleX: Double
  var scaleY: Double
  var scaleZ: Double
  /// Whether the rates may be in degrees by mistake, so a very fast one causes a warning.
  var mayBeDegrees: Bool

  /// The decimal separator besides the point: a comma, unless commas separate the columns.
  var decimalMark: UInt8 { UInt8(ascii: separator == UInt8(ascii: ",") ? "." : ",") }

  /// Finds the columns in a header line.
  ///
  /// - Returns: nil if the line is not the header of a known dialect or of the chosen columns.
  /// - Throws: an error if it is one but lacks something that an option can give.
  static func find(
    in line: HeaderLine, options: TraceOptions, gyroflow: GyroflowLog?, fileName: String?
  ) throws(RowLayoutError) -> RowLayout? {
    guard let match = match(line, options: options, gyroflow: gyroflow) else { return nil }
    if options.gyroUnit == nil, options.columns == nil {
      if match.gyroUnit == nil, gyroflow == nil, let unit = line.otherSensorUnit {
        throw RowLayoutError(
          kind: .otherSensor,
          message: "the header's unit is \(quoted(unit)), not an angular rate: this looks like "
            + "another sensor's file; use the gyroscope's, or add --gyro-unit if this is the right "
            + "one")
      }
      if match.mayBeOtherSensor, let word = otherSensorWord(in: fileName) {
        throw RowLayoutError(
          kind: .otherSensor,
          message: "the file name contains \(word), and this app's accelerometer files have the "
            + "same header; use the gyroscope's file, or add --gyro-unit rad/s if this is the "
            + "right one")
      }
    }
    var layout = RowLayout(
      dialect: match.dialect, separator: line.separator, names: line.cells.map(\.name),
      namedCount: line.namedCount, x: match.x, y: match.y, z: match.z, scaleX: 1, scaleY: 1,
      scaleZ: 1, mayBeDegrees: true)
    try layout.resolve(match, options: options, gyroflow: gyroflow)
    return layout
  }

  private static func match(
    _ line: HeaderLine, options: TraceOptions, gyroflow: GyroflowLog?
  ) -> DialectMatch? {
    guard let chosen = options.columns else {
      guard let match = DialectMatch(line, isGyroflow: gyroflow != nil) else { return nil }
      // Three columns x, y and z alone may come from any program.
      let isBare = match.dialect == .unknown && match.time == nil && match.gyroUnit == nil
      return isBare && options.inputRateHertz == nil ? nil : match
    }
    return DialectMatch(line, chosen: chosen)
  }

  private mutating func resolve(
    _ match: DialectMatch, options: TraceOptions, gyroflow: GyroflowLog?
  ) throws(RowLayoutError) {
    var missing: [String] = []
    if let hertz = options.inputRateHertz {
      inputRateHertz = hertz
    } else if let time = match.time {
      timeColumn = time.index
      if let scale = options.timeUnit?.scale ?? gyroflow?.timeScale ?? time.unit?.scale {
        timeScale = scale
      } else {
        missing.append("the unit of its times (add --time-unit s, ms, us or ns)")
      }
    } else {
      throw RowLayoutError(
        kind: .noTimes,
        message: match.dialect == .chosen
          ? "--columns names no time column; add t=NAME to it, or --input-rate with the number "
            + "of rows per second"
          : "the header has no time column; add --input-rate with the number of rows per second, "
            + "as in --input-rate 50")
    }
    if let scale = options.gyroUnit?.radiansPerSecond ?? gyroflow?.gyroScale
      ?? match.gyroUnit?.radiansPerSecond
    {
      (scaleX, scaleY, scaleZ) = (scale, scale, scale)
    } else {
      missing.append("the unit of its rates (add --gyro-unit rad/s or deg/s)")
    }
    guard missing.isEmpty else {
      throw RowLayoutError(
        kind: .unknownUnits,
        message: "the header does not give " + missing.joined(separator: " or "))
    }
    mayBeDegrees = (options.gyroUnit ?? match.gyroUnit) != .degreesPerSecond
    if let gyroflow, match.dialect == .gyroflow { turn(by: gyroflow.axes) }
  }

  /// Applies the orientation of a Gyroflow log: its letters name the logged axes of x, y and z, in lower
  /// case if negated.
  private mutating func turn(by axes: [GyroflowLog.Axis]) {
    let logged = [x, y, z]
    func column(_ axis: GyroflowLog.Axis) -> Int? { logged[axis.index] }
    guard let newX = column(axes[0]), let newY = column(axes[1]) else { return }
    x = newX
    y = newY
    z = column(axes[2])
    if axes[0].isNegated { scaleX = -scaleX }
    if axes[1].isNegated { scaleY = -scaleY }
    if axes[2].isNegated { scaleZ = -scaleZ }
  }

  /// Returns the word in a file's name that indicates another sensor.
  private static func otherSensorWord(in fileName: String?) -> String? {
    guard let name = fileName?.lowercased() else { return nil }
    return ["Accel", "Gravity", "Magnet"].first { name.holds($0.lowercased()) }
  }
}

/// A header that lacks something, which the message asks for. The caller adds the place.
struct RowLayoutError: Error {
  let kind: TraceError.Kind
  let message: String
}

extension DialectMatch {
  /// Finds the columns that the command line names; nil if this line lacks one of them.
  init?(_ line: HeaderLine, chosen: ColumnChoice) {
    guard let x = line.index(ofName: chosen.x), let y = line.index(ofName: chosen.y) else {
      return nil
    }
    var time: TimeColumn?
    if let name = chosen.t {
      guard let index = line.index(ofName: name) else { return nil }
      time = TimeColumn(index: index, unit: line.cells[index].timeUnit)
    }
    var z: Int?
    if let name = chosen.z {
      guard let index = line.index(ofName: name) else { return nil }
      z = index
    }
    let unit = line.cells[x].gyroUnit
    self.init(
      dialect: .chosen, time: time, x: x, y: y, z: z,
      gyroUnit: unit == line.cells[y].gyroUnit ? unit : nil)
  }

  init(dialect: TraceDialect, time: TimeColumn?, x: Int, y: Int, z: Int?, gyroUnit: GyroUnit?) {
    self.dialect = dialect
    self.time = time
    self.x = x
    self.y = y
    self.z = z
    self.gyroUnit = gyroUnit
  }
}
