// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import ParallaxBase
package import ParallaxProtocol

/// Decodes lines of the control socket.
package struct AnswerDecoder {
  private let json = JSONDecoder()

  package init() {}

  /// Returns the answer in a line; nil for an unknown class or a malformed line.
  package func answer(_ line: ArraySlice<UInt8>) -> ControlAnswer? {
    try? json.decode(AnswerLine.self, from: Data(line)).answer
  }
}

/// Decodes an object of settings: `{"scale":5,"smoothing":"ema:0.1"}`.
package enum SettingsObject {
  /// Returns the settings in alphabetical order, null as `auto`; nil for malformed JSON or a value of another
  /// type.
  package static func settings(_ text: [UInt8]) -> [SetRequest]? {
    try? JSONDecoder().decode(Object.self, from: Data(text)).settings
  }

  private struct Object: Decodable {
    let settings: [SetRequest]

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: FieldName.self)
      settings = fields.requests
      guard settings.count == fields.allKeys.count else {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "type"))
      }
    }
  }
}

private struct AnswerLine: Decodable {
  let answer: ControlAnswer?

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: FieldName.self)
    answer =
      switch try fields.decode(String.self, forKey: "class") {
      case "ACK": .ack(try AckMessage(fields), tag: Self.tag(fields))
      case "STATUS": .status(try StatusMessage(fields), tag: Self.tag(fields))
      case "ERROR": .error(try ErrorMessage(fields), tag: Self.tag(fields))
      case "DEVICE": .device(try DeviceMessage(fields))
      case "GATE": .gate(try GateMessage(fields))
      case "WANTED":
        .wanted(WantedMessage(orientation: try fields.decode(Bool.self, forKey: "orientation")))
      case "ANIMATION": .animation(try AnimationMessage(fields), tag: Self.tag(fields))
      case "SAMPLE":
        .sample(
          SampleMessage(
            time: MotionInstant(nanoseconds: try fields.nanoseconds("time")),
            x: try fields.decode(Double.self, forKey: "x"),
            y: try fields.decode(Double.self, forKey: "y"),
            z: try fields.decode(Double.self, forKey: "z")))
      default: nil
      }
  }

  private static func tag(_ fields: Fields) -> RequestTag? {
    if let value = try? fields.decode(Int64.self, forKey: "tag") { return .integer(value) }
    if let value = try? fields.decode(Double.self, forKey: "tag") { return .real(value) }
    return (try? fields.decode(String.self, forKey: "tag")).map { .text($0) }
  }
}

extension AckMessage {
  fileprivate init(_ fields: Fields) throws {
    self.init(
      note: try fields.decodeIfPresent(String.self, forKey: "note"),
      id: try fields.decodeIfPresent(String.self, forKey: "id"),
      progress: try AnimationProgress(ifIn: fields),
      time: try fields.contains("time")
        ? MotionInstant(nanoseconds: fields.nanoseconds("time")) : nil)
    if let matrix = try fields.decodeIfPresent(String.self, forKey: "mount-matrix") {
      header = RecordingHeader(
        device: try fields.decodeIfPresent(String.self, forKey: "device"),
        rateHertz: try fields.decodeIfPresent(Double.self, forKey: "rate"),
        mountMatrix: matrix, orientation: try fields.word("orientation"),
        bias: try fields.decode(String.self, forKey: "bias"))
    }
  }
}

extension StatusMessage {
  fileprivate init(_ fields: Fields) throws {
    let device = try fields.object("device")
    let orientation = try fields.object("orientation")
    self.init(
      release: try fields.decode(String.self, forKey: "release"),
      uptime: MotionDuration(nanoseconds: try fields.nanoseconds("uptime")),
      device: try DeviceMessage(device),
      measuredRateHertz: try device.decodeIfPresent(Double.self, forKey: "measured_rate"),
      gate: try GateMessage(try fields.object("gate")),
      orientation: try orientation.word("value"),
      orientationSource: try orientation.word("source"),
      bias: try BiasStatus(try fields.object("bias")),
      subscribers: try fields.decode(Int.self, forKey: "subscribers"),
      frames: try fields.decode(UInt64.self, forKey: "frames"),
      drops: try DropCounts(try fields.object("drops")),
      latency: try LatencyStatus(try fields.object("latency")),
      inhibitors: try fields.decodeIfPresent([InhibitorLine].self, forKey: "inhibitors")?
        .map { Inhibitor(uid: $0.uid, reason: $0.reason) } ?? [],
      agents: try Self.agents(fields), animations: try Self.animations(fields),
      settings: try Self.settings(fields),
      overrides: try fields.decodeIfPresent([String].self, forKey: "overrides") ?? [])
  }

  private static func animations(_ fields: Fields) throws -> [Animation] {
    guard fields.contains("animations") else { return [] }
    var list = try fields.nestedUnkeyedContainer(forKey: "animations")
    var animations: [Animation] = []
    while !list.isAtEnd {
      let animation = try list.nestedContainer(keyedBy: FieldName.self)
      animations.append(
        Animation(
          id: try animation.decode(String.self, forKey: "id"),
          layer: try animation.decodeIfPresent(String.self, forKey: "layer"),
          state: try animation.word("state")))
    }
    return animations
  }

  /// In alphabetical order: an object has none.
  private static func settings(_ fields: Fields) throws -> [Setting] {
    guard fields.contains("settings") else { return [] }
    return try fields.object("settings").requests
  }

  private static func agents(_ fields: Fields) throws -> [Agent] {
    guard fields.contains("agents") else { return [] }
    var list = try fields.nestedUnkeyedContainer(forKey: "agents")
    var agents: [Agent] = []
    while !list.isAtEnd {
      let agent = try list.nestedContainer(keyedBy: FieldName.self)
      agents.append(
        Agent(
          uid: try agent.decode(UInt32.self, forKey: "uid"),
          reduceMotion: try agent.decodeIfPresent(Bool.self, forKey: "reduce_motion"),
          orientation: agent.contains("orientation") ? try agent.word("orientation") : nil))
    }
    return agents
  }

  private struct InhibitorLine: Decodable {
    let uid: UInt32
    let reason: String
  }
}

extension StatusMessage.BiasStatus {
  fileprivate init(_ fields: Fields) throws {
    let isAuto = try fields.decode(String.self, forKey: "mode") == "auto"
    if fields.contains("x") {
      self.init(
        isAuto: isAuto, x: try fields.decode(Double.self, forKey: "x"),
        y: try fields.decode(Double.self, forKey: "y"),
        z: try fields.decode(Double.self, forKey: "z"))
    } else {
      self.init(isAuto: isAuto, estimate: nil)
    }
  }
}

extension StatusMessage.DropCounts {
  fileprivate init(_ fields: Fields) throws {
    self.init(
      duplicate: try fields.decodeIfPresent(UInt64.self, forKey: "duplicate") ?? 0,
      backwards: try fields.decodeIfPresent(UInt64.self, forKey: "backwards") ?? 0,
      nonfinite: try fields.decodeIfPresent(UInt64.self, forKey: "nonfinite") ?? 0,
      stale: try fields.decodeIfPresent(UInt64.self, forKey: "stale") ?? 0,
      skipped: try fields.decodeIfPresent(UInt64.self, forKey: "skipped") ?? 0,
      behind: try fields.decodeIfPresent(UInt64.self, forKey: "behind") ?? 0)
  }
}

extension StatusMessage.LatencyStatus {
  fileprivate init(_ fields: Fields) throws {
    if let reason = try fields.decodeIfPresent(String.self, forKey: "reason") {
      self = .none(reason: reason)
    } else {
      self = .measured(
        p50: try fields.decode(Double.self, forKey: "p50"),
        p99: try fields.decode(Double.self, forKey: "p99"),
        max: try fields.decode(Double.self, forKey: "max"))
    }
  }
}

extension KeyedDecodingContainer<FieldName> {
  /// The fields as settings, in alphabetical order. Values of other types, which a later daemon may have,
  /// are left out.
  fileprivate var requests: [SetRequest] {
    allKeys.sorted { $0.stringValue < $1.stringValue }.compactMap { key in
      if (try? decodeNil(forKey: key)) == true {
        SetRequest(key: key.stringValue, value: .text("auto"))
      } else if let flag = try? decode(Bool.self, forKey: key) {
        SetRequest(key: key.stringValue, value: .boolean(flag))
      } else if let number = try? decode(Double.self, forKey: key) {
        SetRequest(key: key.stringValue, value: .number(number))
      } else {
        (try? decode(String.self, forKey: key)).map {
          SetRequest(key: key.stringValue, value: .text($0))
        }
      }
    }
  }

  fileprivate func object(_ key: FieldName) throws -> Fields {
    try nestedContainer(keyedBy: FieldName.self, forKey: key)
  }
}
