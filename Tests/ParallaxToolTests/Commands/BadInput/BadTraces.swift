// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport

private let noneKnown = "no known gyroscope columns in the header"

extension BadInput {
  /// Inputs that are not traces.
  static let places: [BadInput] = [
    BadInput(
      name: "no such file", arguments: ["replay", "walk.csv"], exitCode: 66,
      messages: ["walk.csv: no such file; check the path"]),
    BadInput(
      name: "a folder on the way that is a file", files: ["a": .text("")],
      arguments: ["replay", "a/walk.csv"], exitCode: 66,
      messages: ["a/walk.csv: no such file; check the path"]),
    BadInput(
      name: "a name with control characters", arguments: ["replay", "a\u{1B}[31m\nb\t.csv"],
      exitCode: 66, messages: ["a?[31m b .csv: no such file; check the path"]),
    BadInput(
      name: "a folder", files: ["walks": .folder], arguments: ["replay", "walks"], exitCode: 66,
      messages: ["walks: is a folder; name a trace file, or several with walks/*.csv"]),
    BadInput(
      name: "another user's file", files: ["walk.csv": .locked("t,x,y\n0,1,2\n", mode: 0o600)],
      arguments: ["replay", "walk.csv"], user: 4711, exitCode: 77,
      messages: ["walk.csv: permission denied; give this user read access to it"]),
    .trace("empty", "", "walk.csv: is empty; record again or give another file"),
    BadInput(
      name: "empty standard input", arguments: ["replay", "-"], exitCode: 65,
      messages: ["standard input: is empty; record again or give another file"]),
    BadInput(
      name: "a missing trace to run",
      arguments: ["run", "--source", "trace:walk.csv", "--socket", "s"], isReplay: false,
      exitCode: 66, messages: ["walk.csv: no such file; check the path"]),
    BadInput(
      name: "an empty trace to run", files: ["walk.csv": .text("")],
      arguments: ["run", "--source", "trace:walk.csv", "--socket", "s"], isReplay: false,
      exitCode: 65, messages: ["walk.csv: is empty; record again or give another file"]),
  ]

  /// Headers.
  static let headers: [BadInput] = [
    .trace(
      "a header and nothing else", "# rate: 100\nt,x,y,z\n",
      "walk.csv:2: no readable rows after the header; record again or give another file"),
    .trace(
      "numbers and nothing else", "0,1,2,3\n1,1,2,3\n",
      "walk.csv:1: no header above the numbers; add a first line like t,x,y,z (s, rad/s)"),
    BadInput(
      name: "no text", files: ["walk.csv": .bytes([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0, 10, 0])],
      arguments: ["replay", "walk.csv"], exitCode: 65,
      messages: ["walk.csv: is a binary file, not text; export the trace as CSV"]),
    BadInput(
      name: "compressed", files: ["walk.csv.gz": .bytes([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])],
      arguments: ["replay", "walk.csv.gz"], exitCode: 65,
      messages: ["walk.csv.gz: is compressed; decompress it: zcat walk.csv.gz | parallax replay -"]),
    .trace(
      "lines that end in carriage returns alone", "t,x,y\r0,1,2\r1,1,2\r",
      "walk.csv:1: the lines end in bare carriage returns; convert them: tr '\\r' '\\n' < FILE | "
        + "parallax replay -"),
    .trace(
      "words", "Dear reader\nthis is a letter.\n",
      "walk.csv:1: \(noneKnown) 'Dear reader'; use a gyroscope trace, with columns such as t,x,y,z"),
    .trace(
      "an unknown header", "stamp,temp,gyro x,gyro y,gyro z\n0,20,1,2,3\n0.1,20,1,2,3\n",
      "walk.csv:1: \(noneKnown) 'stamp,temp,gyro x,gyro y,gyro z'; if this is a gyroscope trace, try "
        + "--columns 't=stamp,x=gyro x,y=gyro y,z=gyro z' --time-unit s --gyro-unit rad/s",
      remedy: "--columns 't=stamp,x=gyro x,y=gyro y,z=gyro z' --time-unit s --gyro-unit rad/s"),
    .trace(
      "an unknown header with its units in the names",
      "stamp_ms,Roll [deg/s],Pitch [deg/s],Yaw [deg/s]\n0,1,2,3\n10,1,2,3\n",
      "walk.csv:1: \(noneKnown) 'stamp_ms,Roll [deg/s],Pitch [deg/s],Yaw [deg/s]'; if this is a "
        + "gyroscope trace, try --columns 't=stamp_ms,x=Roll [deg/s],y=Pitch [deg/s],z=Yaw [deg/s]' "
        + "--time-unit ms",
      remedy: "--columns 't=stamp_ms,x=Roll [deg/s],y=Pitch [deg/s],z=Yaw [deg/s]' --time-unit ms"
    ),
    .trace(
      "an unknown header with decimal commas",
      "Zeit;Rate x;Rate y;Rate z\n0;0,2;0,3;1\n0,1;0,2;0,3;1\n",
      "walk.csv:1: \(noneKnown) 'Zeit;Rate x;Rate y;Rate z'; if this is a gyroscope trace, try "
        + "--columns 't=Zeit,x=Rate x,y=Rate y,z=Rate z' --time-unit s --gyro-unit rad/s",
      remedy: "--columns 't=Zeit,x=Rate x,y=Rate y,z=Rate z' --time-unit s --gyro-unit rad/s"),
    .trace(
      "an unknown header without times", "tick;mbar;x1;y1;z1\n7;8;0,1;0,2;0,3\n7;8;0,1;0,2;0,3\n",
      "walk.csv:1: \(noneKnown) 'tick;mbar;x1;y1;z1'; if this is a gyroscope trace, try "
        + "--columns 'x=x1,y=y1,z=z1' --input-rate 100 --gyro-unit rad/s",
      remedy: "--columns 'x=x1,y=y1,z=z1' --input-rate 100 --gyro-unit rad/s"),
    .trace(
      "an unknown header that a shell would take amiss",
      "stamp,$(touch hurt),b'`touch hurt`,\"c, d\"\n0,1,2,3\n1,1,2,3\n",
      "walk.csv:1: \(noneKnown) 'stamp,$(touch hurt),b'`touch hurt`,\"c, d\"'; if this is a "
        + "gyroscope trace, try --columns "
        + #"'t=stamp,x=$(touch hurt),y=b'\''`touch hurt`,z=c, d' --time-unit s --gyro-unit rad/s"#,
      remedy: "--columns "
        + #"'t=stamp,x=$(touch hurt),y=b'\''`touch hurt`,z=c, d' --time-unit s --gyro-unit rad/s"#),
    .trace(
      "an unknown header that a terminal would take amiss",
      "\u{1B}[31mstamp,\u{9B}2Ja,\u{202E}b,c\n0,1,2,3\n",
      "walk.csv:1: \(noneKnown) '?[31mstamp,?2Ja,?b,c'; use a gyroscope trace, with columns such "
        + "as t,x,y,z"),
    .trace(
      "names in --columns that are not there", "stamp,a,b,c\n0,1,2,3\n",
      options: ["--columns", "t=stamp,x=a,y=bee", "--time-unit", "s", "--gyro-unit", "rad/s"],
      "walk.csv:1: no column 'bee' in the header 'stamp,a,b,c'; fix the names in --columns"),
    .trace(
      "unknown units", "timestamp,gx,gy,gz\n0,1,2,3\n10,1,2,3\n",
      "walk.csv:1: the header does not give the unit of its times (add --time-unit s, ms, us or "
        + "ns) or the unit of its rates (add --gyro-unit rad/s or deg/s)",
      remedy: "--time-unit ms --gyro-unit deg/s"),
    .trace(
      "no times", "rotationRate.x,rotationRate.y,rotationRate.z\n1,2,3\n1,2,3\n",
      "walk.csv:1: the header has no time column; add --input-rate with the number of rows per "
        + "second, as in --input-rate 50", remedy: "--input-rate 50"),
    .trace(
      "a recording's header that means nothing", "# orientation: askew\nt,x,y,z\n0,1,2,3\n",
      "walk.csv:1: orientation: unknown orientation 'askew'; use normal, left-up, bottom-up or "
        + "right-up"),
    .trace(
      "no z where one is needed", "t,x,y\n0,1,2\n1,1,2\n", options: ["--bias", "auto"],
      "walk.csv:1: no column with z rates, which the mount matrix, the bias or the recording "
        + "needs; name it in --columns, or omit that option"),
  ]
}
