// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// A battery as the kernel describes it (Documentation/ABI/testing/sysfs-class-power).
package struct Battery: Equatable, Sendable {
  /// 0...100.
  package var capacityPercent: Int
  package var isDischarging: Bool

  package init(capacityPercent: Int, isDischarging: Bool) {
    self.capacityPercent = capacityPercent
    self.isDischarging = isDischarging
  }

  /// A discharging battery at or below this is low; UPower's usual PercentageLow.
  package static let lowPercent = 20

  package var isLow: Bool { isDischarging && capacityPercent <= Self.lowPercent }

  /// The kernel's directory of power supplies.
  package static let folder = "/sys/class/power_supply"

  /// Returns the machine's own batteries, without those of a mouse or a headset (`scope` is
  /// `Device`).
  package static func all(in folder: String) -> [Battery] {
    let names = (try? Directory.names(in: folder)) ?? []
    return names.compactMap { read("\(folder)/\($0)") }
  }

  private static func read(_ folder: String) -> Battery? {
    func attribute(_ name: String) -> String? { SmallFile.text("\(folder)/\(name)") }
    guard attribute("type") == "Battery", attribute("scope") != "Device",
      attribute("present") != "0", let capacity = attribute("capacity").flatMap({ Int($0) })
    else { return nil }
    return Battery(
      capacityPercent: capacity, isDischarging: attribute("status") == "Discharging")
  }
}
