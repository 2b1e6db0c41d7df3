// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport

private let advice = "fix the row or add --skip-bad-rows"
/// `count` rows at 100 Hz, from `seconds` on.
private func turning(from seconds: Double = 0, count: Int, rate: String = "0.5") -> String {
  (0..<count).map { "\((seconds * 100 + Double($0)) / 100),\(rate),0.25,0\n" }.joined()
}

extension BadInput {
  /// Invalid rows, and rows that only look invalid.
  static let rows: [BadInput] = [
    .trace(
      "a bad number", "t,x,y,z\n0,1,2,3\n0.01,1,4x,3\n0.02,1,2,3\n",
      "walk.csv:3: column 3: '4x' in 'y' is not a number; \(advice)", remedy: "--skip-bad-rows"),
    .trace(
      "a bad time", "t,x,y,z\n0,1,2,3\nnoon,1,4,3\n0.02,1,2,3\n",
      "walk.csv:3: column 1: 'noon' in 't' is not a number; \(advice)", remedy: "--skip-bad-rows"),
    .trace(
      "a short row", "t,x,y,z\n0,1,2,3\n0.01,1\n0.02,1,2,3\n",
      "walk.csv:3: column 3: the row ends before 'y'; \(advice)", remedy: "--skip-bad-rows"),
    .trace(
      "a bad number after blank lines, comments and CRLF",
      "\u{FEFF}# a walk\r\n\r\nt,x,y,z\r\n# now\r\n0,1,2,3\r\n\r\n0.01,?,2,3\r\n0.02,1,2,3\r\n",
      "walk.csv:7: column 2: '?' in 'x' is not a number; \(advice)", remedy: "--skip-bad-rows"),
    .trace(
      "a bad number far down",
      "t,x,y,z\n" + turning(count: 20_000) + "x,1,1,1\n" + turning(count: 3),
      "walk.csv:20002: column 1: 'x' in 't' is not a number; \(advice)"),
    BadInput(
      name: "a bad number from standard input", arguments: ["replay", "-"],
      input: "t,x,y\n0,1,2\n0.01,one,2\n0.02,1,2\n", exitCode: 65,
      messages: ["standard input:3: column 2: 'one' in 'x' is not a number; \(advice)"]),
    .trace(
      "more rows at the end than a footer has",
      "t,x,y,z\n0,1,2,3\n" + String(repeating: "Mean,1,2,3\n", count: 17),
      "walk.csv:3: column 1: 'Mean' in 't' is not a number; \(advice)"),
    .trace(
      "all times equal", "t,x,y,z\n5,1,2,3\n5,4,5,6\n5,7,8,9\n",
      "walk.csv: all times are equal; give the number of rows per second instead, as in "
        + "--input-rate 100",
      remedy: "--input-rate 100"),
    .ordinary(
      "a bad row that is skipped", "t,x,y\n0,1,2\n0.01,4x,2\n0.02,1,2\n",
      options: ["--skip-bad-rows"], counts: ["rows": 3, "kept": 2, "unreadable": 1, "footer": 0]),
    .ordinary(
      "a truncated last line", "t,x,y\n" + turning(count: 30) + "0.3,0.",
      counts: ["rows": 31, "kept": 30, "footer": 1, "unreadable": 0]),
    .ordinary(
      "a spreadsheet's footer", "t,x,y\n" + turning(count: 30) + "\nMean,0.5,0.25\nMax;\nend\n",
      counts: ["rows": 33, "kept": 30, "footer": 3]),
    .ordinary(
      "a time gap", "t,x,y\n" + turning(count: 50) + turning(from: 3, count: 50),
      counts: ["kept": 100, "segments": 2]),
    .ordinary(
      "a clock that was set back", "t,x,y\n" + turning(from: 1000, count: 50) + turning(count: 50),
      counts: ["rows": 100, "kept": 93, "backwards": 7, "rebased": 1, "segments": 2]),
    .ordinary(
      "NaN, infinities and empty fields",
      "t,x,y\n0,1,1\n0.01,nan,1\n0.02,1,inf\n0.03,-Infinity,1\n0.04,,1\n,1,1\n0.05,1,1\n",
      counts: ["rows": 7, "kept": 2, "nonfinite": 5]),
    .ordinary(
      "equal times and one that goes back",
      "t,x,y\n0,1,1\n0.02,1,1\n0.02,9,9\n0.01,9,9\n0.03,1,1\n",
      counts: ["kept": 3, "duplicate": 1, "backwards": 1, "rebased": 0]),
  ]

  /// Probable mistakes.
  static let suspects: [BadInput] = [
    .trace(
      "an accelerometer's file by its name", file: "Accelerometer.csv",
      "time,seconds_elapsed,z,y,x\n1700000000000000000,0,1,2,3\n1700000000010000000,0.01,1,2,3\n",
      "Accelerometer.csv:1: the file name contains Accel, and this app's accelerometer files have "
        + "the same header; use the gyroscope's file, or add --gyro-unit rad/s if this is the right "
        + "one",
      remedy: "--gyro-unit rad/s"),
    .trace(
      "an accelerometer's file by its unit",
      "\"Time (s)\",\"X (m/s^2)\",\"Y (m/s^2)\",\"Z (m/s^2)\"\n0,1,2,3\n1,1,2,3\n",
      "walk.csv:1: the header's unit is m/s^2, not an angular rate: this looks like another "
        + "sensor's file; use the gyroscope's, or add --gyro-unit if this is the right one",
      remedy: "--gyro-unit rad/s"),
    .ordinary(
      "degrees mistaken for radians",
      "t,x,y\n" + turning(count: 30) + turning(from: 0.3, count: 30, rate: "-57.3"),
      counts: ["kept": 60],
      messages: [
        "walk.csv:32: 57.3 rad/s is faster than a hand can turn; if the rates are in degrees, add "
          + "--gyro-unit deg/s"
      ]),
    .ordinary(
      "degrees with their unit", "t,x,y\n" + turning(count: 30, rate: "57.3"),
      options: ["--gyro-unit", "deg/s"], counts: ["kept": 30]),
  ]

  /// Limits of a trace.
  static let limits: [BadInput] = [
    .trace(
      "a line over 64 KiB",
      "t,x,y\n0,1,2\n0.01,1,2,\(String(repeating: "a", count: 65_536))\n0.02,1,2\n",
      "walk.csv:3: the line is longer than 64 KiB; this is not a trace, or its line endings are "
        + "lost"),
    .trace(
      "a header over 64 KiB", "t,x,y,\(String(repeating: "a", count: 65_536))\n0,1,2\n",
      "walk.csv:1: the line is longer than 64 KiB; this is not a trace, or its line endings are "
        + "lost"),
    .trace(
      "more than 128 columns", "t,x,y\(String(repeating: ",c", count: 126))\n0,1,2\n",
      "walk.csv:1: more than 128 columns; remove those that are not the gyroscope's"),
    .ordinary(
      "128 columns", "t,x,y\(String(repeating: ",c", count: 125))\n0,1,2\n0.1,1,2\n",
      counts: ["kept": 2]),
    .trace(
      "a time beyond 73 years", "t,x,y\n0,1,2\n1e300,1,2\n3,1,2\n",
      "walk.csv:3: column 1: the time '1e300' is beyond 73 years; fix it, or give its unit with "
        + "--time-unit"),
  ]
}
