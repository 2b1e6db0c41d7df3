package import ParallaxMotion

/// The stream socket's lines but for OFFSET, which has an encoder of its own (`OffsetEncoder`).
/// These come once a change, so they may allocate.
extension OutputBuffer {
  /// `{"class":"VERSION","release":"0.1.0","proto_major":1,"proto_minor":0}`
  package mutating func appendLine(_ message: VersionMessage) {
    append(class: "VERSION")
    append(field: "release", text: message.release)
    append(field: "proto_major", integer: Int64(message.protoMajor))
    append(field: "proto_minor", integer: Int64(message.protoMinor))
    appendLineEnd()
  }

  /// `{"class":"DEVICE","driver":"iio","name":"gyro_3d","state":"streaming","rate":30.3}`, then
  /// `reason` where there is one. The rate has at most 3 decimals.
  package mutating func appendLine(_ message: DeviceMessage) {
    append(class: "DEVICE")
    appendFields(of: message)
    appendLineEnd()
  }

  /// Everything of a DEVICE behind its class, with a leading comma; in STATUS too.
  mutating func appendFields(of message: DeviceMessage) {
    append(field: "driver", text: message.driver)
    append(field: "name", text: message.name)
    append(field: "state", text: message.state.rawValue)
    append(field: "rate", value: message.rateHertz, trimmedDecimals: 3)
    append(field: "reason", text: message.reason)
  }

  /// `{"class":"GATE","open":false,"gain":0,"reasons":["reduce-motion:portal"]}`. The gain has at
  /// most 4 decimals.
  package mutating func appendLine(_ message: GateMessage) {
    append(class: "GATE")
    appendFields(of: message)
    appendLineEnd()
  }

  /// Everything of a GATE behind its class, with a leading comma; in STATUS too.
  mutating func appendFields(of message: GateMessage) {
    append(field: "open")
    append(jsonBool: message.open)
    append(field: "gain", value: message.gain, trimmedDecimals: 4)
    append(field: "reasons")
    append(jsonStrings: message.reasons)
  }

  /// `{"class":"ANIMATION","id":"intro","event":"completed","position":"end"}`. On the control socket
  /// the tag of its PLAY follows the class.
  package mutating func appendLine(_ message: AnimationMessage, tag: RequestTag? = nil) {
    append(class: "ANIMATION")
    append(tag: tag)
    append(field: "id", text: message.id)
    append(field: "event", text: message.event.rawValue)
    append(field: "position", text: message.position?.rawValue)
    appendLineEnd()
  }

  /// `{"class":"WATCH","enable":true,"rate":10,"layers":{"bg":0.2},"on_change":true,
  /// "orientation":"left-up"}` on one line, without what is nil. The request and its echo alike.
  package mutating func appendLine(_ message: WatchMessage) {
    append(class: "WATCH")
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
    }
    switch message.onChange {
    case nil: break
    case .off: append(",\"on_change\":false")
    case .anyChange: append(",\"on_change\":true")
    case .atLeastPixels(let px):
      append(field: "on_change")
      append(jsonNumber: px)
    }
    append(field: "orientation", text: message.orientation?.rawValue)
    appendLineEnd()
  }

  /// `{"class":"POLL"}`: DEVICE, GATE and OFFSET once, please.
  package mutating func appendPollLine() {
    append(class: "POLL")
    appendLineEnd()
  }

  /// `{"class":"ERROR","message":"..."}`, then `code` and `details` where there are any. On the
  /// control socket the request's `tag` follows the class.
  package mutating func appendLine(_ message: ErrorMessage, tag: RequestTag? = nil) {
    append(class: "ERROR")
    append(tag: tag)
    append(field: "message", text: message.message)
    append(field: "code", text: message.code?.rawValue)
    if !message.details.isEmpty {
      append(field: "details")
      append(jsonStrings: message.details)
    }
    appendLineEnd()
  }

  /// Any message of the stream. Of an OFFSET, what the values say; frames go through
  /// `OffsetEncoder`.
  package mutating func appendLine(_ message: StreamMessage) {
    switch message {
    case .version(let version): appendLine(version)
    case .device(let device): appendLine(device)
    case .gate(let gate): appendLine(gate)
    case .offset(let offset): appendLine(offset)
    case .animation(let animation): appendLine(animation)
    case .watch(let watch): appendLine(watch)
    case .error(let error): appendLine(error)
    }
  }

  private mutating func appendLine(_ message: OffsetMessage) {
    append(class: "OFFSET")
    append(field: "seq", unsigned: message.seq)
    append(field: "time")
    append(secondsFromNanoseconds: message.timeNanoseconds)
    append(field: "x", value: message.x, trimmedDecimals: 2)
    append(field: "y", value: message.y, trimmedDecimals: 2)
    append(field: "nx", value: message.nx, trimmedDecimals: 4)
    append(field: "ny", value: message.ny, trimmedDecimals: 4)
    for (index, layer) in message.layers.enumerated() {
      append(index == 0 ? ",\"layers\":{" : ",")
      append(jsonString: layer.name)
      append(":{")
      append(field: "x", value: layer.x, trimmedDecimals: 4)
      append(field: "y", value: layer.y, trimmedDecimals: 4)
      append(field: "rotation", value: layer.rotation, trimmedDecimals: 4)
      append(field: "scale", value: layer.scale, trimmedDecimals: 4)
      append(field: "opacity", value: layer.opacity, trimmedDecimals: 4)
      append(index == message.layers.count - 1 ? "}}" : "}")
    }
    append(field: "rotation", value: message.rotation, trimmedDecimals: 4)
    append(field: "scale", value: message.scale, trimmedDecimals: 4)
    append(field: "opacity", value: message.opacity, trimmedDecimals: 4)
    if let dropped = message.dropped {
      append(field: "dropped", unsigned: dropped)
    }
    appendLineEnd()
  }
}
