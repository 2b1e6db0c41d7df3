// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxConfig
import ParallaxMotion

/// The options of the pipeline from samples to motion, for every command that runs it.
///
/// Each is a setting in the text form of the configuration, which checks it and reports errors.
struct MotionOptions: ParsableArguments {
  // Values may begin with a minus sign: `--range -5:5`, and a clear message about `--rate -5`.
  @Option(setting: "sampling.rate", "HZ|native", parsing: .unconditional)
  var rate: SettingAssignment?

  @Option(setting: "sampling.resample", "mean|linear|hold")
  var resample: SettingAssignment?

  @Option(setting: "motion.mode", "rate|tilt")
  var mode: SettingAssignment?

  @Option(setting: "motion.recenter", "S", parsing: .unconditional)
  var recenter: SettingAssignment?

  @Option(setting: "motion.bias", "auto|off")
  var bias: SettingAssignment?

  @Option(setting: "motion.scale", "S|SX,SY", parsing: .unconditional)
  var scale: SettingAssignment?

  @Option(
    parsing: .unconditional,
    help: .init("Limits of motion on both axes in px, as in --range=-5:5.", valueName: "LO:HI"))
  var range: String?

  @Option(setting: "motion.range-x", "LO:HI", parsing: .unconditional)
  var rangeX: SettingAssignment?

  @Option(setting: "motion.range-y", "LO:HI", parsing: .unconditional)
  var rangeY: SettingAssignment?

  @Option(
    setting: "motion.smoothing", "SPEC",
    help: "Filter for hand tremor and sensor noise: \(Smoothing.syntax).")
  var smoothing: SettingAssignment?

  @Option(
    setting: "orientation.source", Orientation.allCases.map(\.rawValue).joined(separator: "|"),
    name: "orientation")
  var orientation: SettingAssignment?

  @Option(setting: "motion.mount-matrix", "a,b,c;d,e,f;g,h,i", parsing: .unconditional)
  var mountMatrix: SettingAssignment?

  /// Returns a note for each option that changes nothing with these settings.
  func notes(with settings: MotionSettings) -> [String] {
    var notes: [String] = []
    if let recenter, settings.mode == .rate {
      notes.append("\(recenter.option): has no effect in rate mode; add --mode tilt")
    }
    if let resample, settings.frameRate == .native {
      notes.append("\(resample.option): has no effect with the rate native; add --rate HZ")
    }
    return notes
  }

  /// The requested settings in the order in which they take effect.
  var assignments: [SettingAssignment] {
    var bias = bias
    // In a configuration, "auto" is the default. As an option, it also applies to traces.
    if bias?.text == "auto" { bias?.text = "on" }
    let ranges = ["motion.range-x", "motion.range-y"].map { key in
      range.map { SettingAssignment(key: key, text: $0, option: "--range") }
    }
    return
      ([rate, resample, mode, recenter, bias, scale] + ranges
      + [rangeX, rangeY, smoothing, orientation, mountMatrix]).compactMap(\.self)
  }
}
