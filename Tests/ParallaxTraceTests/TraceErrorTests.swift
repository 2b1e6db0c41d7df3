// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport
import ParallaxTrace
import Testing

/// An invalid trace and the error message.
struct InvalidTrace: Sendable, CustomTestStringConvertible {
  let name: String
  let text: String
  var options = TraceOptions()
  var fileName: String?
  var needsZ = false
  let kind: TraceError.Kind
  let message: String
  /// The number of samples before the error.
  var samples = 0

  var testDescription: String { name }

  static let all: [InvalidTrace] = [
    InvalidTrace(
      name: "empty", text: "", kind: .empty,
      message: "trace.csv: is empty; record again or give another file"),
    InvalidTrace(
      name: "blank", text: "\n\r\n  \n", kind: .unknownHeader,
      message: "trace.csv:1: no header above the numbers; add a first line like t,x,y,z (s, rad/s)"),
    InvalidTrace(
      name: "header only", text: "t,x,y,z\n", kind: .noRows,
      message: "trace.csv:1: no readable rows after the header; record again or give another file"),
    InvalidTrace(
      name: "header only, without its line feed", text: "# rate: 5\nt,x,y,z", kind: .noRows,
      message: "trace.csv:2: no readable rows after the header; record again or give another file"),
    InvalidTrace(
      name: "numbers only", text: "0,1,2,3\n0.1,1,2,3\n", kind: .unknownHeader,
      message: "trace.csv:1: no header above the numbers; add a first line like t,x,y,z (s, rad/s)"),
    InvalidTrace(
      name: "unknown header", text: "stamp,temp,gyro x,gyro y,gyro z\n0,20,1,2,3\n",
      kind: .unknownHeader,
      message: "trace.csv:1: no known gyroscope columns in the header "
        + "'stamp,temp,gyro x,gyro y,gyro z'; if this is a gyroscope trace, try --columns "
        + "'t=stamp,x=gyro x,y=gyro y,z=gyro z' --time-unit s --gyro-unit rad/s"),
    InvalidTrace(
      name: "unknown header without times", text: "a;b;c\n1;2;3\n", kind: .unknownHeader,
      message: "trace.csv:1: no known gyroscope columns in the header 'a;b;c'; if this is a "
        + "gyroscope trace, try --columns 'x=a,y=b,z=c' --input-rate 100 --gyro-unit rad/s"),
    InvalidTrace(
      name: "unknown header above decimal commas", text: "a;b;c\n0,1;0,2;0,3\n0,1;0,2;0,3\n",
      kind: .unknownHeader,
      message: "trace.csv:1: no known gyroscope columns in the header 'a;b;c'; if this is a "
        + "gyroscope trace, try --columns 'x=a,y=b,z=c' --input-rate 100 --gyro-unit rad/s"),
    InvalidTrace(
      name: "unknown header with units",
      text: "yaw (deg/s),pitch (deg/s),roll (deg/s),t_us\n1,2,3,4\n", kind: .unknownHeader,
      message: "trace.csv:1: no known gyroscope columns in the header "
        + "'yaw (deg/s),pitch (deg/s),roll (deg/s),t_us'; if this is a gyroscope trace, try --columns "
        + "'t=t_us,x=roll (deg/s),y=pitch (deg/s),z=yaw (deg/s)' --time-unit us"),
    InvalidTrace(
      name: "unknown header with names for a shell and a terminal",
      text: "time,`a`,$(b),c'd,\u{1B}e\n1,2,3,4,5\n", kind: .unknownHeader,
      message: "trace.csv:1: no known gyroscope columns in the header "
        + "'time,`a`,$(b),c'd,?e'; if this is a gyroscope trace, try --columns "
        + #"'t=time,x=`a`,y=$(b),z=c'\''d' --time-unit s --gyro-unit rad/s"#),
    InvalidTrace(
      name: "bare carriage returns", text: "t,x,y\r0,1,2\r",
      kind: .unknownHeader,
      message: "trace.csv:1: the lines end in bare carriage returns; convert them: "
        + #"tr '\r' '\n' < FILE | parallax replay -"#),
    InvalidTrace(
      name: "prose", text: "Dear reader\nthis is a letter.\n", kind: .unknownHeader,
      message: "trace.csv:1: no known gyroscope columns in the header 'Dear reader'; use a "
        + "gyroscope trace, with columns such as t,x,y,z"),
    InvalidTrace(
      name: "a missing column in --columns", text: "stamp,a,b,c\n1,2,3,4\n",
      options: given(columns: "t=stamp,x=a,y=bee,z=c", time: .seconds, gyro: .radiansPerSecond),
      kind: .unknownHeader,
      message: "trace.csv:1: no column 'bee' in the header 'stamp,a,b,c'; fix the names in "
        + "--columns"),
    InvalidTrace(
      name: "unknown units of time and rate", text: "time,x,y,z\n1,2,3,4\n", kind: .unknownUnits,
      message: "trace.csv:1: the header does not give the unit of its times (add --time-unit s, "
        + "ms, us or ns) or the unit of its rates (add --gyro-unit rad/s or deg/s)"),
    InvalidTrace(
      name: "unknown unit of rate", text: "time (us),gyroADC[0],gyroADC[1],gyroADC[2]\n1,2,3,4\n",
      kind: .unknownUnits,
      message: "trace.csv:1: the header does not give the unit of its rates (add --gyro-unit "
        + "rad/s or deg/s)"),
    InvalidTrace(
      name: "no times", text: "rotationRate.x,rotationRate.y,rotationRate.z\n1,2,3\n",
      kind: .noTimes,
      message: "trace.csv:1: the header has no time column; add --input-rate with the number of "
        + "rows per second, as in --input-rate 50"),
    InvalidTrace(
      name: "no time among the chosen columns", text: "stamp,a,b\n1,2,3\n",
      options: given(columns: "x=a,y=b", gyro: .radiansPerSecond), kind: .noTimes,
      message: "trace.csv:1: --columns names no time column; add t=NAME to it, or --input-rate "
        + "with the number of rows per second"),
    InvalidTrace(
      name: "an accelerometer by its unit",
      text: "\"Time (s)\",\"X (m/s^2)\",\"Y (m/s^2)\",\"Z (m/s^2)\"\n1,2,3,4\n",
      kind: .otherSensor,
      message: "trace.csv:1: the header's unit is m/s^2, not an angular rate: this looks like "
        + "another sensor's file; use the gyroscope's, or add --gyro-unit if this is the right "
        + "one"),
    InvalidTrace(
      name: "an accelerometer by its name",
      text: "time,seconds_elapsed,z,y,x\n1,0,1,2,3\n", fileName: "AccelerometerUncalibrated.csv",
      kind: .otherSensor,
      message: "trace.csv:1: the file name contains Accel, and this app's accelerometer files have "
        + "the same header; use the gyroscope's file, or add --gyro-unit rad/s if this is the "
        + "right one"),
    InvalidTrace(
      name: "binary", text: "\u{7F}ELF\u{2}\u{1}\u{0}\u{0}", kind: .binary,
      message: "trace.csv: is a binary file, not text; export the trace as CSV"),
    InvalidTrace(
      name: "a zip archive", text: "PK\u{3}\u{4}\u{0}\u{0}", kind: .binary,
      message: "trace.csv: is a zip archive; unpack it and use the gyroscope's file inside"),
    InvalidTrace(
      name: "a bad number", text: "t,x,y,z\n0,1,2,3\n1,4,5x,6\n2,7,8,9\n", kind: .badRow,
      message: "trace.csv:3: column 3: '5x' in 'y' is not a number; fix the row or add "
        + "--skip-bad-rows", samples: 1),
    InvalidTrace(
      name: "a bad number at the first row", text: "t,x,y\noops,1,2\n", kind: .badRow,
      message: "trace.csv:2: column 1: 'oops' in 't' is not a number; fix the row or add "
        + "--skip-bad-rows"),
    InvalidTrace(
      name: "a bad number with control characters",
      text: "t,x,y\n0,\u{1B}[31m\u{7}0123456789012345678901234567890123456789,2\n1,1,1\n",
      kind: .badRow,
      message: "trace.csv:2: column 2: '?[31m?0123456789012345678901234567890123...' in 'x' is "
        + "not a number; fix the row or add --skip-bad-rows"),
    InvalidTrace(
      name: "a short row", text: "t,x,y,z\n0,1,2,3\n1,4\n2,7,8,9\n", kind: .badRow,
      message: "trace.csv:3: column 3: the row ends before 'y'; fix the row or add "
        + "--skip-bad-rows", samples: 1),
    InvalidTrace(
      name: "a time out of range", text: "t,x,y,z\n0,1,2,3\n1e19,4,5,6\n2,7,8,9\n",
      kind: .badRow,
      message: "trace.csv:3: column 1: the time '1e19' is beyond 73 years; fix it, or give its "
        + "unit with --time-unit", samples: 1),
    InvalidTrace(
      name: "more bad rows at the end than a footer may have",
      text: "t,x,y\n0,1,2\n" + String(repeating: "total\n", count: 17), kind: .badRow,
      message: "trace.csv:3: column 1: 'total' in 't' is not a number; fix the row or add "
        + "--skip-bad-rows", samples: 1),
    InvalidTrace(
      name: "nothing but bad rows, skipped", text: "t,x,y\na,b,c\nd,e,f\n",
      options: given(skip: true), kind: .noRows,
      message: "trace.csv:1: no readable rows after the header; record again or give another file"),
    InvalidTrace(
      name: "all times equal", text: "t,x,y\n5,1,2\n5,3,4\n5.0,3,4\n", kind: .timesEqual,
      message: "trace.csv: all times are equal; give the number of rows per second instead, as in "
        + "--input-rate 100", samples: 3),
    InvalidTrace(
      name: "a line without end",
      text: "t,x,y\n0,1,2\n" + String(repeating: "1", count: 70_000), kind: .tooLong,
      message: "trace.csv:3: the line is longer than 64 KiB; this is not a trace, or its line "
        + "endings are lost", samples: 1),
    InvalidTrace(
      name: "a long line in the middle",
      text: "t,x,y\n0,1,2\n1,1,2," + String(repeating: " ", count: 65_536) + "\n2,1,2\n",
      kind: .tooLong,
      message: "trace.csv:3: the line is longer than 64 KiB; this is not a trace, or its line "
        + "endings are lost", samples: 1),
    InvalidTrace(
      name: "too many columns",
      text: "t,x,y" + String(repeating: ",more", count: 126) + "\n0,1,2\n", kind: .tooLong,
      message: "trace.csv:1: more than 128 columns; remove those that are not the gyroscope's"),
    InvalidTrace(
      name: "no z although it is needed", text: "t,x,y\n0,1,2\n1,2,3\n", needsZ: true,
      kind: .unknownHeader,
      message: "trace.csv:1: no column with z rates, which the mount matrix, the bias or the "
        + "recording needs; name it in --columns, or omit that option"),
    InvalidTrace(
      name: "an invalid matrix of a recording",
      text: "# device: g\n# mount-matrix: 1,0,0;0,1,0;0,0,-1\nt,x,y,z\n0,1,2,3\n",
      kind: .badHeader,
      message: "trace.csv:2: mount-matrix: the mount matrix mirrors the axes (determinant below "
        + "0), but a gyroscope's is a pure rotation; negate one row, or use the gyroscope's own "
        + "matrix"),
    InvalidTrace(
      name: "an invalid rate of a recording", text: "# rate: fast\nt,x,y,z\n0,1,2,3\n",
      kind: .badHeader,
      message: "trace.csv:1: rate: invalid rate 'fast'; write a number of Hz above 0"),
    InvalidTrace(
      name: "an invalid bias of a recording", text: "# bias: auto,1,2\nt,x,y,z\n0,1,2,3\n",
      kind: .badHeader,
      message: "trace.csv:1: bias: invalid bias 'auto,1,2'; write off, auto or auto,X,Y,Z with "
        + "three rates in rad/s"),
    InvalidTrace(
      name: "an invalid orientation of Gyroflow",
      text: "GYROFLOW IMU LOG\norientation,XYY\ntscale,0.001\ngscale,1\nt,gx,gy,gz\n0,1,2,3\n",
      kind: .badHeader,
      message: "trace.csv:2: invalid orientation 'XYY'; write each of x, y and z once, in lower "
        + "case for negated axes, as in YxZ"),
    InvalidTrace(
      name: "Gyroflow without a scale", text: "GYROFLOW IMU LOG\ntscale,1\nt,gx,gy,gz\n0,1,2,3\n",
      kind: .unknownUnits,
      message: "trace.csv:3: the header does not give the unit of its rates (add --gyro-unit "
        + "rad/s or deg/s)"),
  ]
}

@Suite("Invalid traces")
struct TraceErrorTests {
  @Test(arguments: InvalidTrace.all)
  func errorIsOneLineWithPlaceAndAdvice(_ expected: InvalidTrace) {
    let reading = read(
      expected.text, options: expected.options, needsZ: expected.needsZ,
      fileName: expected.fileName)
    #expect(reading.error?.description == expected.message)
    #expect(reading.error?.kind == expected.kind)
    #expect(reading.error?.meaning == .badData)
    #expect(reading.samples.count == expected.samples)
    #expect(reading.error?.description.contains("\n") == false)
  }

  @Test(arguments: InvalidTrace.all)
  func errorDoesNotDependOnBlockSize(_ expected: InvalidTrace) {
    for size in [1, 2, 3, 7, 16, 61, 4096, 65_536] where expected.text.utf8.count < 60 * size * size
    {
      let reading = read(
        expected.text, options: expected.options, needsZ: expected.needsZ, blockSize: size,
        fileName: expected.fileName)
      #expect(reading.error?.description == expected.message, "blocks of \(size)")
      #expect(reading.samples.count == expected.samples, "blocks of \(size)")
    }
  }

  @Test func searchForHeaderEnds() {
    let long = "a,b," + String(repeating: "c", count: 60_000) + "\n"
    for text in [
      String(repeating: "some,more,words\n", count: 3_000), String(repeating: long, count: 20),
      String(repeating: "1,2,3,4\n", count: 40),
    ] {
      #expect(read(text + "t,x,y,z\n0,1,2,3\n").error?.kind == .unknownHeader)
    }
  }

  @Test func skippedRowsAreCounted() {
    let text = "t,x,y\n0,1,2\nbad\n1,oops,3\n2,5,6\n3,7,8\nsum,12\n\nend of file\n4,1"
    let reading = read(text, options: given(skip: true), needsZ: false)
    #expect(reading.error == nil)
    #expect(reading.samples.count == 3)
    #expect(reading.counts.unreadable == 2)
    #expect(reading.counts.footer == 3)
    #expect(reading.counts.rows == 8)
  }

  @Test(
    arguments: [
      "2,7", "2,7,8", "2", "2,", "2,7,8,", "total,,\n,,sum", "\"Exported by X\"\n",
      String(repeating: "note\n", count: 16), "1.5,-,",
    ])
  func footersAndTruncatedLastLinesAreSkipped(text: String) {
    let reading = read("t,x,y,z\n0,1,2,3\n1,4,5,6\n" + text)
    #expect(reading.error == nil)
    let whole = reading.samples.filter(\.rateRadPerSec.isFinite)
    #expect(whole == [sample(0, 1, 2, 3), sample(1_000_000_000, 4, 5, 6)])
    #expect(reading.counts.unreadable == 0)
    #expect(reading.counts.footer + UInt64(reading.samples.count) == reading.counts.rows)
    #expect(reading.samples.count == whole.count || text.hasPrefix("total"))
  }

  @Test func wholeLastLineNeedsNoLineFeed() {
    let reading = read("t,x,y,z\n0,1,2,3\n1,4,5,6")
    #expect(reading.samples.count == 2)
    #expect(reading.counts.footer == 0)
    let cut = read("t,x,y,z\n0,1,2,3\n1,4,5,6\n2,7,8", needsZ: false)
    #expect(cut.samples.count == 2)
    #expect(cut.counts.footer == 1)
  }

  @Test func unreadableFilesAreErrors() throws {
    func failure(_ path: String) -> TraceError? {
      do throws(TraceError) {
        _ = try TraceReader(path: path)
        return nil
      } catch {
        return error
      }
    }
    let folder = try TemporaryFolder()
    let missing = folder("none.csv")
    #expect(failure(missing)?.description == "\(missing): no such file; check the path")
    #expect(failure(missing)?.meaning == .noInput)
    #expect(
      failure(folder.path)?.description
        == "\(folder.path): is a folder; name a trace file, or several with \(folder.path)/*.csv")
    #expect(failure(folder.path)?.meaning == .noInput)
    let below = try folder.write("t,x,y\n", to: "file.csv") + "/more.csv"
    #expect(failure(below)?.meaning == .noInput)
    if geteuid() != 0 {
      let locked = try folder.write("t,x,y\n", to: "locked.csv")
      chmod(locked, 0)
      #expect(failure(locked)?.meaning == .noPermission)
    }
    // An invalid descriptor simulates a failing disk.
    let failing = read(TraceInput(FileDescriptor(owning: 9_999), name: "failing.csv"))
    #expect(failing.error?.meaning == .readFailed)
  }

  @Test(
    arguments: [
      ("t=a,x=b,y=c,z=d", ColumnChoice(t: "a", x: "b", y: "c", z: "d")),
      ("z=d, y=c,x=b", ColumnChoice(t: nil, x: "b", y: "c", z: "d")),
      ("t=Time, s,x=x,1,y=y=2", ColumnChoice(t: "Time, s", x: "x,1", y: "y=2", z: nil)),
      ("x=b", nil), ("", nil), ("a,b", nil), ("x=1,x=2,y=3", nil), ("t=,x=1,y=2", nil),
      ("x=a,y=a", nil),
    ] as [(String, ColumnChoice?)])
  func columnsAreParsed(text: String, expected: ColumnChoice?) {
    #expect((try? ColumnChoice(parsing: text)) == expected)
  }
}
