import ArgumentParser
import ParallaxMotion
import ParallaxTrace

/// How a trace is read where its header does not say it all.
struct TraceReadingOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: .init("Rows a second of a trace without times.", valueName: "HZ"))
  var inputRate: String?

  @Option(
    help: .init("The columns by name: t=NAME,x=NAME,y=NAME,z=NAME.", valueName: "MAP"))
  var columns: String?

  @Option(help: .init("The unit of times.", valueName: "s|ms|us|ns"))
  var timeUnit: String?

  @Option(help: .init("The unit of rates.", valueName: "rad/s|deg/s"))
  var gyroUnit: String?

  @Flag(help: "Leave out rows that cannot be read, and count them.")
  var skipBadRows = false

  func options() throws(CommandFailure) -> TraceOptions {
    var options = TraceOptions()
    options.skipsBadRows = skipBadRows
    options.inputRateHertz = try parse(inputRate, "--input-rate") {
      (text) throws(SettingError) in try TraceOptions.inputRate(parsing: text)
    }
    options.columns = try parse(columns, "--columns") {
      (text) throws(SettingError) in try ColumnChoice(parsing: text)
    }
    options.timeUnit = try parse(timeUnit, "--time-unit") {
      (text) throws(SettingError) in try TimeUnit(parsing: text)
    }
    options.gyroUnit = try parse(gyroUnit, "--gyro-unit") {
      (text) throws(SettingError) in try GyroUnit(parsing: text)
    }
    return options
  }

  private func parse<Value>(
    _ text: String?, _ option: String, _ read: (String) throws(SettingError) -> Value
  ) throws(CommandFailure) -> Value? {
    guard let text else { return nil }
    do {
      return try read(text)
    } catch {
      throw CommandFailure(.usage, "\(option): \(error.message)")
    }
  }
}

/// Numbers among options that are no settings.
enum OptionText {
  static func number(
    _ text: String, in range: ClosedRange<Double>, option: String, allowed: String
  ) throws(CommandFailure) -> Double {
    guard let value = SettingText.number(text), range.contains(value) else {
      throw CommandFailure(.usage, "\(option): '\(text)' is out of place; use \(allowed)")
    }
    return value
  }
}
