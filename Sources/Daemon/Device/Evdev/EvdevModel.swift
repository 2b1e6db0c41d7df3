// SPDX-License-Identifier: Apache-2.0

package import ParallaxMotion

/// A kind of device whose gyroscope the kernel offers as an input device: its axes and its timestamps.
///
/// Sources, in Linux drivers/hid: hid-playstation.c and hid-sony.c, hid-nintendo.c
/// (`joycon_parse_imu_report`), hid-steam.c (`steam_do_deck_sensors_event`). SDL's
/// `CorrectSensorData` (src/joystick/linux/SDL_sysjoystick.c) maps the same axes in the same way.
package struct EvdevModel: Equatable, Sendable {
  /// From the driver's axes to x right, y up and z toward the person: of a controller, as someone holds
  /// it who faces the screen; of a handheld, along its own screen.
  package let mountMatrix: MountMatrix
  /// Whether the gyroscope turns with a screen.
  package let isScreen: Bool
  /// The times of its samples.
  package let timing: EvdevTiming

  /// - Parameters: The ids of the USB or Bluetooth device.
  /// - Returns: nil for an unknown device.
  package init?(vendor: UInt16?, product: UInt16?) {
    switch (vendor, product) {
    // DualSense, DualSense Edge; DualShock 4, its second version and its adapter.
    case (0x054C, 0x0CE6), (0x054C, 0x0DF2), (0x054C, 0x05C4), (0x054C, 0x09CC), (0x054C, 0x0BA0):
      self.init([1, 0, 0, 0, 1, 0, 0, 0, 1], .counter)
    // Joy-Con (left, right, both in the charging grip) and Switch Pro: x away from the person, y left,
    // z up. The driver's counter runs twice as fast as time.
    case (0x057E, 0x2006), (0x057E, 0x2007), (0x057E, 0x200E), (0x057E, 0x2009):
      self.init([0, -1, 0, 0, 0, 1, -1, 0, 0], .bursts(of: 3))
    // Steam Deck. Its driver gives the axes of a controller that lies flat.
    case (0x28DE, 0x1205): self.init([1, 0, 0, 0, 0, -1, 0, 1, 0], .counter, isScreen: true)
    default: return nil
    }
  }

  private init?(_ matrix: [Double], _ timing: EvdevTiming, isScreen: Bool = false) {
    guard let matrix = try? MountMatrix(rowMajor: matrix) else { return nil }
    mountMatrix = matrix
    self.timing = timing
    self.isScreen = isScreen
  }
}

/// The times of an input device's samples.
package enum EvdevTiming: Equatable, Sendable {
  /// The device's own counter of microseconds, MSC_TIMESTAMP.
  case counter
  /// The kernel's time of the event, in CLOCK_MONOTONIC.
  case kernel
  /// As `kernel`, of a device that sends a number of samples at once: they are spread over the time since
  /// the ones before.
  case bursts(of: Int64)
}
