import ArgumentParser
import ParallaxConfig

/// What turns samples into offsets: the same options for `replay` and `run`.
///
/// Each is a setting of the configuration in its text form, so the configuration's own checks and
/// messages serve here too; nothing is parsed twice.
struct PipelineOptions: ParsableArguments {
  // Values that begin with a minus sign are values too, for `--range -5:5` as for a clear message
  // about `--rate -5`.
  @Option(
    parsing: .unconditional,
    help: .init("Frames a second; native: a frame a sample.", valueName: "HZ|native"))
  var rate: String?

  @Option(help: .init("How samples become frames.", valueName: "mean|linear|hold"))
  var resample: String?

  @Option(
    parsing: .unconditional,
    help: .init("A live sensor is asked for N times the rate (1 to 64).", valueName: "N|auto"))
  var oversample: String?

  @Option(help: .init("Follow the rate of turning, or the angle.", valueName: "rate|tilt"))
  var mode: String?

  @Option(
    parsing: .unconditional,
    help: .init("Time constant of tilt's return to 0, s.", valueName: "S"))
  var recenter: String?

  @Option(help: .init("Estimate the gyroscope's zero offset at rest.", valueName: "auto|off"))
  var bias: String?

  @Option(
    parsing: .unconditional,
    help: .init("px per rad/s (tilt: per rad), for both axes or each.", valueName: "S|SX,SY"))
  var scale: String?

  @Option(
    parsing: .unconditional,
    help: .init("What motion never leaves, px: --range=-5:5.", valueName: "LO:HI"))
  var range: String?

  @Option(
    parsing: .unconditional, help: .init("The same for the x axis alone.", valueName: "LO:HI"))
  var rangeX: String?

  @Option(
    parsing: .unconditional, help: .init("The same for the y axis alone.", valueName: "LO:HI"))
  var rangeY: String?

  @Option(
    help: .init(
      "none, ema:TAU, one-euro:MINCUTOFF,BETA[,DCUTOFF] or spring:RESPONSE[,DAMPING].",
      valueName: "SPEC"))
  var smoothing: String?

  @Option(
    help: .init(
      "How the screen is turned.", valueName: "normal|left-up|bottom-up|right-up"))
  var orientation: String?

  @Option(
    parsing: .unconditional,
    help: .init("From the sensor's frame to the device's.", valueName: "a,b,c;d,e,f;g,h,i"))
  var mountMatrix: String?

  @Option(help: .init("Planes and their depths: bg=0.2,fg=1.", valueName: "NAME=DEPTH,..."))
  var layers: String?

  @Flag(help: "Treat motion as to be reduced.")
  var reduceMotion = false

  @Flag(help: "Treat the battery as low.")
  var lowPower = false

  /// The settings that were given, in the order they take effect, with the option's name.
  var assignments: [(key: String, text: String, option: String)] {
    let texts: [(key: String, text: String?, option: String)] = [
      ("sampling.rate", rate, "--rate"),
      ("sampling.resample", resample, "--resample"),
      ("sampling.oversample", oversample, "--oversample"),
      ("motion.mode", mode, "--mode"),
      ("motion.recenter", recenter, "--recenter"),
      // In a configuration "auto" is as if left out; on the command line it asks, of a trace too.
      ("motion.bias", bias == "auto" ? "on" : bias, "--bias"),
      ("motion.scale", scale, "--scale"),
      ("motion.range-x", range, "--range"),
      ("motion.range-y", range, "--range"),
      ("motion.range-x", rangeX, "--range-x"),
      ("motion.range-y", rangeY, "--range-y"),
      ("motion.smoothing", smoothing, "--smoothing"),
      ("orientation.source", orientation, "--orientation"),
      ("motion.mount-matrix", mountMatrix, "--mount-matrix"),
      ("layers", layers, "--layers"),
      ("gates.reduce-motion", reduceMotion ? "on" : nil, "--reduce-motion"),
      ("gates.low-power", lowPower ? "on" : nil, "--low-power"),
    ]
    return texts.compactMap { key, text, option in text.map { (key, $0, option) } }
  }
}

extension ConfigurationBuilder {
  mutating func set(_ options: PipelineOptions) {
    for (key, text, option) in options.assignments {
      set(key: key, text: text, origin: .option(option))
    }
  }
}

extension CommandFailure {
  /// Prints all problems but the last, which ends the command. A problem that two options share
  /// (`--range` sets both axes) is told once.
  init(reporting error: ConfigError) {
    var lines: [String] = []
    for line in error.lines where !lines.contains(line) { lines.append(line) }
    for line in lines.dropLast() { Console.report(line) }
    self.init(
      ToolExit(rawValue: error.exitStatus) ?? .badConfiguration,
      lines.last ?? "the configuration is wrong")
  }
}
