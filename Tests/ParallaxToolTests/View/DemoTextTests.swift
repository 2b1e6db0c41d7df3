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
      "Synthetic motion moves the card. By hand: plug in a controller, or use a phone:"
    ),
    (
      "synthetic", .streaming, false,
      "Synthetic motion moves the card, because --source selects it."
    ),
    ("trace", .ended, false, "A recording moves the card."),
    ("feed", .streaming, true, "The samples of a phone or program move the card."),
    ("evdev", .streaming, true, "A controller moves the card: turn it in your hands."),
    (
      "evdev", .denied, true,
      "A controller is there, but you may not read it. 'parallax doctor' has the fix."
    ),
    ("iio", .streaming, true, "The gyroscope moves the card: turn the device."),
    ("iio", .idle, true, "Nothing moves the card at the moment."),
    (
      "iio", .none, false,
      "The gyroscope gives no motion. 'parallax doctor' shows what to check."
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
