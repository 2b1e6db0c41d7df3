// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The body that the app Sensor Logger pushes over HTTP
/// (https://github.com/tszheichoi/awesome-sensor-logger/blob/main/PUSHING.md).
package struct SensorLoggerPush: Equatable, Sendable {
  /// The maximum size in bytes: a second of every sensor of a phone has about 200 KiB.
  package static let maxBytes = 1 << 20

  /// Identifies the phone; the app makes it up.
  package let device: String
  /// What the gyroscope measured; nil if the app sends only other sensors.
  package let samples: PhoneSamples?

  /// Reads `{"deviceId":..,"payload":[{"name":"gyroscope","time":NANOSECONDS,"values":{"x":..,"y":..,"z":..}}]}`,
  /// with rates in rad/s in the frame of Android, which the app also uses on iOS. Entries of other sensors are
  /// skipped.
  package init(_ body: [UInt8]) throws(PhoneSamples.ReadError) {
    guard let push = try? JSONDecoder().decode(Push.self, from: Data(body)) else {
      throw PhoneSamples.ReadError(
        message: "expected a push of Sensor Logger, with a payload of entries with time, x, y and z"
      )
    }
    device = String((push.deviceId ?? "").prefix(64))
    var samples = push.payload.compactMap(\.sample)
    samples.sort { $0.time < $1.time }
    self.samples = samples.isEmpty ? nil : try PhoneSamples(checking: samples)
  }
}

private struct Push: Decodable {
  let deviceId: String?
  let payload: [Entry]

  struct Entry: Decodable {
    /// nil: of another sensor.
    let sample: PhoneSamples.Sample?

    private enum Keys: CodingKey {
      case name, time, values
    }

    private struct Values: Decodable {
      let x: Double
      let y: Double
      let z: Double
    }

    init(from decoder: any Decoder) throws {
      let entry = try decoder.container(keyedBy: Keys.self)
      guard try entry.decodeIfPresent(String.self, forKey: .name) == "gyroscope" else {
        sample = nil
        return
      }
      let values = try entry.decode(Values.self, forKey: .values)
      sample = PhoneSamples.Sample(
        time: try entry.decode(Double.self, forKey: .time) / 1e9, x: values.x, y: values.y,
        z: values.z)
    }
  }
}
