// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxBase
import ParallaxMotion
import ParallaxTrace

/// How to read a trace whose header lacks information.
struct TraceReadingOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: .init("Rows per second of a trace without times.", valueName: "HZ"))
  var inputRate: String?

  @Option(
    help: .init("Columns by name: t=NAME,x=NAME,y=NAME,z=NAME.", valueName: "MAP"))
  var columns: String?

  @Option(
    help: .init("Unit of the times.", valueName: "s|ms|us|ns"),
    completion: .list(["s", "ms", "us", "ns"]))
  var timeUnit: String?

  @Option(
    help: .init("Unit of the rates.", valueName: "rad/s|deg/s"),
    completion: .list(["rad/s", "deg/s"]))
  var gyroUnit: String?

  @Flag(help: "Skip rows that cannot be read, and count them.")
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

/// Numbers in options that are not settings.
enum OptionText {
  static func number(
    _ text: String, in range: ClosedRange<Double>, option: String, allowed: String
  ) throws(CommandFailure) -> Double {
    guard let value = SettingText.number(text), range.contains(value) else {
      throw CommandFailure(.usage, "\(option): invalid value '\(text)'; use \(allowed)")
    }
    return value
  }
}
