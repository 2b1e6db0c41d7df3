import Glibc

/// A battery of this machine's, as the kernel has it (Documentation/ABI/testing/sysfs-class-power).
package struct Battery: Equatable, Sendable {
  /// 0...100.
  package var capacityPercent: Int
  package var isDischarging: Bool

  package init(capacityPercent: Int, isDischarging: Bool) {
    self.capacityPercent = capacityPercent
    self.isDischarging = isDischarging
  }

  /// At and below this, discharging, a battery is low; UPower's usual PercentageLow.
  package static let lowPercent = 20

  package var isLow: Bool { isDischarging && capacityPercent <= Self.lowPercent }

  /// Where the kernel shows power supplies.
  package static let folder = "/sys/class/power_supply"

  /// The batteries of the machine itself: a mouse's or a headset's (`scope` is `Device`) are not.
  package static func all(in folder: String) -> [Battery] {
    guard let list = opendir(folder) else { return [] }
    defer { closedir(list) }
    var batteries: [Battery] = []
    while let entry = readdir(list) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) {
          String(cString: $0)
        }
      }
      if name.utf8.first != UInt8(ascii: "."), let battery = read("\(folder)/\(name)") {
        batteries.append(battery)
      }
    }
    return batteries
  }

  private static func read(_ folder: String) -> Battery? {
    guard word("\(folder)/type") == "Battery", word("\(folder)/scope") != "Device",
      word("\(folder)/present") != "0", let capacity = Int(word("\(folder)/capacity"))
    else { return nil }
    return Battery(
      capacityPercent: capacity, isDischarging: word("\(folder)/status") == "Discharging")
  }

  /// An attribute's text without its line end; empty where it cannot be read.
  private static func word(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    return withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      var bytes = buffer[..<max(0, count)]
      while bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
