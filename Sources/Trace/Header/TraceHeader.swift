// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
package import ParallaxMotion

/// The `# key: value` lines above the columns of a recording.
package struct TraceHeader: Equatable, Sendable {
  /// The name of the gyroscope.
  package var device: String?
  /// Samples per second, as granted by the device.
  package var rateHertz: Double?
  /// The rotation from the sensor's frame to the device's.
  package var mountMatrix: MountMatrix?
  /// The orientation of the screen at the start.
  package var orientation: Orientation?
  /// The bias at the start, rad/s in the device's frame.
  package var bias: BiasState?

  package init(
    device: String? = nil, rateHertz: Double? = nil, mountMatrix: MountMatrix? = nil,
    orientation: Orientation? = nil, bias: BiasState? = nil
  ) {
    self.device = device
    self.rateHertz = rateHertz
    self.mountMatrix = mountMatrix
    self.orientation = orientation
    self.bias = bias
  }

  /// Sets the value of a line; unknown keys are ignored.
  mutating func set(key: String, value: String) throws(SettingError) {
    switch key {
    case "device":
      device = value
    case "rate":
      guard let hertz = SettingText.number(value), hertz > 0 else {
        throw SettingError("invalid rate '\(quoted(value))'; write a number of Hz above 0")
      }
      rateHertz = hertz
    case "mount-matrix":
      mountMatrix = try MountMatrix(parsing: value)
    case "orientation":
      orientation = try Orientation(parsing: value)
    case "bias":
      bias = try BiasState(parsing: value)
    default: break
    }
  }

  /// Splits a comment `key: value`; nil for other comments.
  static func keyAndValue(_ comment: some StringProtocol) -> (key: String, value: String)? {
    guard let colon = comment.firstIndex(of: ":") else { return nil }
    let key = HeaderCell.trimmed(comment[..<colon]).lowercased()
    let value = HeaderCell.trimmed(comment[comment.index(after: colon)...])
    guard !key.isEmpty, !value.isEmpty, !key.contains(" ") else { return nil }
    return (key, value)
  }
}
