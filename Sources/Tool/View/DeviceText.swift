// SPDX-License-Identifier: Apache-2.0

import ParallaxProtocol

extension DeviceMessage {
  /// The driver and the name, as in `iio gyro_3d`.
  var sourceText: String { name.map { "\(driver) \($0)" } ?? driver }

  /// The line of `parallax demo` about the source of the card's motion.
  ///
  /// - Parameter takesOthers: Whether the daemon switches to a controller or a phone when there is one.
  func demoText(takesOthers: Bool) -> String {
    switch (driver, state) {
    case ("synthetic", _):
      return takesOthers
        ? "Synthetic motion. To move the card yourself, use a controller or a phone:"
        : "Synthetic motion moves the card, because --source selects it."
    case ("trace", _): return "A recording moves the card."
    case ("feed", .streaming): return "Samples from a phone or a program move the card."
    case ("evdev", .streaming): return "A controller moves the card: turn it in your hands."
    case ("iio", .streaming): return "The gyroscope moves the card: turn the device."
    case ("evdev", .denied):
      return "You may not read the controller. Run 'parallax doctor' for the fix."
    case (_, .idle): return "The source of motion is idle."
    default: return "The gyroscope reports no motion. Run 'parallax doctor' to find out why."
    }
  }
}
