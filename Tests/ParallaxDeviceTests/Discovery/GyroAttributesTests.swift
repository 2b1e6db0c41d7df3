// SPDX-License-Identifier: Apache-2.0

import ParallaxDevice
import ParallaxMotion
import ParallaxTestSupport
import Testing

/// A sysfs folder whose files belong to channels as in libiio 0.24. The tests with the same layouts
/// under umockdev show that they do.
struct AttributeTable: AttributeReading {
  var files: [(name: String, text: String)]

  func channelAttribute(_ name: String, of channel: String) -> String? {
    let type = channel.prefix { $0 != "_" }
    return text("in_\(channel)_\(name)") ?? (channel == "mount" ? nil : text("in_\(type)_\(name)"))
  }

  func deviceAttribute(_ name: String) -> String? {
    name.hasPrefix("in_") ? nil : text(name)
  }

  private func text(_ name: String) -> String? { files.first { $0.name == name }?.text }
}

@Suite("Gyroscope attributes of real drivers")
struct GyroAttributesTests {
  struct Expected: Sendable, CustomTestStringConvertible {
    var layout: GyroLayout
    var scale: Double
    var rate: Double?
    var rates: RateList
    var matrix: [Double]?

    var testDescription: String { layout.name }
  }

  static let table = [
    Expected(layout: .hid, scale: 0.000174532, rate: 10, rates: .unknown),
    Expected(
      layout: .bmi160, scale: 0.001065, rate: 100,
      rates: .list([25, 50, 100, 200, 400, 800, 1600, 3200]), matrix: [-1, 0, 0, 0, -1, 0, 0, 0, 1]),
    Expected(
      layout: .bmg160, scale: 0.000266, rate: 100, rates: .list([100, 200, 400, 1000, 2000]),
      matrix: [1, 0, 0, 0, 1, 0, 0, 0, 1]),
    Expected(
      layout: .l3gd20, scale: 0.000153, rate: 95, rates: .list([95, 190, 380, 760]),
      matrix: [0, 1, 0, -1, 0, 0, 0, 0, 1]),
    Expected(
      layout: .mpu6050, scale: 0.001064724, rate: 50, rates: .list([10, 20, 50, 100, 200, 500]),
      matrix: [0, 0, 1, 0, 1, 0, -1, 0, 0]),
    Expected(
      layout: .lsm6dsx, scale: 0.000152716, rate: 26,
      rates: .list([12.5, 26, 52, 104, 208, 416]), matrix: [1, 0, 0, 0, -1, 0, 0, 0, -1]),
    Expected(layout: .crosEc, scale: 0.000532632, rate: nil, rates: .list([25, 100])),
  ]

  @Test(arguments: table)
  func driver(expected: Expected) throws {
    let found = GyroAttributes(AttributeTable(files: expected.layout.attributes))
    #expect(found.scale == expected.scale)
    #expect(found.offset == 0)
    #expect(found.rate == expected.rate)
    #expect(found.availableRates == expected.rates)
    let matrix = try expected.matrix.map { try MountMatrix(rowMajor: $0) }
    #expect(found.mountMatrix == matrix.map { .rotation($0) } ?? .absent)
  }

  @Test func everyLayoutIsTested() {
    #expect(Self.table.map(\.layout.name) == GyroLayout.all.map(\.name))
  }

  @Test(
    arguments: [
      ("in_anglvel_offset", "-12", -12), ("in_anglvel_x_offset", "0.5", 0.5), ("offset", "3", 3),
      ("in_accel_offset", "7", 0), ("in_anglvel_offset", "none", 0),
    ] as [(String, String, Double)])
  func offset(file: String, text: String, offset: Double) {
    #expect(GyroAttributes(AttributeTable(files: [(file, text)])).offset == offset)
  }

  @Test(arguments: ["", "0", "0.000000", "1,5", "nan", "fast"])
  func invalidScale(text: String) {
    #expect(GyroAttributes(AttributeTable(files: [("in_anglvel_scale", text)])).scale == nil)
  }

  @Test(arguments: [
    "2, 0, 0; 0, 1, 0; 0, 0, 1", "0, 0, 0; 0, 0, 0; 0, 0, 0", "1, 0, 0; 0, 1, 0",
    "1, 0, 0; 0, 1, 0; 0, 0, -1", "identity", "1, 0, 0; 0, 1, 0; 0, 0, x",
  ])
  func matrixThatIsNotARotation(text: String) throws {
    let found = GyroAttributes(AttributeTable(files: [("in_mount_matrix", text)]))
    guard case .refused(text, let why) = found.mountMatrix else {
      Issue.record("\(found.mountMatrix)")
      return
    }
    #expect(!why.isEmpty)
  }

  @Test(arguments: [
    "1,0,0;0,1,0;0,0,1", "1, 0, 0; 0, 1, 0; 0, 0, 1", " 1.0 ,0 , 0 ;0,1,0;0,0,1.000 ",
    "1.005, 0, 0; 0, 0.995, 0; 0, 0, 1",
  ])
  func matrixForms(text: String) {
    guard case .rotation = MountMatrixReading(text) else {
      Issue.record("\(MountMatrixReading(text))")
      return
    }
  }
}
