// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxConfig
import ParallaxMotion
import ParallaxProtocol

/// The settings as the page reads them: the daemon's values, and from the schema what the controls need.
enum PageSettings {
  /// Returns one JSON object.
  ///
  /// - Parameters:
  ///   - status: The daemon's status.
  ///   - file: The file that takes the changes, for display.
  ///   - isWritable: Whether this process may write it.
  static func json(_ status: StatusMessage, file: String, isWritable: Bool) -> [UInt8] {
    var buffer = OutputBuffer(capacity: 8_192)
    buffer.append("{\"settings\":[")
    for (index, key) in SetChange.settings.enumerated() {
      if index > 0 { buffer.append(byte: UInt8(ascii: ",")) }
      buffer.append(key, status)
    }
    buffer.append("],\"presets\":{")
    for (index, preset) in Preset.all.enumerated() {
      if index > 0 { buffer.append(byte: UInt8(ascii: ",")) }
      buffer.append(jsonString: preset.name)
      buffer.append(":{")
      buffer.append(preset.settings)
      buffer.append("}")
    }
    buffer.append("},\"configuration\":")
    buffer.append(jsonString: file)
    buffer.append(isWritable ? ",\"writable\":true" : ",\"writable\":false")
    buffer.append(",\"release\":")
    buffer.append(jsonString: status.release)
    buffer.append("}\n")
    return buffer.withBytes { Array($0) }
  }

  /// The default as a status shows it: with the scale that a mode has.
  static func defaultValue(of key: SettingKey, _ status: StatusMessage) -> SettingValue {
    guard key.name == "scale" else { return key.value(in: Configuration()) }
    let isTilt = status.settings.contains { $0.key == "mode" && $0.value == .text("tilt") }
    return .float(isTilt ? PixelScale.tiltDefault.x : PixelScale.rateDefault.x)
  }
}

extension OutputBuffer {
  fileprivate mutating func append(_ key: SettingKey, _ status: StatusMessage) {
    append("{")
    append(field: "key", text: key.name)
    append(form: key.form)
    let value = status.settings.first { $0.key == key.name }?.value
    let isChanged = status.overrides.contains(key.name)
    if let value {
      append(",\"value\":")
      append(value)
      // The daemon does not say what an override hides.
      append(",\"filed\":")
      if isChanged { append("null") } else { append(value) }
    }
    append(isChanged ? ",\"changed\":true" : ",\"changed\":false")
    append(",\"default\":")
    append(PageSettings.defaultValue(of: key, status).requestValue)
    append(field: "unit", text: key.unit)
    append(field: "allowed", text: key.allowed)
    append(field: "help", text: key.summary)
    append("}")
  }

  private mutating func append(form: SettingForm) {
    switch form {
    case .number(let range, let usual, let words):
      append(",\"kind\":\"number\"")
      append(bounds: range)
      append(",\"slider\":[")
      append(jsonNumber: (usual ?? range).lowerBound)
      append(",")
      append(jsonNumber: (usual ?? range).upperBound)
      append("],\"values\":")
      append(jsonStrings: words)
    case .choice(let words):
      append(",\"kind\":\"choice\",\"values\":")
      append(jsonStrings: words)
    case .range(let range):
      append(",\"kind\":\"range\"")
      append(bounds: range)
    case .text(_, let examples):
      append(",\"kind\":\"text\",\"values\":")
      append(jsonStrings: examples)
    }
  }

  private mutating func append(bounds range: ClosedRange<Double>) {
    append(",\"minimum\":")
    append(jsonNumber: range.lowerBound)
    append(",\"maximum\":")
    append(jsonNumber: range.upperBound)
  }

  fileprivate mutating func append(_ settings: [SetRequest]) {
    for (index, setting) in settings.enumerated() {
      if index > 0 { append(byte: UInt8(ascii: ",")) }
      append(jsonString: setting.key)
      append(byte: UInt8(ascii: ":"))
      append(setting.value)
    }
  }
}

extension SettingValue {
  fileprivate var requestValue: SetRequest.Value {
    switch self {
    case .float(let number): .number(number)
    case .integer(let number): .number(Double(number))
    case .boolean(let flag): .boolean(flag)
    default: .text(text)
    }
  }
}
