package import ParallaxMotion

/// What a program put into a request's `tag`; its answers carry the same, so that several requests
/// may be under way on one connection.
package enum RequestTag: Equatable, Hashable, Sendable {
  case text(String)
  case integer(Int64)
  case real(Double)
}

/// What a line on the control socket asks for: `{"class":"NAME","tag":1,...}`. Each is answered by
/// one line, ACK, STATUS or ERROR, with the tag of the request.
package enum ControlRequest: Equatable, Sendable {
  /// `STATUS`: how the daemon is. Any admitted user.
  case status
  /// `SET`, `key`, `value`: a setting that lasts until the daemon ends. The privileged only.
  case set(SetChange)
  /// `RECENTER`: tilt eases to 0 over the fade. The privileged only.
  case recenter
  /// `RELOAD`: the configuration is read again. The privileged only.
  case reload
  /// `INHIBIT`, `reason`: the offset is 0 for everyone until this connection ends. One per user,
  /// from an active session.
  case inhibit(InhibitReason)
  /// `AGENT`, `reduce_motion`, `orientation`, `wanted`: what a user's session knows, for that
  /// user's subscribers until this connection ends. Keys that are absent keep their value.
  case agent(AgentReport)
  /// `RECORD`: an ACK with the header of a recording, then SAMPLE lines until this connection ends.
  /// The privileged only.
  case record
  /// `PLAY`: an animation begins; its ANIMATION lines come to this connection too, and it is
  /// cancelled where this connection ends. The privileged only.
  case play(PlayRequest)
  /// `STOP`, `id`: the animations of that id end, and what finished ones left is taken back; nil:
  /// all of them. The privileged only.
  case stop(id: String?)

  /// The value of `class`.
  package var name: StaticString {
    switch self {
    case .status: "STATUS"
    case .set: "SET"
    case .recenter: "RECENTER"
    case .reload: "RELOAD"
    case .inhibit: "INHIBIT"
    case .agent: "AGENT"
    case .record: "RECORD"
    case .play: "PLAY"
    case .stop: "STOP"
    }
  }
}

/// Why somebody wants stillness, for the privileged to read: 1 to 32 of `a-z`, `0-9` and `-`.
package struct InhibitReason: Equatable, Hashable, Sendable {
  package let text: String

  /// What `parallax inhibit` says where nobody names a reason.
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
        "'\(text)' is no reason; use 1 to 32 of a-z, 0-9 and -, as in password")
    }
    self.init(unchecked: text)
  }
}

/// What an agent in a user's session knows about it.
package struct AgentReport: Equatable, Sendable {
  /// `reduce_motion`: the user wants less motion. nil: as before.
  package var reduceMotion: Bool?
  /// `orientation`: how the device is turned. nil: as before.
  package var orientation: AgentOrientation?
  /// `wanted`: true asks for WANTED lines, now and at every change. nil: as before.
  package var wanted: Bool?

  package init(
    reduceMotion: Bool? = nil, orientation: AgentOrientation? = nil, wanted: Bool? = nil
  ) {
    self.reduceMotion = reduceMotion
    self.orientation = orientation
    self.wanted = wanted
  }
}

/// What an agent says of the orientation.
package enum AgentOrientation: Equatable, Sendable {
  /// As the device's sensor has it.
  case turned(Orientation)
  /// `auto`: it knows nothing any more; what it said is taken back.
  case auto

  package init(_ orientation: Orientation?) {
    self = orientation.map { .turned($0) } ?? .auto
  }

  /// As it stands on the wire.
  package var text: String {
    switch self {
    case .turned(let orientation): orientation.rawValue
    case .auto: "auto"
    }
  }

  /// nil: not known, or taken back.
  package var orientation: Orientation? {
    switch self {
    case .turned(let orientation): orientation
    case .auto: nil
    }
  }
}

extension OutputBuffer {
  /// A request on one line, as `{"class":"SET","tag":1,"key":"paused","value":"on"}`.
  package mutating func appendLine(_ request: ControlRequest, tag: RequestTag? = nil) {
    append(class: request.name)
    append(tag: tag)
    switch request {
    case .status, .recenter, .reload, .record: break
    case .set(let change):
      append(field: "key", text: change.key.rawValue)
      append(field: "value", text: change.valueText)
    case .inhibit(let reason):
      append(field: "reason", text: reason.text)
    case .agent(let report):
      if let reduceMotion = report.reduceMotion {
        append(field: "reduce_motion")
        append(jsonBool: reduceMotion)
      }
      append(field: "orientation", text: report.orientation?.text)
      if let wanted = report.wanted {
        append(field: "wanted")
        append(jsonBool: wanted)
      }
    case .play(let play): appendFields(of: play)
    case .stop(let id): append(field: "id", text: id)
    }
    appendLineEnd()
  }

  /// `,"tag":1` or `,"tag":"a"`, or nothing.
  mutating func append(tag: RequestTag?) {
    switch tag {
    case nil: break
    case .text(let text): append(field: "tag", text: text)
    case .integer(let value): append(field: "tag", integer: value)
    case .real(let value):
      append(field: "tag")
      append(jsonNumber: value)
    }
  }
}
