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
        ? "Synthetic motion moves the card. By hand: plug in a controller, or use a phone:"
        : "Synthetic motion moves the card, because --source selects it."
    case ("trace", _): return "A recording moves the card."
    case ("feed", .streaming): return "The samples of a phone or program move the card."
    case ("evdev", .streaming): return "A controller moves the card: turn it in your hands."
    case ("iio", .streaming): return "The gyroscope moves the card: turn the device."
    case ("evdev", .denied):
      return "A controller is there, but you may not read it. 'parallax doctor' has the fix."
    case (_, .idle): return "Nothing moves the card at the moment."
    default: return "The gyroscope gives no motion. 'parallax doctor' shows what to check."
    }
  }
}
