// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion

/// A request on the control socket: `{"class":"NAME","tag":1,...}`. The daemon answers each, except SAMPLE
/// and SAMPLES, with one line, ACK, STATUS or ERROR, and repeats the tag.
package enum ControlRequest: Equatable, Sendable {
  /// `STATUS`: returns the daemon's status. For every admitted user.
  case status
  /// `SET`, `key`, `value`: changes a setting until the daemon ends. For privileged users.
  case set(SetRequest)
  /// `RECENTER`: eases tilt to 0 over the fade. For privileged users.
  case recenter
  /// `RELOAD`: reads the configuration again. For privileged users.
  case reload
  /// `INHIBIT`, `reason`: sets the offset to 0 for everyone until this connection ends. One per user,
  /// from an active session.
  case inhibit(InhibitReason)
  /// `AGENT`, `reduce_motion`, `orientation`, `wanted`: reports the state of a user's session, for
  /// that user's subscribers, until this connection ends. Absent fields keep their values.
  case agent(AgentReport)
  /// `RECORD`: returns an ACK with the header of a recording, then SAMPLE lines until this connection
  /// ends. For privileged users.
  case record
  /// `FEED`: makes this connection the source of motion until it ends. For privileged users.
  case feed(FeedRequest)
  /// `SAMPLE`: a sample of this connection's feed. It has no answer unless it is wrong.
  case sample(SampleRequest)
  /// `SAMPLES`: samples of this connection's feed. They have no answer unless one is wrong.
  case samples(SamplesRequest)
  /// `PLAY`: starts an animation. This connection also receives its ANIMATION lines, and its end
  /// cancels the animation. For privileged users.
  case play(PlayRequest)
  /// `ANIMATE`: changes an animation that this user has begun. For privileged users.
  case animate(AnimateRequest)
  /// `STOP`, `id`: cancels the animations with this id, or all for nil, and removes the poses that
  /// ended ones have left. For privileged users.
  case stop(id: String?)
}

/// The reason for an inhibit, which privileged users see: 1 to 32 of `a-z`, `0-9` and `-`.
package struct InhibitReason: Equatable, Hashable, Sendable {
  package let text: String

  /// The default of `parallax inhibit`.
  package static let command = InhibitReason(unchecked: "command")

  private init(unchecked text: String) {
    self.text = text
  }

  package init(_ text: String) throws(SettingError) {
    guard (1...32).contains(text.utf8.count),
      text.utf8.allSatisfy({ byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      })
    else {
      throw SettingError(
        "invalid reason '\(text)'; use 1 to 32 characters of a-z, 0-9 and -, as in password")
    }
    self.init(unchecked: text)
  }
}

/// What an agent reports about its user's session.
package struct AgentReport: Equatable, Sendable {
  package var reduceMotion: Bool?
  package var orientation: AgentOrientation?
  package var wanted: Bool?

  package init(
    reduceMotion: Bool? = nil, orientation: AgentOrientation? = nil, wanted: Bool? = nil
  ) {
    self.reduceMotion = reduceMotion
    self.orientation = orientation
    self.wanted = wanted
  }
}

/// An agent's report of the orientation.
package enum AgentOrientation: Equatable, Sendable {
  /// As determined by the device's sensor.
  case turned(Orientation)
  /// `auto`: unknown; withdraws earlier reports.
  case auto

  package init(_ orientation: Orientation?) {
    self = orientation.map { .turned($0) } ?? .auto
  }

  /// nil for `auto`.
  package var orientation: Orientation? {
    switch self {
    case .turned(let orientation): orientation
    case .auto: nil
    }
  }
}

// MARK: - Lines

extension ControlRequest {
  package static let classes: [MessageClass<ControlRequest>] = [
    MessageClass { (_: PlainRequest<StatusClass>) in status }, MessageClass(set),
    MessageClass { (_: PlainRequest<RecenterClass>) in recenter },
    MessageClass { (_: PlainRequest<ReloadClass>) in reload },
    MessageClass { (request: InhibitRequest) in inhibit(request.reason) }, MessageClass(agent),
    MessageClass { (_: PlainRequest<RecordClass>) in record }, MessageClass(feed),
    MessageClass(sample), MessageClass(samples), MessageClass(play), MessageClass(animate),
    MessageClass { (request: StopRequest) in stop(id: request.id) },
  ]

  /// The request as it is on a line.
  package var message: any ProtocolMessage {
    switch self {
    case .status: PlainRequest<StatusClass>()
    case .set(let request): request
    case .recenter: PlainRequest<RecenterClass>()
    case .reload: PlainRequest<ReloadClass>()
    case .inhibit(let reason): InhibitRequest(reason: reason)
    case .agent(let report): report
    case .record: PlainRequest<RecordClass>()
    case .feed(let request): request
    case .sample(let request): request
    case .samples(let request): request
    case .play(let request): request
    case .animate(let request): request
    case .stop(let id): StopRequest(id: id)
    }
  }

  /// The value of `class`.
  package var name: String { type(of: message).className }

  /// Returns the line with its line feed.
  package func line(tag: RequestTag? = nil) -> [UInt8] { message.line(tag: tag) }
}

/// A request without fields.
private protocol PlainClass: Sendable {
  static var className: String { get }
  static var description: String { get }
}

private enum StatusClass: PlainClass {
  static let className = "STATUS"
  static let description = "Asks for the daemon's status."
}

private enum RecenterClass: PlainClass {
  static let className = "RECENTER"
  static let description = "Eases tilt to 0 over the fade."
}

private enum ReloadClass: PlainClass {
  static let className = "RELOAD"
  static let description = "Reads the configuration again."
}

private enum RecordClass: PlainClass {
  static let className = "RECORD"
  static let description =
    "Asks for a recording: an ACK with its header, then SAMPLE lines until this connection ends."
}

private struct PlainRequest<Class: PlainClass>: ProtocolMessage {
  static var className: String { Class.className }
  static var description: String { Class.description }
  static var blank: Self { Self() }

  mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {}
}

private struct InhibitRequest: ProtocolMessage {
  static let className = "INHIBIT"
  static let description = "Sets every offset to 0 for everyone until this connection ends."
  static let blank = InhibitRequest(reason: .command)

  var reason: InhibitReason

  mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.required(
      "reason", &reason, .reason, "Why, as a word that privileged users see.")
  }
}

extension InhibitReason {
  static let rules: JSONObject = ["pattern": "^[a-z0-9-]{1,32}$"]
}

extension FieldFormat<InhibitReason> {
  fileprivate static let reason = FieldFormat(
    .rules(InhibitReason.rules.adding("type", "string")),
    read: { (node, _) throws(JSONShapeError) in
      let text = try node.string()
      do throws(SettingError) {
        return try InhibitReason(text)
      } catch {
        throw node.error(error.message)
      }
    },
    write: { $1.append(jsonString: $0.text) })
}

extension AgentReport: ProtocolMessage {
  package static let className = "AGENT"
  package static let description =
    "Reports the state of this user's session until this connection ends. Fields that are left "
    + "out keep their values."
  package static let blank = AgentReport()

  package mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.optional(
      "reduce_motion", &reduceMotion, .flag, "Whether the user has reduced motion.")
    var choice = orientation.map { $0.orientation.map(Choice.own) ?? .reset }
    try fields.optional(
      "orientation", &choice, .orientation, "How the device is turned; `auto`: unknown.")
    orientation = choice.map { AgentOrientation($0.value) }
    try fields.optional(
      "wanted", &wanted, .flag, "true subscribes this connection to WANTED lines.")
  }
}

private struct StopRequest: ProtocolMessage {
  static let className = "STOP"
  static let description = "Cancels animations and removes the final poses of ended ones."
  static let blank = StopRequest(id: nil)

  var id: String?

  mutating func visit(_ fields: inout some Fields) throws(JSONShapeError) {
    try fields.optional("id", &id, .id, "The id of the animations; absent: all.")
  }
}
