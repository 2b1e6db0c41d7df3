// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import ParallaxTestSupport
import Testing

@testable import ParallaxTrace

/// A short trace in one dialect, and its samples.
struct DialectCase: Sendable, CustomTestStringConvertible {
  let name: String
  let dialect: TraceDialect
  let text: String
  var options = TraceOptions()
  let samples: [GyroSample]

  var testDescription: String { name }

  static let degree = Double.pi / 180

  static let all: [DialectCase] = [
    DialectCase(
      name: "native", dialect: .native, text: "t,x,y,z\n0.000000,1,2,3\n0.010000,-1.5,0.25,1e-3\n",
      samples: [sample(0, 1, 2, 3), sample(10_000_000, -1.5, 0.25, 1e-3)]),
    DialectCase(
      name: "native with header and accelerations", dialect: .native,
      text: "# device: gyro_3d\n# rate: 100\nt,x,y,z,ax,ay,az\n0,1,2,3,9,9,9\n0.01,4,5,6,9,9,9\n",
      samples: [sample(0, 1, 2, 3), sample(10_000_000, 4, 5, 6)]),
    DialectCase(
      name: "Sensor Logger, z first", dialect: .sensorLogger,
      text: "time,seconds_elapsed,z,y,x\n1760565906248623000,0.10,-0.8,-0.1,-0.5\n"
        + "1760565906258652200,0.11,-0.6,-0.3,-1.2\n",
      samples: [
        sample(1_760_565_906_248_623_000, -0.5, -0.1, -0.8),
        sample(1_760_565_906_258_652_200, -1.2, -0.3, -0.6),
      ]),
    DialectCase(
      name: "phyphox, quoted names, exponents", dialect: .phyphox,
      text: "\"Time (s)\",\"X (rad/s)\",\"Y (rad/s)\",\"Z (rad/s)\"\n"
        + "1.958608333E-2,1.314016283E-1,1.265425533E-1,7.930336893E-2\n"
        + "1.050479231E2,4.733432531E-1,9.727308154E-2,-5.550370365E-2",
      samples: [
        sample(19_586_083, 0.1314016283, 0.1265425533, 0.07930336893),
        sample(105_047_923_100, 0.4733432531, 0.09727308154, -0.05550370365),
      ]),
    DialectCase(
      name: "phyphox, semicolons and decimal commas", dialect: .phyphox,
      text: "\"Time (s)\";\"Gyroscope x (rad/s)\";\"Gyroscope y (rad/s)\";"
        + "\"Gyroscope z (rad/s)\";\"Absolute (rad/s)\"\n"
        + "0,5;1,25;-2,5E-1;3,0;4\n1;1;2;3;4\n",
      samples: [sample(500_000_000, 1.25, -0.25, 3), sample(1_000_000_000, 1, 2, 3)]),
    DialectCase(
      name: "phyphox, tabs", dialect: .phyphox,
      text: "Time (s)\tX (rad/s)\tY (rad/s)\tZ (rad/s)\n0,5\t1,25\t2.5\t-3,0\n0,6\t1\t2\t3\n",
      samples: [sample(500_000_000, 1.25, 2.5, -3), sample(600_000_000, 1, 2, 3)]),
    DialectCase(
      name: "xio, degrees among other sensors", dialect: .phyphox,
      text: "Time (s),Gyroscope X (deg/s),Gyroscope Y (deg/s),Gyroscope Z (deg/s),"
        + "Accelerometer X (g)\n0,90,-45,0.5,1\n0.010078907,0,0,0,1\n",
      samples: [
        sample(0, 90 * degree, -45 * degree, 0.5 * degree), sample(10_078_907, 0, 0, 0),
      ]),
    DialectCase(
      name: "EuRoC", dialect: .euroc,
      text: "#timestamp [ns],w_RS_S_x [rad s^-1],w_RS_S_y [rad s^-1],w_RS_S_z [rad s^-1],"
        + "a_RS_S_x [m s^-2]\n1403636579758555392,-0.099134701513277898,0.14730578886832138,"
        + "0.02722713633111154,8.1\n1403636579763555584,-0.1,0.2,0.3,8.2\n",
      samples: [
        sample(
          1_403_636_579_758_555_392, -0.099134701513277898, 0.14730578886832138,
          0.02722713633111154),
        sample(1_403_636_579_763_555_584, -0.1, 0.2, 0.3),
      ]),
    DialectCase(
      name: "MotionSense, no times", dialect: .motionSense,
      text: ",attitude.roll,gravity.x,rotationRate.x,rotationRate.y,rotationRate.z,"
        + "userAcceleration.x\n0,1.5,0.7,0.3,-0.2,0.1,0.1\n1,1.5,0.7,0.4,-0.3,0.2,0.1\n",
      options: given(rate: 50),
      samples: [sample(0, 0.3, -0.2, 0.1), sample(20_000_000, 0.4, -0.3, 0.2)]),
    DialectCase(
      name: "Physics Toolbox among other sensors, trailing commas", dialect: .physicsToolbox,
      text: "time,gFx,gFy,gFz,wx,wy,wz,Bx,By,Bz,\n0.002,0.1,0.2,0.9,1,2,3,30,40,50,\n"
        + "0.004,0.1,0.2,0.9,4,5,6,30,40,50,\n",
      samples: [sample(2_000_000, 1, 2, 3), sample(4_000_000, 4, 5, 6)]),
    DialectCase(
      name: "Gyroflow, turned and scaled", dialect: .gyroflow,
      text: "GYROFLOW IMU LOG\nversion,1.3\nid,custom_logger_name\norientation,YxZ\n"
        + "note,development_test\ntimestamp,1644159993\ntscale,0.001\ngscale,0.5\n"
        + "ascale,0.00048828125\nt,gx,gy,gz,ax,ay,az\n0,39,86,183,-1137,-15689,-2986\n"
        + "1,56,100,202,-1179,-15694,-2887\n",
      samples: [sample(0, 43, -19.5, 91.5), sample(1_000_000, 50, -28, 101)]),
    DialectCase(
      name: "Gyroflow, tscale not a power of ten", dialect: .gyroflow,
      text: "CAMERA IMU LOG\ntscale,0.0018\ngscale,1\norientation,zyX\nt,gx,gy,gz\n"
        + "0,1,2,3\n1234567,4,5,6\n",
      samples: [sample(0, -3, -2, 1), sample(2_222_220_600_000, -6, -5, 4)]),
    DialectCase(
      name: "Betaflight, spaces, rows above the header", dialect: .betaflight,
      text: "\"Product\",\"Blackbox flight data recorder by Nicholas Sherlock\"\n"
        + "\"rollPID\",\"45,80,40\"\n\"looptime\",125\n"
        + "loopIteration, time (us), axisP[0], gyroADC[0] (deg/s), gyroADC[1] (deg/s), "
        + "gyroADC[2] (deg/s), flags (flags)\n"
        + "0, 55158008, -1, 90, -180, 0, ARM|ANGLE\n4, 55158508, 3, 0, 0, 1, ARM\n",
      samples: [
        sample(55_158_008_000, 90 * degree, -180 * degree, 0),
        sample(55_158_508_000, 0, 0, degree),
      ]),
    DialectCase(
      name: "Betaflight from the explorer, unit by option", dialect: .betaflight,
      text: "\"loopIteration\",\"time\",\"gyroADC[0]\",\"gyroADC[1]\",\"gyroADC[2]\"\n"
        + "0,1000000,90,0,-90\n1,1000250,180,0,0\n",
      options: given(gyro: .degreesPerSecond),
      samples: [
        sample(1_000_000_000, 90 * degree, 0, -90 * degree),
        sample(1_000_250_000, 180 * degree, 0, 0),
      ]),
    DialectCase(
      name: "HHAR as published", dialect: .hhar,
      text: "Index,Arrival_Time,Creation_Time,x,y,z,User,Model,Device,gt\n"
        + "0,1424696633908,1424696631913248572,-0.5,0.25,8,a,nexus4,nexus4_1,stand\n"
        + "1,1424696633909,1424696631918283972,-0.75,0.5,8,a,nexus4,nexus4_1,stand\n",
      samples: [
        sample(1_424_696_631_913_248_572, -0.5, 0.25, 8),
        sample(1_424_696_631_918_283_972, -0.75, 0.5, 8),
      ]),
    DialectCase(
      name: "HHAR through a spreadsheet", dialect: .hhar,
      text: "Index\tArrival_Time\tCreation_Time\tx\ty\tz\tgt\n"
        + "0\t1.4246966E+12\t1.42469663191404E+018\t1.6232e-035\t-0.00\t1\t\"stand, sit\"\n"
        + "1\t1.4246966E+12\t1.42469663191904E+018\t1\t2\t3\tstand\n",
      samples: [
        sample(1_424_696_631_914_040_000, 1.6232e-35, -0.0, 1),
        sample(1_424_696_631_919_040_000, 1, 2, 3),
      ]),
    DialectCase(
      name: "columns by name, units by option", dialect: .chosen,
      text: "stamp;note;gyroY;gyroX;gyroZ\n100;a;2;1;3\n110;b;5;4;6\n",
      options: given(
        columns: "t=stamp,x=gyroX,y=gyroY,z=gyroZ", time: .milliseconds, gyro: .radiansPerSecond),
      samples: [sample(100_000_000, 1, 2, 3), sample(110_000_000, 4, 5, 6)]),
    DialectCase(
      name: "columns by name, units in the header", dialect: .chosen,
      text: "stamp [us],roll rate (dps),yaw rate (dps),pitch rate (dps)\n1,1,2,3\n2,4,5,6\n",
      options: given(
        columns: "t=stamp [us],x=roll rate (dps),y=yaw rate (dps)"
          + ",z=pitch rate (dps)"),
      samples: [
        sample(1_000, degree, 2 * degree, 3 * degree),
        sample(2_000, 4 * degree, 5 * degree, 6 * degree),
      ]),
    DialectCase(
      name: "units by option override the header's", dialect: .native,
      text: "t,x,y,z\n5,1,2,3\n6,4,5,6\n",
      options: given(time: .microseconds, gyro: .degreesPerSecond),
      samples: [
        sample(5_000, degree, 2 * degree, 3 * degree),
        sample(6_000, 4 * degree, 5 * degree, 6 * degree),
      ]),
    DialectCase(
      name: "rows at a given rate, times ignored", dialect: .native,
      text: "t,x,y,z\n7,1,2,3\n7,4,5,6\n7,7,8,9\n", options: given(rate: 300),
      samples: [sample(0, 1, 2, 3), sample(3_333_333, 4, 5, 6), sample(6_666_667, 7, 8, 9)]),
    DialectCase(
      name: "byte order mark, CRLF, CR CR LF, blank lines, comments, spaces", dialect: .native,
      text: "\u{FEFF}# a note\r\n\r\nt, x, y, z\r\r\n 0.5 , 1 , 2 , 3 \r\n   \r\n# note\r\n"
        + "\"1.0\", \"4\" ,\t5,+6\r\r\n",
      samples: [sample(500_000_000, 1, 2, 3), sample(1_000_000_000, 4, 5, 6)]),
    DialectCase(
      name: "decimal commas in quotes", dialect: .native,
      text: "t,x,y,z\n\"0,5\",\"1,5\",\"-2,5\",3\n\"0,6\",1,2,3\n",
      samples: [sample(500_000_000, 1.5, -2.5, 3), sample(600_000_000, 1, 2, 3)]),
    DialectCase(
      name: "a date above the header that looks like numbers", dialect: .phyphox,
      text: "2024,11,21,9.5\nserial,1,2\nTime (s),X (rad/s),Y (rad/s),Z (rad/s)\n0,1,2,3\n"
        + "1,4,5,6\n",
      samples: [sample(0, 1, 2, 3), sample(1_000_000_000, 4, 5, 6)]),
    DialectCase(
      name: "separators inside quotes of columns that are not needed", dialect: .native,
      text: "note,t,more,x,y,z\n\"a,b \"\"c\"\", d\",0,,1,2,3\n \"e,f\",1,\"g\",4,5,6\n",
      samples: [sample(0, 1, 2, 3), sample(1_000_000_000, 4, 5, 6)]),
  ]
}

@Suite("Dialects")
struct DialectTests {
  @Test(arguments: DialectCase.all)
  func headerDeterminesDialect(_ expected: DialectCase) {
    let reading = read(expected.text, options: expected.options)
    #expect(reading.error == nil)
    #expect(reading.dialect == expected.dialect)
    #expect(reading.samples == expected.samples)
    #expect(reading.counts.rows == UInt64(expected.samples.count))
  }

  @Test(arguments: DialectCase.all)
  func samplesDoNotDependOnBlockSize(_ expected: DialectCase) {
    let bytes = Array(expected.text.utf8)
    for size in 1...bytes.count + 1 {
      let reading = read(bytes: bytes, options: expected.options, blockSize: size)
      #expect(reading.samples == expected.samples, "blocks of \(size)")
      #expect(reading.error == nil, "blocks of \(size)")
    }
  }

  @Test func unitsMayBeInLatin1() {
    let header =
      Array("time (".utf8) + [0xB5] + Array("s),x (".utf8) + [0xB0] + Array("/s),y (".utf8)
      + [0xB0] + Array("/s)\n7,90,-90\n8,0,0\n".utf8)
    let reading = read(bytes: header, needsZ: false)
    #expect(reading.error == nil)
    #expect(reading.samples.first == sample(7_000, 90 * .pi / 180, -90 * .pi / 180))
  }

  @Test func unneededColumnIsNotRead() {
    let text = "t,x,y,z,extra\n0,1,2,three,four\n1,4,5,,\n"
    let reading = read(text, needsZ: false)
    #expect(reading.samples == [sample(0, 1, 2), sample(1_000_000_000, 4, 5)])
    #expect(read(text).error?.column == 4)
  }

  @Test func emptyAndNonfiniteFieldsAreNotZero() {
    let reading = read("t,x,y,z\n0,,2,3\n1,nan,2,3\n2,1,-inf,3\n,1,2,3\n4,1,2, \n5,1,2,3\n")
    #expect(reading.error == nil)
    let finite = reading.samples.map(\.rateRadPerSec.isFinite)
    #expect(finite == [false, false, false, false, false, true])
  }

  @Test func fastRateCausesOneWarning() {
    let reading = read("t,x,y,z\n0,1,2,3\n1,4,-57.26,6\n2,99,0,0\n")
    #expect(reading.warning?.line == 3)
    #expect(
      reading.warning?.description
        == "trace.csv:3: 57.3 rad/s is faster than a hand can turn; if the rates are in "
        + "degrees, add --gyro-unit deg/s")
    #expect(read("t,x,y\n0,1,inf\n1,40,-40\n", needsZ: false).warning == nil)
    let degrees = read("t,x,y\n0,1,2\n1,9999,0\n", options: given(gyro: .degreesPerSecond))
    #expect(degrees.warning == nil)
  }

  @Test func fileNameOfOtherSensorIsAnErrorUnlessUnitIsGiven() {
    let text = "time,seconds_elapsed,z,y,x\n1,0,1,2,3\n2,0,1,2,3\n"
    for name in ["TotalAcceleration.csv", "Gravity.csv", "MagnetometerUncalibrated.csv"] {
      #expect(read(text, fileName: name).error?.kind == .otherSensor)
      let named = read(text, options: given(gyro: .radiansPerSecond), fileName: name)
      #expect(named.error == nil)
    }
    #expect(read(text, fileName: "Gyroscope.csv").error == nil)
  }
}
