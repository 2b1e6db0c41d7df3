// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxConfig

/// The options of the pipeline from samples to offsets, for `replay` and `run`.
struct PipelineOptions: ParsableArguments {
  @OptionGroup
  var motion: MotionOptions

  @Option(setting: "sampling.oversample", "N|auto", parsing: .unconditional)
  var oversample: SettingAssignment?

  @Option(setting: "layers", "NAME=DEPTH,...", help: "Layers and their depths, as in bg=0.2,fg=1.")
  var layers: SettingAssignment?

  @Flag(help: "Apply reduced motion.")
  var reduceMotion = false

  @Flag(help: "Assume low power.")
  var lowPower = false

  /// The requested settings in the order in which they take effect.
  var assignments: [SettingAssignment] {
    let flags = [
      (reduceMotion, "gates.reduce-motion", "--reduce-motion"),
      (lowPower, "gates.low-power", "--low-power"),
    ].map { isSet, key, option in
      isSet ? SettingAssignment(key: key, text: "on", option: option) : nil
    }
    return motion.assignments + ([oversample, layers] + flags).compactMap(\.self)
  }
}

extension CommandFailure {
  /// Prints all errors but the last, which ends the command. An error that two options share
  /// (`--range` sets both axes) is printed once.
  init(reporting error: ConfigurationErrors) {
    var lines: [String] = []
    for line in error.lines where !lines.contains(line) { lines.append(line) }
    for line in lines.dropLast() { Console.report(line) }
    self.init(
      ToolExit(rawValue: error.exitStatus) ?? .badConfiguration,
      lines.last ?? "the configuration is wrong")
  }
}

extension ConfigurationBuilder {
  /// Returns the configuration, or ends the command with its errors.
  func checked() throws(CommandFailure) -> LoadedConfiguration {
    do {
      return try build()
    } catch {
      throw CommandFailure(reporting: error)
    }
  }
}
