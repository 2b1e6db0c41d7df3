// SPDX-License-Identifier: Apache-2.0

import ParallaxDevice
import Testing

@Suite("Stable device path")
struct StableDevicePathTests {
  @Test(arguments: [
    (
      "/devices/virtual/misc/uhid/0018:1209:6779.0001/HID-SENSOR-200076.2.auto",
      "/devices/virtual/misc/uhid/0018:1209:6779/HID-SENSOR-200076.auto"
    ),
    (
      "/devices/pci0000:00/0000:00:13.0/i2c-1/1-0068",
      "/devices/pci0000:00/0000:00:13.0/i2c-1/1-0068"
    ),
    ("/devices/platform/cros-ec-gyro.12.auto", "/devices/platform/cros-ec-gyro.auto"),
    ("/devices/a.b.auto", "/devices/a.b.auto"),
    ("", ""),
  ])
  func changingNumbersAreLeftOut(path: String, stable: String) {
    #expect(StableDevicePath.of(path) == stable)
  }
}
