// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
package import ParallaxMotion

/// The `tag` of a request. Its answers carry the same tag, so several requests may be pending on one
/// connection.
package enum RequestTag: Equatable, Hashable, Sendable {
  case text(String)
  case integer(Int64)
  case real(Double)
}

/// A request on the control socket: `{"class":"NAME","tag":1,...}`. The daemon answers each with one
/// line, ACK, STATUS or ERROR, and repeats the tag.
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
  /// `PLAY`: starts an animation. This connection also receives its ANIMATION lines, and its end
  /// cancels the animation. For privileged users.
  case play(PlayRequest)
  /// `ANIMATE`: changes an animation that this user has begun. For privileged users.
  case animate(AnimateRequest)
  /// `STOP`, `id`: cancels the animations with this id, or all for nil, and removes the poses that
  /// ended ones have left. For privileged users.
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
    case .animate: "ANIMATE"
    case .stop: "STOP"
    }
  }
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
  /// `reduce_motion`: whether the user has reduced motion; nil keeps the last report.
  package var reduceMotion: Bool?
  /// `orientation`: how the device is turned; nil keeps the last report.
  package var orientation: AgentOrientation?
  /// `wanted`: true requests WANTED lines, now and on every change; nil keeps the last request.
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

  /// The form on the wire.
  package var text: String {
    switch self {
    case .turned(let orientation): orientation.rawValue
    case .auto: "auto"
    }
  }

  /// nil for `auto`.
  package var orientation: Orientation? {
    switch self {
    case .turned(let orientation): orientation
    case .auto: nil
    }
  }
}

extension OutputBuffer {
  /// Appends a request on one line, such as
  /// `{"class":"SET","tag":1,"key":"paused","value":"on"}`.
  package mutating func appendLine(_ request: ControlRequest, tag: RequestTag? = nil) {
    append(class: request.name)
    append(tag: tag)
    switch request {
    case .status, .recenter, .reload, .record: break
    case .set(let set):
      append(field: "key", text: set.key)
      append(field: "value")
      append(set.value)
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
    case .animate(let animate): appendFields(of: animate)
    case .stop(let id): append(field: "id", text: id)
    }
    appendLineEnd()
  }

  /// Appends `,"tag":1` or `,"tag":"a"`; nothing for nil.
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
