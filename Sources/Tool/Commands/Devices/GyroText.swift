// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDevice
import ParallaxMotion
import ParallaxProtocol

/// The text of a gyroscope: its name and aligned rows of properties. Control characters are escaped.
enum GyroText {
  /// - Parameter reason: Why this gyroscope is used; nil if it is not used.
  static func block(of gyro: GyroDescription, chosen reason: String?) -> String {
    var rows = [
      ("driver", gyro.driver ?? "unknown"),
      ("rate", rate(gyro)),
      ("scale", scale(gyro)),
      ("matrix", matrix(gyro.mountMatrix)),
      ("trigger", trigger(gyro.trigger)),
      ("reading", reading(gyro)),
      ("access", access(gyro)),
    ]
    let place = [gyro.label.map { "label '\($0)'" }, gyro.location.map { "location '\($0)'" }]
      .compactMap(\.self).joined(separator: ", ")
    rows.append(("place", place.isEmpty ? "unknown" : place))
    if let accelerometer = gyro.accelerometer {
      rows.append(("accel", accel(accelerometer, canStream: gyro.canStream)))
    }
    if gyro.hasDeviceTimestamps {
      rows.append(("clock", "the device's own: only differences of times count"))
    }
    if let uniq = gyro.uniq { rows.append(("number", uniq)) }
    if let path = gyro.parentPath { rows.append(("path", path)) }
    let title = "\(gyro.name) (\(gyro.id))" + (reason.map { ", used: \($0)" } ?? "")
    return PrintableText.escaped(title) + "\n" + rows.map { aligned($0, width: 9) }.joined()
  }

  static func aligned(_ row: (name: String, value: String), width: Int) -> String {
    "  \(row.name)\(String(repeating: " ", count: max(1, width - row.name.count)))"
      + "\(PrintableText.escaped(row.value))\n"
  }

  static func number(_ value: Double) -> String {
    JSONValue.number(value).text
  }

  static func rates(_ rates: RateList) -> String {
    switch rates {
    case .list(let rates): rates.map(number).joined(separator: ", ") + " Hz"
    case .range(let minimum, let step, let maximum):
      "\(number(minimum)) to \(number(maximum)) Hz"
        + (step > 0 ? " in steps of \(number(step))" : "")
    case .unknown: "not listed"
    }
  }

  private static func rate(_ gyro: GyroDescription) -> String {
    if gyro.interface == .evdev { return "its own, which cannot be changed" }
    return (gyro.rate.map { "\(number($0)) Hz now" } ?? "none set") + "; available: "
      + rates(gyro.availableRates)
  }

  private static func scale(_ gyro: GyroDescription) -> String {
    guard let scale = gyro.scale else {
      return gyro.interface == .evdev && !gyro.access.node
        ? "known to those who may read it" : "MISSING: the values have no unit without it"
    }
    return "\(number(scale)) rad/s"
      + (gyro.offset == 0 ? "" : " after an offset of \(number(gyro.offset))")
  }

  private static func matrix(_ reading: MountMatrixReading) -> String {
    switch reading {
    case .absent: "none"
    case .rotation(let rotation): rotation.text
    case .refused(let text, let why): "ignored ('\(text)'): \(why)"
    }
  }

  private static func trigger(_ trigger: TriggerReading) -> String {
    switch trigger {
    case .current(let name): name
    case .own(let name): "\(name), not set yet"
    case .notNeeded: "not needed"
    case .none: "none"
    }
  }

  private static func reading(_ gyro: GyroDescription) -> String {
    switch gyro.reading {
    case .buffered:
      gyro.interface == .evdev
        ? "streams its events" : "streams through the kernel's buffer"
    case .polled: "only polled: \(whyNotBuffered(gyro))"
    case .impossible:
      gyro.interface == .evdev && !gyro.access.node
        ? "impossible: this user may not read it"
        : gyro.scale == nil
          ? "impossible: it has no scale" : "impossible: \(whyNotBuffered(gyro))"
    }
  }

  private static func accel(_ accelerometer: AccelDescription, canStream: Bool) -> String {
    let use = canStream ? ": reports the orientation" : ""
    return "in the same device\(use); matrix \(accelerometer.matrix.text)"
      + (accelerometer.warning.map { "; \($0)" } ?? "")
  }

  static func whyNotBuffered(_ gyro: GyroDescription) -> String {
    if !gyro.hasBuffer { return "the driver has no buffer" }
    if gyro.trigger == .none { return "it has no trigger" }
    return "this user may not use the buffer"
  }

  private static func access(_ gyro: GyroDescription) -> String {
    guard gyro.hasBuffer, !(gyro.access.node && gyro.access.settings) else {
      return gyro.access.raw ? "all that is needed" : "raw values cannot be read"
    }
    let refused = (gyro.access.node ? [] : [gyro.node]) + gyro.access.refusedSettings
    let few = refused.prefix(2).joined(separator: ", ")
    let what = gyro.interface == .evdev ? "not readable" : "not writable"
    return "\(what): \(few)" + (refused.count > 2 ? " and \(refused.count - 2) more" : "")
      + (gyro.access.raw || gyro.interface == .evdev ? "" : "; raw values cannot be read")
      + "; 'parallax doctor' prints a fix"
  }
}

/// A gyroscope as a JSON object. Unknown properties are left out.
enum GyroJSON {
  static func line(of gyro: GyroDescription, chosen reason: String?) -> String {
    var object: JSONObject = [:]
    object.add("name", text: gyro.name)
    object.add("id", text: gyro.id)
    object.add("interface", text: gyro.interface.rawValue)
    object.add("label", text: gyro.label)
    object.add("location", text: gyro.location)
    object.add("uniq", text: gyro.uniq)
    object.add("path", text: gyro.parentPath)
    object.add("driver", text: gyro.driver)
    object.add("scale", gyro.scale.map { .number($0) })
    object.add("offset", .number(gyro.offset))
    object.add("rate", gyro.rate.map { .number($0) })
    switch gyro.availableRates {
    case .list(let rates): object.add("rates", numbers(rates))
    case .range(let minimum, let step, let maximum):
      object.add("rates_range", numbers([minimum, step, maximum]))
    case .unknown: break
    }
    switch gyro.mountMatrix {
    case .absent: break
    case .rotation(let matrix): object.add("mount_matrix", text: matrix.text)
    case .refused(let text, let why):
      object.add("mount_matrix_ignored", text: text)
      object.add("mount_matrix_why", text: why)
    }
    object.add("trigger", text: gyro.trigger.name)
    object.add("trigger_needed", .bool(gyro.trigger != .notNeeded))
    object.add("buffer", .bool(gyro.hasBuffer))
    object.add("accel_mount_matrix", text: gyro.accelerometer?.matrix.text)
    object.add("device_timestamps", .bool(gyro.hasDeviceTimestamps))
    object.add("reading", text: gyro.reading.rawValue)
    object.add("node_access", .bool(gyro.access.node))
    object.add("refused_settings", .array(gyro.access.refusedSettings.map { .string($0) }))
    object.add("raw_access", .bool(gyro.access.raw))
    object.add("used", .bool(reason != nil))
    object.add("reason", text: reason)
    return JSONValue.object(object).text
  }

  private static func numbers(_ values: [Double]) -> JSONValue {
    .array(values.map { .number($0) })
  }
}
