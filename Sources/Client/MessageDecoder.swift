// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import ParallaxBase
package import ParallaxProtocol

/// Decodes lines of the stream socket.
package struct MessageDecoder {
  private let json = JSONDecoder()

  package init() {}

  /// Returns the message in a line; nil for an unknown class or a malformed line. Unknown fields are
  /// ignored.
  package func message(_ line: ArraySlice<UInt8>) -> StreamMessage? {
    hasTrailingComma(line) ? nil : try? json.decode(StreamLine.self, from: Data(line)).message
  }

  /// Whether a comma comes before the end of an object or array, which JSONDecoder accepts and JSON does not.
  private func hasTrailingComma(_ line: ArraySlice<UInt8>) -> Bool {
    var isInString = false
    var isEscaped = false
    var isAfterComma = false
    for byte in line {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = isInString
      case UInt8(ascii: "\""): isInString.toggle()
      case _ where isInString: break
      case UInt8(ascii: ","): isAfterComma = true
      case UInt8(ascii: " "), UInt8(ascii: "\t"): break
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if isAfterComma { return true }
      default: isAfterComma = false
      }
      if byte == UInt8(ascii: "\"") { isAfterComma = false }
    }
    return false
  }
}

/// One line, decoded by its class.
private struct StreamLine: Decodable {
  let message: StreamMessage?

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: FieldName.self)
    message =
      switch try fields.decode(String.self, forKey: "class") {
      case "VERSION": .version(try VersionMessage(fields))
      case "DEVICE": .device(try DeviceMessage(fields))
      case "GATE": .gate(try GateMessage(fields))
      case "OFFSET": .offset(try OffsetMessage(fields))
      case "ANIMATION": .animation(try AnimationMessage(fields))
      case "WATCH": .watch(try WatchMessage(fields))
      case "ERROR": .error(try ErrorMessage(fields))
      default: nil
      }
  }
}

/// The name of a field.
struct FieldName: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringLiteral text: String) { stringValue = text }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

typealias Fields = KeyedDecodingContainer<FieldName>

extension KeyedDecodingContainer<FieldName> {
  /// Decodes a raw value of an enumeration.
  func word<Word: RawRepresentable<String>>(_ key: FieldName) throws -> Word {
    let text = try decode(String.self, forKey: key)
    guard let word = Word(rawValue: text) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "unknown value '\(text)'")
    }
    return word
  }

  /// Decodes a number. No value of the protocol is near 1e9; sums of smaller ones are finite.
  func number(_ key: FieldName) throws -> Double {
    let value = try decode(Double.self, forKey: key)
    guard abs(value) <= 1e9 else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "\(value) is out of range")
    }
    return value
  }

  /// Decodes a number; nil if it is absent or null.
  func numberIfPresent(_ key: FieldName) throws -> Double? {
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    return try number(key)
  }

  /// Decodes seconds as nanoseconds, rounded half away from zero.
  ///
  /// All arithmetic is decimal: after 97 days of uptime, a Double of seconds no longer resolves
  /// nanoseconds.
  func nanoseconds(_ key: FieldName) throws -> Int64 {
    let text = (try decode(Decimal.self, forKey: key) * 1_000_000_000).description
    let whole = text.prefix { $0 != "." }
    let rest = text.dropFirst(whole.count + 1)
    guard let value = Int64(whole) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "\(text) ns is out of range")
    }
    guard let first = rest.first, first >= "5" else { return value }
    // The sign is taken from the text, because an integer has no -0.
    let (rounded, overflow) = value.addingReportingOverflow(text.first == "-" ? -1 : 1)
    return overflow ? value : rounded
  }
}

extension VersionMessage {
  init(_ fields: Fields) throws {
    self.init(
      release: try fields.decode(String.self, forKey: "release"),
      protoMajor: try fields.decode(Int.self, forKey: "proto_major"),
      protoMinor: try fields.decode(Int.self, forKey: "proto_minor"))
  }
}

extension DeviceMessage {
  init(_ fields: Fields) throws {
    let word = try fields.decode(String.self, forKey: "state")
    let state = State(rawValue: word)
    let reason = try fields.decodeIfPresent(String.self, forKey: "reason")
    self.init(
      driver: try fields.decode(String.self, forKey: "driver"),
      name: try fields.decodeIfPresent(String.self, forKey: "name"),
      state: state ?? .none, rateHertz: try fields.numberIfPresent("rate"),
      // A later release may have more states; in none of them samples arrive.
      reason: state == nil ? reason ?? "unknown state \(word)" : reason,
      rangeX: try Self.range(fields, "range_x"), rangeY: try Self.range(fields, "range_y"))
  }

  /// nil also for a range without 0, which no daemon has.
  private static func range(_ fields: Fields, _ key: FieldName) throws -> ClosedRange<Double>? {
    guard let ends = try fields.decodeIfPresent([Double].self, forKey: key), ends.count == 2,
      ends[0] <= 0, ends[1] >= 0, ends[1] - ends[0] < .infinity
    else { return nil }
    return ends[0]...ends[1]
  }
}

extension GateMessage {
  init(_ fields: Fields) throws {
    self.init(
      open: try fields.decode(Bool.self, forKey: "open"),
      gain: try fields.number("gain"),
      reasons: try fields.decode([String].self, forKey: "reasons"))
  }
}

extension OffsetMessage {
  init(_ fields: Fields) throws {
    var layers: [LayerOffset] = []
    if fields.contains("layers"), !(try fields.decodeNil(forKey: "layers")) {
      let named = try fields.nestedContainer(keyedBy: FieldName.self, forKey: "layers")
      for key in named.allKeys {
        let place = try named.nestedContainer(keyedBy: FieldName.self, forKey: key)
        layers.append(
          LayerOffset(
            name: key.stringValue, x: try place.number("x"),
            y: try place.number("y"),
            vx: try place.numberIfPresent("vx"),
            vy: try place.numberIfPresent("vy"),
            rotation: try place.numberIfPresent("rotation"),
            scale: try place.numberIfPresent("scale"),
            scaleY: try place.numberIfPresent("scale_y"),
            opacity: try place.numberIfPresent("opacity")))
      }
      // The decoder returns the keys of an object in no fixed order.
      layers.sort { $0.name < $1.name }
    }
    self.init(
      seq: try fields.decode(UInt64.self, forKey: "seq"),
      time: MotionInstant(nanoseconds: try fields.nanoseconds("time")),
      x: try fields.number("x"),
      y: try fields.number("y"),
      nx: try fields.number("nx"),
      ny: try fields.number("ny"),
      vx: try fields.numberIfPresent("vx"),
      vy: try fields.numberIfPresent("vy"), layers: layers,
      rotation: try fields.numberIfPresent("rotation"),
      scale: try fields.numberIfPresent("scale"),
      scaleY: try fields.numberIfPresent("scale_y"),
      opacity: try fields.numberIfPresent("opacity"),
      dropped: try fields.decodeIfPresent(UInt64.self, forKey: "dropped"))
  }
}

extension AnimationMessage {
  init(_ fields: Fields) throws {
    self.init(
      id: try fields.decode(String.self, forKey: "id"), event: try fields.word("event"),
      position: fields.contains("position") ? try fields.word("position") : nil,
      progress: try AnimationProgress(ifIn: fields),
      part: try AnimationPart(ifIn: fields),
      message: try fields.decodeIfPresent(String.self, forKey: "message"))
  }
}

extension AnimationPart {
  /// nil if there is none.
  init?(ifIn fields: Fields) throws {
    guard let number = try fields.decodeIfPresent(Int.self, forKey: "part") else { return nil }
    self.init(number: number, document: try fields.decode(String.self, forKey: "document"))
  }
}

extension AnimationProgress {
  /// nil if there is none.
  init?(ifIn fields: Fields) throws {
    guard fields.contains("state") else { return nil }
    self.init(
      state: try fields.word("state"), fraction: try fields.decode(Double.self, forKey: "fraction"),
      isReversed: try fields.decode(Bool.self, forKey: "reversed"),
      speed: try fields.decode(Double.self, forKey: "speed"))
  }
}

extension WatchMessage {
  init(_ fields: Fields) throws {
    self.init(
      enable: try fields.decodeIfPresent(Bool.self, forKey: "enable"),
      rateHertz: try fields.numberIfPresent("rate"),
      version: try fields.decodeIfPresent(Int.self, forKey: "version"),
      ignored: try fields.decodeIfPresent([String].self, forKey: "ignored") ?? [])
    if let depths = try fields.decodeIfPresent([String: Double].self, forKey: "layers") {
      layers = depths.sorted { $0.key < $1.key }.map { LayerDepth(name: $0.key, depth: $0.value) }
    } else if fields.contains("layers") {
      resets.insert(.layers)
    }
    if let px = try? fields.number("on_change") {
      onChange = .atLeastPixels(px)
    } else if let isOn = try fields.decodeIfPresent(Bool.self, forKey: "on_change") {
      onChange = isOn ? .anyChange : .off
    }
    if (try? fields.decode(String.self, forKey: "orientation")) == "auto" {
      resets.insert(.orientation)
    } else if fields.contains("orientation") {
      orientation = try fields.word("orientation")
    }
  }
}

extension ErrorMessage {
  init(_ fields: Fields) throws {
    self.init(
      message: try fields.decode(String.self, forKey: "message"),
      code: try fields.decodeIfPresent(String.self, forKey: "code").flatMap(Code.init),
      details: try fields.decodeIfPresent([String].self, forKey: "details") ?? [],
      key: try fields.decodeIfPresent(String.self, forKey: "key"),
      allowed: try fields.decodeIfPresent(String.self, forKey: "allowed"))
  }
}
