// SPDX-License-Identifier: Apache-2.0

import ParallaxClient

/// A message in the form that the drivers print: the fields of the protocol without those that are nil.
struct MessageFields: Encodable {
  let message: StreamMessage

  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    switch message {
    case .version(let version):
      try fields.encode("VERSION", forKey: "class")
      try fields.encode(version.release, forKey: "release")
      try fields.encode(version.protoMajor, forKey: "proto_major")
      try fields.encode(version.protoMinor, forKey: "proto_minor")
    case .device(let device):
      try fields.encode("DEVICE", forKey: "class")
      try fields.encode(device.driver, forKey: "driver")
      try fields.encodeIfPresent(device.name, forKey: "name")
      try fields.encode(device.state.rawValue, forKey: "state")
      try fields.encodeIfPresent(device.rateHertz, forKey: "rate")
      try fields.encodeIfPresent(device.reason, forKey: "reason")
      try fields.encodeIfPresent(device.rangeX?.ends, forKey: "range_x")
      try fields.encodeIfPresent(device.rangeY?.ends, forKey: "range_y")
    case .gate(let gate):
      try fields.encode("GATE", forKey: "class")
      try fields.encode(gate.open, forKey: "open")
      try fields.encode(gate.gain, forKey: "gain")
      try fields.encode(gate.reasons, forKey: "reasons")
    case .offset(let offset):
      try fields.encode("OFFSET", forKey: "class")
      try fields.encode(offset.seq, forKey: "seq")
      try fields.encode(Double(offset.timeNanoseconds) / 1e9, forKey: "time")
      try fields.encodeIfPresent(offset.vx, forKey: "vx")
      try fields.encodeIfPresent(offset.vy, forKey: "vy")
      try fields.encodeIfPresent(offset.dropped, forKey: "dropped")
      try OffsetFields(offset: ParallaxOffset(offset)).encode(to: encoder)
    case .animation(let animation):
      try fields.encode("ANIMATION", forKey: "class")
      try fields.encode(animation.id, forKey: "id")
      try fields.encode(animation.event.rawValue, forKey: "event")
      try fields.encodeIfPresent(animation.position?.rawValue, forKey: "position")
      try fields.encodeIfPresent(
        animation.time.map { Double($0.nanoseconds) / 1e9 }, forKey: "time")
    case .watch:
      try fields.encode("WATCH", forKey: "class")
    case .error(let error):
      try fields.encode("ERROR", forKey: "class")
      try fields.encode(error.message, forKey: "message")
      try fields.encodeIfPresent(error.code?.rawValue, forKey: "code")
      try fields.encode(error.details, forKey: "details")
    }
  }
}

/// An offset, as the drivers print it.
struct OffsetFields: Encodable {
  let offset: ParallaxOffset

  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(offset.x, forKey: "x")
    try fields.encode(offset.y, forKey: "y")
    try fields.encode(offset.nx, forKey: "nx")
    try fields.encode(offset.ny, forKey: "ny")
    try fields.encodeIfPresent(offset.rotation, forKey: "rotation")
    try fields.encodeIfPresent(offset.scale, forKey: "scale")
    try fields.encodeIfPresent(offset.scaleY, forKey: "scale_y")
    try fields.encodeIfPresent(offset.opacity, forKey: "opacity")
    var layers = fields.nestedContainer(keyedBy: Key.self, forKey: "layers")
    for layer in offset.layers {
      var fields = layers.nestedContainer(keyedBy: Key.self, forKey: Key(stringLiteral: layer.name))
      try fields.encode(layer.x, forKey: "x")
      try fields.encode(layer.y, forKey: "y")
      try fields.encodeIfPresent(layer.vx, forKey: "vx")
      try fields.encodeIfPresent(layer.vy, forKey: "vy")
      try fields.encodeIfPresent(layer.rotation, forKey: "rotation")
      try fields.encodeIfPresent(layer.scale, forKey: "scale")
      try fields.encodeIfPresent(layer.scaleY, forKey: "scale_y")
      try fields.encodeIfPresent(layer.opacity, forKey: "opacity")
    }
  }
}

extension ClosedRange<Double> {
  fileprivate var ends: [Double] { [lowerBound, upperBound] }
}

private struct Key: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringLiteral text: String) { stringValue = text }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
