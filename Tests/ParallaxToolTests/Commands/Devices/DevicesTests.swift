// SPDX-License-Identifier: Apache-2.0

import ParallaxTestSupport
import Testing

/// Discovery by libiio, with the sysfs attributes of seven drivers.
@Suite("parallax devices", .needsUmockdev, .timeLimit(.minutes(10)))
struct DevicesTests {
  private func devices(
    _ arguments: [String] = [], seeing gyroscopes: [GyroLayout], home: TemporaryFolder? = nil
  ) throws -> ProgramResult {
    let home = try home ?? TemporaryFolder()
    return try Umockdev.run(
      .parallax, ["devices"] + arguments, seeing: gyroscopes,
      environment: ["HOME": home.path, "XDG_CONFIG_HOME": home(".config")])
  }

  private static let hub = #""driver":"hid_sensor_gyro_3d""#

  struct Expected: Sendable, CustomTestStringConvertible {
    var layout: GyroLayout
    /// Parts of its line.
    var says: [String]
    var saysNot: [String] = []

    var testDescription: String { layout.name }
  }

  static let drivers = [
    Expected(
      layout: .hid,
      says: [
        hub, #""scale":0.000174532,"#, #""offset":0,"rate":10,"#, #""trigger":"gyro_3d-dev0""#,
        #""path":"/devices/platform/HID-SENSOR-200076.1.auto""#, #""reading":"buffered""#,
      ], saysNot: ["matrix", "rates", "label"]),
    Expected(
      layout: .bmi160,
      says: [
        #""scale":0.001065,"#, #""rate":100,"rates":[25,50,100,200,400,800,1600,3200]"#,
        #""mount_matrix":"-1,0,0;0,-1,0;0,0,1""#, #""trigger_needed":true,"buffer":true"#,
        #""reading":"polled""#, #""accel_mount_matrix":"-1,0,0;0,-1,0;0,0,1""#,
      ], saysNot: [#""trigger":"#]),
    Expected(
      layout: .bmg160,
      says: [
        #""rates":[100,200,400,1000,2000]"#, #""mount_matrix":"1,0,0;0,1,0;0,0,1""#,
        #""trigger":"bmg160-dev0""#, #""reading":"buffered""#,
      ]),
    Expected(
      layout: .l3gd20,
      says: [
        #""scale":0.000153,"#, #""rate":95,"rates":[95,190,380,760]"#,
        #""mount_matrix":"0,1,0;-1,0,0;0,0,1""#, #""trigger":"l3gd20-trigger""#,
      ]),
    Expected(
      layout: .mpu6050,
      says: [
        #""scale":0.001064724,"#, #""rate":50,"rates":[10,20,50,100,200,500]"#,
        #""mount_matrix":"0,0,1;0,1,0;-1,0,0""#, #""accel_mount_matrix":"1,0,0;0,1,0;0,0,1""#,
      ]),
    Expected(
      layout: .lsm6dsx,
      says: [
        #""rate":26,"rates":[12.5,26,52,104,208,416]"#, #""mount_matrix":"1,0,0;0,-1,0;0,0,-1""#,
        #""trigger_needed":false,"buffer":true"#, #""reading":"buffered""#,
      ], saysNot: ["accel"]),
    Expected(
      layout: .crosEc,
      says: [
        #""label":"accel-display""#, #""scale":0.000532632,"offset":0,"rates":[25,100]"#,
        #""trigger_needed":false,"buffer":true"#, #""reading":"buffered""#,
      ], saysNot: [#""rate":"#, "matrix"]),
  ]

  @Test(arguments: drivers)
  func driver(expected: Expected) throws {
    let result = try devices(["--json"], seeing: [expected.layout])
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.errors == "")
    #expect(result.outputLines.count == 1)
    for text in expected.says + [#""used":true,"reason":"the only one"}"#] {
      #expect(result.output.contains(text), "\(text) in \(result.output)")
    }
    for text in expected.saysNot {
      #expect(!result.output.contains(text), "no \(text) in \(result.output)")
    }
  }

  @Test func everyDriverHasACase() {
    #expect(Self.drivers.map(\.layout.name) == GyroLayout.all.map(\.name))
  }

  /// udev's matrix overrides the driver's, and may mirror.
  @Test func anAccelerometerInTheSameDevice() throws {
    var mirrored = GyroLayout.mpu6050
    mirrored.properties = [("ACCEL_MOUNT_MATRIX", "0, -1, 0; -1, 0, 0; 0, 0, 1")]
    let json = try devices(["--json"], seeing: [mirrored])
    #expect(json.output.contains(#""accel_mount_matrix":"0,-1,0;-1,0,0;0,0,1""#))
    #expect(json.output.contains(#""mount_matrix":"0,0,1;0,1,0;-1,0,0""#))
    let text = try devices(seeing: [mirrored]).output
    #expect(
      text.contains(
        "accel    in the same device: reports the orientation; matrix 0,-1,0;-1,0,0;0,0,1"))
  }

  @Test func theText() throws {
    var bent = GyroLayout.bmg160
    bent.attributes += [("location", "base")]
    bent.attributes.removeAll { $0.name.hasSuffix("matrix") }
    bent.attributes += [("in_mount_matrix", "1, 0, 0; 0, 1, 0; 0, 0, 2")]
    let result = try devices(seeing: [bent, .hid])
    #expect(result.exitCode == 0)
    #expect(result.errors == "")
    #expect(
      result.output == """
        bmg160 (iio:device0)
          driver   bmg160_i2c
          rate     100 Hz now; available: 100, 200, 400, 1000, 2000 Hz
          scale    0.000266 rad/s
          matrix   ignored ('1, 0, 0; 0, 1, 0; 0, 0, 2'): the mount matrix is not a rotation; its rows \
        must have length 1 and be at right angles to each other
          trigger  bmg160-dev0, not set yet
          reading  streams through the kernel's buffer
          access   all that is needed
          place    location 'base'
          path     /devices/platform/soc/1c2b000.i2c/i2c-2/2-0068
        gyro_3d (iio:device1), used: the other is at the keyboard
          driver   hid_sensor_gyro_3d
          rate     10 Hz now; available: not listed
          scale    0.000174532 rad/s
          matrix   none
          trigger  gyro_3d-dev1
          reading  streams through the kernel's buffer
          access   all that is needed
          place    unknown
          path     /devices/platform/HID-SENSOR-200076.1.auto

        """)
  }

  @Test func theRequestedNameIsUsed() throws {
    for arguments in [["--device", "l3gd20"], ["--config", "FILE"]] {
      let home = try TemporaryFolder()
      try home.write("[source]\ndevice = \"l3gd20\"\n", to: "own.toml")
      let result = try devices(
        ["--json"] + arguments.map { $0 == "FILE" ? home("own.toml") : $0 },
        seeing: [.hid, .l3gd20], home: home)
      #expect(result.exitCode == 0)
      let used = result.outputLines.filter { $0.contains(#""used":true"#) }
      #expect(used.count == 1)
      #expect(used.first?.hasPrefix(#"{"name":"l3gd20""#) ?? false)
      #expect(used.first?.hasSuffix(#""reason":"'l3gd20' was requested"}"#) ?? false)
    }
  }

  @Test func anUnknownName() throws {
    let result = try devices(["--json", "--device", "bmi161"], seeing: [.bmi160])
    #expect(result.exitCode == 69)
    #expect(result.outputLines.count == 1)
    #expect(
      result.errors
        == "parallax: no gyroscope is named 'bmi161'; found: bmi160 (iio:device0); use one of these "
        + "names, or none\n")
  }

  @Test func otherSensorsAreNotListed() throws {
    var accelerometer = GyroLayout.bmi160
    accelerometer.axes = ["x", "y"]
    let result = try devices(seeing: [accelerometer])
    #expect(result.exitCode == 69)
    #expect(result.output == "")
    #expect(
      result.errors
        == "parallax: no gyroscope with three axes was found; 'parallax doctor' shows what to check\n"
    )
  }

  @Test func noScale() throws {
    var bare = GyroLayout.hid
    bare.attributes.removeAll { $0.name == "in_anglvel_scale" }
    let result = try devices(seeing: [bare])
    #expect(result.output.contains("scale    MISSING"))
    #expect(result.output.contains("reading  impossible: it has no scale"))
  }

  @Test func anotherURI() throws {
    let result = try devices(["--uri", "xml:/nowhere.xml"], seeing: [.hid])
    #expect(result.exitCode == 69)
    #expect(result.errors.hasPrefix("parallax: xml:/nowhere.xml cannot be opened: "))
  }
}
