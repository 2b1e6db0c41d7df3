// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport

private let good = "t,x,y,z\n0,1,2,3\n0.05,1,2,3\n0.1,1,2,3\n"
private let replayHelp = "see 'parallax replay --help'"

extension BadInput {
  private static func replay(_ options: [String], _ message: String) -> BadInput {
    .trace(options.joined(separator: " "), good, options: options, exit: 64, message)
  }

  private static func line(
    _ arguments: [String], by program: Program = .parallax, _ message: String
  ) -> BadInput {
    let words = arguments.isEmpty ? "nothing" : arguments.joined(separator: " ")
    return BadInput(
      name: words, program: program, files: ["walk.csv": .text(good)], arguments: arguments,
      isReplay: false, exitCode: 64, messages: [message])
  }

  /// Command lines that cannot be understood.
  static let wrongOptions: [BadInput] = [
    replay(
      ["--sumary"],
      "unknown option '--sumary'. Did you mean '--summary'? See 'parallax replay --help'"),
    replay(
      ["--xyzzy-quux"], "unknown option '--xyzzy-quux'; \(replayHelp)"),
    line(
      ["replay", "walk.csv", "--rate"], "missing value for '--rate <HZ|native>'; \(replayHelp)"),
    replay(["--smoothing"], "missing value for '--smoothing <SPEC>'; \(replayHelp)"),
    replay(["--columns"], "missing value for '--columns <MAP>'; \(replayHelp)"),
    replay(
      ["--low-power=1"],
      "the option '--low-power' does not take any value, but '1' was specified; \(replayHelp)"),
    replay(["--speed", "2"], "--speed: requires --realtime; add it"),
    line(["replay"], "missing expected argument '<trace> ...'; \(replayHelp)"),
    line(["replay", "walk.csv", "-o"], "missing value for '-o <FILE>'; \(replayHelp)"),
    line(
      ["replay", ""],
      "a name is empty; name a trace, '-' for standard input, and -o FILE"),
    line(
      ["replay", "walk.csv", "-o", ""],
      "a name is empty; name a trace, '-' for standard input, and -o FILE"),
    line(
      ["replay", "walk.csv", "run.csv"],
      "2 traces need a folder for their tables; add -o FOLDER"),
    line(
      ["replay", "-", "-", "-o", "out"], "standard input can be read only once; name '-' once"),
    line(
      ["replay", "-", "--loop"],
      "--loop: standard input cannot be read twice; name a file"),
    line(
      ["replay", "walk.csv", "-o", "walk.csv"],
      "-o walk.csv: this is one of the traces; write the table elsewhere"),
    line(
      ["frobnicate"],
      "unknown subcommand 'frobnicate'; use one of replay, feel, run, demo, watch, tune, "
        + "web, subscribe, record, play, animate, stop, preview, serve-animations, status, set, "
        + "recenter, reload, inhibit, agent, devices, doctor, config; see 'parallax --help'"),
    line(
      ["config", "frobnicate"],
      "unknown subcommand 'frobnicate'; use one of check, show; see 'parallax "
        + "config --help'"),
    line(["run", "--rate", "0"], "--rate: '0' is out of range; use 0.1 to 1000, or \"native\""),
    line(
      ["run", "--set", "motion.mode=tilt", "--set", "gates.fade=99"],
      "--set gates.fade: '99' is out of range; use 0 to 10"),
    line(
      ["run", "--set", "scael=3"], "--set scael: unknown key; did you mean motion.scale?"),
    line(
      ["run", "--source", "trace:"],
      "--source: expected trace:FILE, as in --source trace:walk.csv"),
    line(
      ["run", "--source", "camera"],
      "--source: unknown source 'camera'; use iio, trace, synthetic, synthetic:SEED (a whole "
        + "number) or auto"),
    line(
      ["record"], "missing expected argument '--output <FILE>'; see 'parallax record --help'"),
    line(
      ["record", "-o", ""],
      "-o: the name is empty; name a file, as in -o walk.csv, or '-' for standard output"),
    line(
      ["record", "-o", "new.csv", "--duration", "0"],
      "--duration: invalid value '0'; use 0.001 to 100000000 s"),
    line(
      ["record", "-o", "new.csv", "--duration", "-1"],
      "--duration: invalid value '-1'; use 0.001 to 100000000 s"),
    line(
      ["record", "-o", "new.csv", "--rate", "0"],
      "--rate: '0' is out of range; use 0.1 to 1000, or \"native\""),
    line(
      ["record", "-o", "new.csv", "--socket", "a.sock", "--device", "gyro_3d"],
      "--control and --socket record through a daemon, --device, --uri and --rate without one; "
        + "use one kind only"),
    line(
      ["record", "-o", "new.csv", "walk.csv"],
      "unexpected argument 'walk.csv'; see 'parallax record --help'"),
    line(
      ["--verbose"], by: .parallaxd,
      "unknown option '--verbose'; use --config FILE, --set TABLE.KEY=VALUE, --help or --version"),
    line(
      ["--set"], by: .parallaxd,
      "--set needs a value; use --config FILE, --set TABLE.KEY=VALUE, --help or --version"),
    line(
      ["--set", "scale"], by: .parallaxd,
      "--set: invalid assignment 'scale'; write TABLE.KEY=VALUE, as in motion.scale=10"),
    line(
      ["--set", "motion.scale=big"], by: .parallaxd,
      "--set motion.scale: invalid scale 'big'; write a number of px, or one per screen axis as "
        + "in 10,14 (at most 1000000)"),
    line(
      ["--config", "a", "--config", "b"], by: .parallaxd,
      "--config may be used only once; name one file"),
  ]

  /// Each option with a value it cannot have.
  static let wrongValues: [BadInput] = [
    replay(["--rate", "0"], "--rate: '0' is out of range; use 0.1 to 1000, or \"native\""),
    replay(["--rate", "-5"], "--rate: '-5' is out of range; use 0.1 to 1000, or \"native\""),
    replay(["--rate", "fast"], "--rate: invalid rate 'fast'; use native or 0.1 to 1000 Hz"),
    replay(
      ["--resample", "cubic"],
      "--resample: unknown value 'cubic'; use \"auto\", \"mean\", \"linear\" or \"hold\""),
    replay(
      ["--oversample", "65"],
      "--oversample: '65' is out of range; use a whole number, 1 to 64, or \"auto\""),
    replay(["--mode", "yaw"], "--mode: unknown value 'yaw'; use \"rate\" or \"tilt\""),
    replay(["--recenter", "soon"], "--recenter: expected a number, got 'soon'; use 0.05 to 3600"),
    replay(
      ["--bias", "maybe"], "--bias: unknown value 'maybe'; use \"auto\", \"on\" or \"off\""),
    replay(
      ["--scale", "1,2,3"],
      "--scale: invalid scale '1,2,3'; write a number of px, or one per screen axis as in 10,14 "
        + "(at most 1000000)"),
    replay(
      ["--range=1:2"],
      "--range: the range 1:2 must include 0, and its end must be above its start, as in -5:5 (at "
        + "most 1000000 px)"),
    replay(
      ["--range-x", "wide"], "--range-x: invalid range 'wide'; write LO:HI in px, as in -5:5"),
    replay(
      ["--range-y=5"],
      "--range-y: invalid range '5'; a range needs two ends; did you mean -5:5?"),
    replay(
      ["--range", "20"],
      "--range: invalid range '20'; a range needs two ends; did you mean -20:20?"),
    replay(
      ["--rate", "60Hz"],
      "--rate: invalid rate '60Hz'; write the rate as a plain number, such as 60"),
    replay(
      ["--recenter", "4 s"],
      "--recenter: expected a number, got '4 s'; write 4, without a unit; use 0.05 to 3600"),
    replay(
      ["--smoothing", "ema"],
      "--smoothing: invalid smoothing 'ema'; use auto[:calm], none, ema:TAU, "
        + "one-euro:MINCUTOFF,BETA[,DCUTOFF] or spring:RESPONSE[,DAMPING], as in ema:0.12, "
        + "one-euro:1,0.2 or spring:0.5,0.825"),
    replay(
      ["--orientation", "up"],
      "--orientation: unknown orientation 'up'; use normal, left-up, bottom-up or right-up"),
    replay(
      ["--mount-matrix", "1,2,3"],
      "--mount-matrix: invalid mount matrix '1,2,3'; write nine numbers as a,b,c;d,e,f;g,h,i"),
    replay(
      ["--mount-matrix", "1,0,0;0,1,0;0,0,-1"],
      "--mount-matrix: the mount matrix mirrors the axes (determinant below 0), but a gyroscope's "
        + "is a pure rotation; negate one row, or use the gyroscope's own matrix"),
    replay(
      ["--layers", "bg"], "--layers: invalid layer 'bg'; write NAME=DEPTH, as in bg=0.2,fg=1"),
    replay(
      ["--layers", "bg=99"],
      "--layers: the depth 99 of layer 'bg' is out of range; use -10 to 10"),
    replay(
      ["--format", "xml"],
      "the value 'xml' is invalid for '--format <csv|ndjson>'. Please provide one of 'csv' and 'ndjson'; "
        + replayHelp),
    replay(
      ["--input-rate", "0"], "--input-rate: invalid row rate '0'; use 0.001 to 1000000 Hz"),
    replay(
      ["--columns", "t=a"],
      "--columns: the columns 't=a' lack a name for x or y; write "
        + "t=NAME,x=NAME,y=NAME,z=NAME"),
    replay(["--time-unit", "h"], "--time-unit: unknown unit of time 'h'; use s, ms, us or ns"),
    replay(
      ["--gyro-unit", "rpm"],
      "--gyro-unit: unknown unit of angular rate 'rpm'; use rad/s or deg/s"),
    replay(
      ["--realtime", "--speed", "0"],
      "--speed: invalid value '0'; use 0.001 to 1000000"),
  ]
}
