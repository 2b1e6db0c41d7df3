// SPDX-License-Identifier: Apache-2.0

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
    let fields: [String: JSONValue]
    do { fields = try JSONValue.object(body) } catch {
      throw PhoneSamples.ReadError(message: "\(error)")
    }
    guard let payload = fields["payload"]?.array else {
      throw PhoneSamples.ReadError(message: "expected a push of Sensor Logger, with a payload")
    }
    device = String((fields["deviceId"]?.string ?? "").prefix(64))
    var samples: [PhoneSamples.Sample] = []
    for entry in payload where entry["name"] == .string("gyroscope") {
      guard let time = entry["time"]?.number, let values = entry["values"],
        let x = values["x"]?.number, let y = values["y"]?.number, let z = values["z"]?.number
      else {
        throw PhoneSamples.ReadError(message: "a gyroscope entry without time, x, y and z")
      }
      samples.append(PhoneSamples.Sample(time: time / 1e9, x: x, y: y, z: z))
    }
    samples.sort { $0.time < $1.time }
    self.samples = samples.isEmpty ? nil : try PhoneSamples(checking: samples)
  }
}
