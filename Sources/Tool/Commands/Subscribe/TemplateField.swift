// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxProtocol

/// A field of a template.
enum TemplateField: Equatable {
  case own(Name)
  /// A value of a layer: `{bg.x}`.
  case layer(String, LayerName)

  enum Name: String, CaseIterable {
    case time, seq, x, y, nx, ny, vx, vy, rotation, scale
    case scaleY = "scale_y"
    case opacity, dropped
    case gate, gain, reasons, device, name
  }

  enum LayerName: String, CaseIterable {
    case x, y, vx, vy, rotation, scale
    case scaleY = "scale_y"
    case opacity
  }

  enum Value: Equatable {
    case number(Double)
    case count(UInt64)
    case instant(MotionInstant)
    case word(String)
    case unknown
  }

  /// Returns nil for an unknown name. A layer's name may contain dots.
  init?(_ text: String) {
    if let name = Name(rawValue: text) {
      self = .own(name)
    } else if let dot = text.lastIndex(of: "."), dot > text.startIndex,
      let name = LayerName(rawValue: String(text[text.index(after: dot)...]))
    {
      self = .layer(String(text[..<dot]), name)
    } else {
      return nil
    }
  }

  /// Returns the message for an unknown name.
  static func advice(for text: String) -> String {
    let names = Name.allCases.map(\.rawValue)
    let layerNames = LayerName.allCases.map(\.rawValue)
    if let dot = text.lastIndex(of: "."), dot > text.startIndex {
      let guess = suggestion(String(text[text.index(after: dot)...]), among: layerNames)
        .map { " did you mean '\(text[..<dot]).\($0)'? A" }
      return
        "unknown field '\(text)';\(guess ?? " a") layer has \(layerNames.joined(separator: ", "))"
    }
    let guess = suggestion(text, among: names).map { " did you mean '\($0)'? Fields:" }
    return "unknown field '\(text)';\(guess ?? " fields:") \(names.joined(separator: ", ")), "
      + "and of a layer NAME.x ..."
  }

  /// A name of one letter is as near to any other.
  private static func suggestion(_ text: String, among names: [String]) -> String? {
    text.count > 1 ? NearestName.of(text, among: names) : nil
  }

  /// Whether the field takes a sign and decimals.
  var isNumber: Bool {
    switch self {
    case .own(.gate), .own(.reasons), .own(.device), .own(.name): false
    default: true
    }
  }

  /// Returns the field's value now. Until the first OFFSET, the picture is at rest.
  func value(in view: StreamView) -> Value {
    let offset = view.offset
    switch self {
    case .own(.time): return offset.map { .instant($0.time) } ?? .unknown
    case .own(.seq): return offset.map { .count($0.seq) } ?? .unknown
    case .own(.x): return .number(offset?.x ?? 0)
    case .own(.y): return .number(offset?.y ?? 0)
    case .own(.nx): return .number(offset?.nx ?? 0)
    case .own(.ny): return .number(offset?.ny ?? 0)
    case .own(.vx): return Self.velocity(offset, offset?.vx)
    case .own(.vy): return Self.velocity(offset, offset?.vy)
    case .own(.rotation): return .number(offset?.rotation ?? 0)
    case .own(.scale): return .number(offset?.scale ?? 1)
    case .own(.scaleY): return .number(offset?.scaleY ?? offset?.scale ?? 1)
    case .own(.opacity): return .number(offset?.opacity ?? 1)
    case .own(.dropped): return .count(offset?.dropped ?? 0)
    case .own(.gate): return .word(view.gateWord)
    case .own(.gain): return .number(view.gate?.gain ?? 0)
    case .own(.reasons): return .word(view.reasons.joined(separator: ","))
    case .own(.device): return .word(view.deviceWord)
    case .own(.name): return .word(view.device?.name ?? "")
    case .layer(let name, let field):
      guard let layer = offset?.layers.first(where: { $0.name == name }) else { return .unknown }
      return Self.value(of: field, in: layer)
    }
  }

  private static func value(of field: LayerName, in layer: OffsetMessage.LayerOffset) -> Value {
    switch field {
    case .x: .number(layer.x)
    case .y: .number(layer.y)
    case .vx: layer.vx.map { .number($0) } ?? .unknown
    case .vy: layer.vy.map { .number($0) } ?? .unknown
    case .rotation: .number(layer.rotation ?? 0)
    case .scale: .number(layer.scale ?? 1)
    case .scaleY: .number(layer.scaleY ?? layer.scale ?? 1)
    case .opacity: .number(layer.opacity ?? 1)
    }
  }

  /// An OFFSET has no velocity while an animation drives something.
  private static func velocity(_ offset: OffsetMessage?, _ value: Double?) -> Value {
    if offset == nil { return .number(0) }
    return value.map { .number($0) } ?? .unknown
  }
}
