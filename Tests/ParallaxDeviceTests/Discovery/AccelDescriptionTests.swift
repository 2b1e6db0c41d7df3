// SPDX-License-Identifier: Apache-2.0

import ParallaxDevice
import ParallaxMotion
import ParallaxTestSupport
import Testing

@Suite("Accelerometer in a gyroscope's device")
struct AccelDescriptionTests {
  private func accelerometer(
    _ layout: GyroLayout, property: String? = nil,
    changing changes: [(name: String, text: String)] = []
  ) -> AccelDescription? {
    let kept = layout.attributes.filter { file in !changes.contains { $0.name == file.name } }
    return AccelDescription(AttributeTable(files: kept + changes), property: property)
  }

  @Test func driversAttributes() throws {
    let bmi160 = try #require(accelerometer(.bmi160))
    #expect(bmi160.scale == 0.000598 && bmi160.offset == 0 && bmi160.warning == nil)
    #expect(bmi160.matrix.rowMajor == [-1, 0, 0, 0, -1, 0, 0, 0, 1])
    #expect(accelerometer(.mpu6050)?.matrix == .identity)
    #expect(accelerometer(.mpu6050, changing: [("in_accel_offset", "-12")])?.offset == -12)
    #expect(accelerometer(.l3gd20) == nil)
    #expect(accelerometer(.bmi160, changing: [("in_accel_scale", "0")]) == nil)
  }

  /// udev's, then the accelerometer's own, then the device's. An invalid one is skipped with a warning.
  @Test(arguments: [
    ("0,-1,0;-1,0,0;0,0,1", "1,0,0;0,1,0;0,0,-1", [0.0, -1, 0, -1, 0, 0, 0, 0, 1], false),
    (nil, "1, 0, 0; 0, 1, 0; 0, 0, -1", [1, 0, 0, 0, 1, 0, 0, 0, -1], false),
    ("", "1, 0, 0; 0, 1, 0; 0, 0, -1", [1, 0, 0, 0, 1, 0, 0, 0, -1], false),
    ("left", "1, 0, 0; 0, 1, 0; 0, 0, -1", [1, 0, 0, 0, 1, 0, 0, 0, -1], true),
    ("left", "0,0,0;0,0,0;0,0,0", [1, 0, 0, 0, 1, 0, 0, 0, 1], true),
  ])
  func matrix(property: String?, own: String, expected: [Double], warns: Bool) throws {
    let found = try #require(
      accelerometer(.mpu6050, property: property, changing: [("in_accel_mount_matrix", own)]))
    #expect(found.matrix.rowMajor == expected)
    #expect((found.warning != nil) == warns)
  }
}
