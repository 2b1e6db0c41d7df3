// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// The lines of the stream socket except OFFSET, which has `OffsetEncoder`. They are sent once per
/// change, so they may allocate.
extension OutputBuffer {
  /// Appends `{"class":"VERSION","release":"0.1.0","proto_major":1,"proto_minor":0}`.
  package mutating func appendLine(_ message: VersionMessage) {
    append(class: "VERSION")
    append(field: "release", text: message.release)
    append(field: "proto_major", integer: Int64(message.protoMajor))
    append(field: "proto_minor", integer: Int64(message.protoMinor))
    appendLineEnd()
  }

  /// Appends `{"class":"DEVICE","driver":"iio","name":"gyro_3d","state":"streaming","rate":30.3}`,
  /// with `reason`, and `range_x` and `range_y` as `[-5,5]`, if there are. The rate has at most 3 decimals.
  package mutating func appendLine(_ message: DeviceMessage) {
    append(class: "DEVICE")
    appendFields(of: message)
    appendLineEnd()
  }

  /// Appends the fields of a DEVICE after its class; also for STATUS.
  mutating func appendFields(of message: DeviceMessage) {
    append(field: "driver", text: message.driver)
    append(field: "name", text: message.name)
    append(field: "state", text: message.state.rawValue)
    append(field: "rate", value: message.rateHertz, trimmedDecimals: 3)
    append(field: "reason", text: message.reason)
    append(field: "range_x", range: message.rangeX)
    append(field: "range_y", range: message.rangeY)
  }

  private mutating func append(field key: StaticString, range: ClosedRange<Double>?) {
    guard let range else { return }
    append(field: key)
    append(byte: UInt8(ascii: "["))
    append(jsonNumber: range.lowerBound)
    append(byte: UInt8(ascii: ","))
    append(jsonNumber: range.upperBound)
    append(byte: UInt8(ascii: "]"))
  }

  /// Appends `{"class":"GATE","open":false,"gain":0,"reasons":["reduce-motion:portal"]}`. The gain
  /// has at most 4 decimals.
  package mutating func appendLine(_ message: GateMessage) {
    append(class: "GATE")
    appendFields(of: message)
    appendLineEnd()
  }

  /// Appends the fields of a GATE after its class; also for STATUS.
  mutating func appendFields(of message: GateMessage) {
    append(field: "open")
    append(jsonBool: message.open)
    append(field: "gain", value: message.gain, trimmedDecimals: 4)
    append(field: "reasons")
    append(jsonStrings: message.reasons)
  }

  /// Appends `{"class":"ANIMATION","id":"intro","event":"completed","position":"end"}`. On the
  /// control socket, the tag of its PLAY follows the class.
  package mutating func appendLine(_ message: AnimationMessage, tag: RequestTag? = nil) {
    append(class: "ANIMATION")
    append(tag: tag)
    append(field: "id", text: message.id)
    append(field: "event", text: message.event.rawValue)
    append(field: "position", text: message.position?.rawValue)
    if let part = message.part {
      append(field: "part", integer: Int64(part.number))
      append(field: "document", text: part.document)
    }
    appendFields(of: message.progress)
    append(field: "message", text: message.message)
    appendLineEnd()
  }

  /// Appends `,"state":"paused","fraction":0.3,"reversed":false,"speed":1`; nothing for nil.
  mutating func appendFields(of progress: AnimationProgress?) {
    guard let progress else { return }
    append(field: "state", text: progress.state.rawValue)
    append(field: "fraction", value: progress.fraction, trimmedDecimals: 6)
    append(field: "reversed")
    append(jsonBool: progress.isReversed)
    append(field: "speed", value: progress.speed, trimmedDecimals: 4)
  }

  /// Appends `{"class":"WATCH","version":1,"enable":true,"rate":10,"layers":{"bg":0.2},
  /// "on_change":true,"orientation":"left-up"}` on one line, without the fields that are nil. The request
  /// and its answer have the same form.
  package mutating func appendLine(_ message: WatchMessage, tag: RequestTag? = nil) {
    append(class: "WATCH")
    append(tag: tag)
    if let version = message.version { append(field: "version", integer: Int64(version)) }
    if let enable = message.enable {
      append(field: "enable")
      append(jsonBool: enable)
    }
    if let rate = message.rateHertz {
      append(field: "rate")
      append(jsonNumber: rate)
    }
    if let layers = message.layers {
      append(field: "layers")
      append(byte: UInt8(ascii: "{"))
      for (index, layer) in layers.enumerated() {
        if index > 0 { append(byte: UInt8(ascii: ",")) }
        append(jsonString: layer.name)
        append(byte: UInt8(ascii: ":"))
        append(jsonNumber: layer.depth)
      }
      append(byte: UInt8(ascii: "}"))
    } else if message.resets.contains(.layers) {
      append(",\"layers\":null")
    }
    switch message.onChange {
    case nil: break
    case .off: append(",\"on_change\":false")
    case .anyChange: append(",\"on_change\":true")
    case .atLeastPixels(let px):
      append(field: "on_change")
      append(jsonNumber: px)
    }
    append(
      field: "orientation",
      text: message.orientation?.rawValue ?? (message.resets.contains(.orientation) ? "auto" : nil))
    append(ignored: message.ignored)
    appendLineEnd()
  }

  /// Appends `{"class":"ERROR","message":"..."}`, with `code`, `details`, `key` and `allowed` at the end
  /// if there are any. On the control socket, the request's `tag` follows the class.
  package mutating func appendLine(_ message: ErrorMessage, tag: RequestTag? = nil) {
    append(class: "ERROR")
    append(tag: tag)
    append(field: "message", text: message.message)
    append(field: "code", text: message.code?.rawValue)
    if !message.details.isEmpty {
      append(field: "details")
      append(jsonStrings: message.details)
    }
    append(field: "key", text: message.key)
    append(field: "allowed", text: message.allowed)
    appendLineEnd()
  }
}
