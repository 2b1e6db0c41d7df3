// SPDX-License-Identifier: Apache-2.0

/// An existing trigger.
package struct TriggerFacts: Equatable, Sendable {
  package var name: String
  /// As `GyroDescription.parentPath`; nil: not known.
  package var parentPath: String?

  package init(name: String, parentPath: String? = nil) {
    self.name = name
    self.parentPath = parentPath
  }
}

/// Finds the trigger that a driver has created for its device.
///
/// Their names are `gyro_3d-dev0`, `bmi160-dev0` (drivers/iio/common/hid-sensors, imu/bmi160,
/// gyro/bmg160_core.c, imu/inv_mpu6050), with the device's number, or `l3gd20-trigger`
/// (drivers/iio/common/st_sensors/st_sensors_trigger.c). bmg160 has another
/// one, `bmg160-any-motion-dev0`, which fires when motion starts, not for every sample.
package enum OwnTrigger {
  package static func name(
    forDevice name: String, id: String, parentPath: String?, among triggers: [TriggerFacts]
  ) -> String? {
    let number = String(id.reversed().prefix { $0.isNumber }.reversed())
    let usual = ["\(name)-dev\(number)", "\(name)-trigger"]
    // A second device of the same name has its own.
    let near = triggers.filter { trigger in
      guard let parentPath, let path = trigger.parentPath else { return true }
      return path == parentPath
    }
    for name in usual where near.contains(where: { $0.name == name }) { return name }
    guard let parentPath else { return nil }
    return near.first { $0.parentPath == parentPath && !$0.name.contains("any-motion") }?.name
  }
}
