// SPDX-License-Identifier: Apache-2.0

/// A device's path without the numbers that change with a replug or a restart. Keeps what is stored
/// about a sensor together.
///
/// The kernel counts some devices: `0018:1209:6779.0002` is the second HID device since the boot
/// (drivers/hid/hid-core.c), and `HID-SENSOR-200076.3.auto` a platform device that got the next free
/// number (drivers/base/platform.c).
package enum StableDevicePath {
  /// - Parameter path: As in `/devices/…/0018:1209:6779.0002/HID-SENSOR-200076.3.auto`.
  package static func of(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { part in
      var words = part.split(separator: ".", omittingEmptySubsequences: false)
      if words.count >= 3, words.last == "auto", isNumber(words[words.count - 2], hex: false) {
        words.remove(at: words.count - 2)
      } else if words.count == 2, words[1].count == 4, isNumber(words[1], hex: true),
        words[0].split(separator: ":").map(\.count) == [4, 4, 4]
      {
        words.removeLast()
      }
      return words.joined(separator: ".")
    }.joined(separator: "/")
  }

  private static func isNumber(_ text: Substring, hex: Bool) -> Bool {
    !text.isEmpty && text.allSatisfy { hex ? $0.isHexDigit : $0.isNumber }
  }
}
