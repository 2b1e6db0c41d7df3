// SPDX-License-Identifier: Apache-2.0

import ParallaxProtocol
import Testing

@testable import ParallaxTool

/// What `parallax demo` says about the motion of its card.
@Suite struct DemoTextTests {
  typealias Case = (driver: String, state: DeviceMessage.State, takesOthers: Bool, text: String)

  static let cases: [Case] = [
    (
      "synthetic", .streaming, true,
      "Synthetic motion. To move the card yourself, use a controller or a phone:"
    ),
    (
      "synthetic", .streaming, false,
      "Synthetic motion moves the card, because --source selects it."
    ),
    ("trace", .ended, false, "A recording moves the card."),
    ("feed", .streaming, true, "Samples from a phone or a program move the card."),
    ("evdev", .streaming, true, "A controller moves the card: turn it in your hands."),
    (
      "evdev", .denied, true,
      "You may not read the controller. Run 'parallax doctor' for the fix."
    ),
    ("iio", .streaming, true, "The gyroscope moves the card: turn the device."),
    ("iio", .idle, true, "The source of motion is idle."),
    (
      "iio", .none, false,
      "The gyroscope reports no motion. Run 'parallax doctor' to find out why."
    ),
  ]

  @Test(arguments: cases)
  func text(driver: String, state: DeviceMessage.State, takesOthers: Bool, text: String) {
    let device = DeviceMessage(
      driver: driver, name: nil, state: state, rateHertz: nil, reason: nil)
    #expect(device.demoText(takesOthers: takesOthers) == text)
    // It fits into a terminal of 80 columns.
    #expect(text.count < 80)
  }
}
