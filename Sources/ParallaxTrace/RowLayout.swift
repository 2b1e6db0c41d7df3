internal import ParallaxMotion

/// Where a row's numbers stand and how they become nanoseconds and rad/s.
struct RowLayout: Equatable {
  var dialect: TraceDialect
  var separator: UInt8
  /// The columns' names, for messages.
  var names: [String]
  /// Columns up to the last that has a name: what a whole row has at least.
  var namedCount: Int
  /// nil: `inputRateHertz` gives the times.
  var timeColumn: Int?
  var timeScale = TimeUnit.seconds.scale
  var inputRateHertz: Double?
  /// Columns of x, y and z; z is nil where the header has none.
  var x: Int
  var y: Int
  var z: Int?
  /// rad/s in one unit of the column; below 0 where a log's orientation negates it.
  var scaleX: Double
  var scaleY: Double
  var scaleZ: Double
  /// Whether the rates may be degrees by mistake, so that very fast ones deserve a warning.
  var mayBeDegrees: Bool

  /// What stands for the decimal point beside the point: a comma where it separates no columns.
  var decimalMark: UInt8 { UInt8(ascii: separator == UInt8(ascii: ",") ? "." : ",") }

  /// A message that says what the command line has to add. The caller adds the place.
  struct Refusal: Error {
    let kind: TraceError.Kind
    let message: String
  }

  /// Finds the columns in a header line.
  ///
  /// - Returns: nil where the line is no header of any kind known or chosen.
  /// - Throws: where it is one but something is missing that the command line can say.
  static func find(
    in line: HeaderLine, options: TraceOptions, gyroflow: GyroflowLog?, fileName: String?
  ) throws(Refusal) -> RowLayout? {
    guard let match = try match(line, options: options, gyroflow: gyroflow) else { return nil }
    if options.gyroUnit == nil, options.columns == nil {
      if match.gyroUnit == nil, gyroflow == nil, let unit = line.otherSensorUnit {
        throw Refusal(
          kind: .otherSensor,
          message: "the header's unit is \(quoted(unit)), not an angular rate: this looks like "
            + "another sensor's file; give the gyroscope's, or add --gyro-unit if it is one")
      }
      if match.mayBeOtherSensor, let word = otherSensorWord(in: fileName) {
        throw Refusal(
          kind: .otherSensor,
          message: "the name says \(word), and this app's accelerometer files look the same "
            + "inside; give the gyroscope's file, or add --gyro-unit rad/s if it is one")
      }
    }
    var layout = RowLayout(
      dialect: match.dialect, separator: line.separator, names: line.cells.map(\.name),
      namedCount: line.namedCount, x: match.x, y: match.y, z: match.z, scaleX: 1, scaleY: 1,
      scaleZ: 1, mayBeDegrees: true)
    try layout.settle(match, options: options, gyroflow: gyroflow)
    return layout
  }

  private static func match(
    _ line: HeaderLine, options: TraceOptions, gyroflow: GyroflowLog?
  ) throws(Refusal) -> DialectMatch? {
    guard let chosen = options.columns else {
      guard let match = DialectMatch(line, isGyroflow: gyroflow != nil) else { return nil }
      // Three columns x, y and z alone are anybody's.
      let isBare = match.dialect == .unknown && match.time == nil && match.gyroUnit == nil
      return isBare && options.inputRateHertz == nil ? nil : match
    }
    return DialectMatch(line, chosen: chosen)
  }

  private mutating func settle(
    _ match: DialectMatch, options: TraceOptions, gyroflow: GyroflowLog?
  ) throws(Refusal) {
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
      throw Refusal(
        kind: .noTimes,
        message: match.dialect == .chosen
          ? "--columns names no times; add t=NAME to it, or --input-rate with the rows a second"
          : "the header has no column of times; add --input-rate with the rows a second, as in "
            + "--input-rate 50")
    }
    if let scale = options.gyroUnit?.radiansPerSecond ?? gyroflow?.gyroScale
      ?? match.gyroUnit?.radiansPerSecond
    {
      (scaleX, scaleY, scaleZ) = (scale, scale, scale)
    } else {
      missing.append("the unit of its rates (add --gyro-unit rad/s or deg/s)")
    }
    guard missing.isEmpty else {
      throw Refusal(
        kind: .unknownUnits,
        message: "the header does not say " + missing.joined(separator: " nor "))
    }
    mayBeDegrees = (options.gyroUnit ?? match.gyroUnit) != .degreesPerSecond
    if let gyroflow, match.dialect == .gyroflow { turn(by: gyroflow.axes) }
  }

  /// Gyroflow's orientation: the first letter says which of the logged axes is x, a small one that
  /// it is negated; then y, then z.
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

  private static func otherSensorWord(in fileName: String?) -> String? {
    guard let name = fileName?.lowercased() else { return nil }
    return ["Accel", "Gravity", "Magnet"].first { name.holds($0.lowercased()) }
  }
}

extension DialectMatch {
  /// The columns that the command line names; nil where this line lacks one of them.
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
