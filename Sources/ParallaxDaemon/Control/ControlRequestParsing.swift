// SPDX-License-Identifier: Apache-2.0

import ParallaxJSON
import ParallaxMotion
import ParallaxText
package import ParallaxWire

/// A request on the control socket, as far as it could be read: the answer to an invalid request needs
/// its tag, too.
package struct ParsedControlRequest: Sendable {
  package let tag: RequestTag?
  package let request: Result<Request, RequestError>

  /// A request as the daemon reads it.
  package enum Request: Sendable {
    case plain(ControlRequest)
    /// PLAY, with its document as JSON that is not interpreted yet.
    case play(ParsedPlayRequest)

    package var name: StaticString {
      switch self {
      case .plain(let request): request.name
      case .play: "PLAY"
      }
    }
  }

  private static let classes = [
    "STATUS", "SET", "RECENTER", "RELOAD", "INHIBIT", "AGENT", "RECORD", "PLAY", "STOP",
  ]

  package init(_ line: [UInt8]) {
    let read: RequestLine
    do throws(RequestError) {
      let limits: JSONLimits = RequestClass.isPlay(line) == true ? .play : .controlLine
      read = try RequestLine(line, limits: limits, allowed: Self.classes)
      tag = try read.tag()
    } catch {
      tag = nil
      request = .failure(error)
      return
    }
    request = Result { () throws(RequestError) in
      if read.name == "PLAY" {
        return .play(try read.read { node throws(JSONShapeError) in try ParsedPlayRequest(node) })
      }
      return .plain(try Self.request(read))
    }
  }

  private init(tag: RequestTag?, request: Result<Request, RequestError>) {
    self.tag = tag
    self.request = request
  }

  /// Reads the document in a PLAY. Takes long for a large one.
  func preparingDocument() -> ParsedControlRequest {
    guard case .success(.play(let play)) = request else { return self }
    return ParsedControlRequest(tag: tag, request: .success(.play(play.preparingDocument())))
  }

  private static func orientation(_ node: JSONNode) throws(JSONShapeError) -> AgentOrientation {
    if try node.string() == AgentOrientation.auto.text { return .auto }
    return .turned(try node.choice())
  }

  private static func request(_ line: RequestLine) throws(RequestError) -> ControlRequest {
    switch line.name {
    case "STATUS": return .status
    case "RECENTER": return .recenter
    case "RELOAD": return .reload
    case "RECORD": return .record
    case "SET":
      return try line.read { node throws(JSONShapeError) in
        let key = try node.required("key")
        let name = try key.string()
        let value = try node.required("value")
        let text = try value.string()
        do throws(SettingError) {
          return .set(try SetChange(key: name, value: text))
        } catch {
          let place = SetChange.Key(rawValue: name) == nil ? key : value
          throw place.error(error.message)
        }
      }
    case "INHIBIT":
      return try line.read { node throws(JSONShapeError) in
        let reason = try node.required("reason")
        let text = try reason.string()
        do throws(SettingError) {
          return .inhibit(try InhibitReason(text))
        } catch {
          throw reason.error(error.message)
        }
      }
    case "AGENT":
      return try line.read { node throws(JSONShapeError) in
        .agent(
          AgentReport(
            reduceMotion: try node.member("reduce_motion")?.bool(),
            orientation: try node.member("orientation").map(Self.orientation),
            wanted: try node.member("wanted")?.bool()))
      }
    case "STOP":
      return try line.read { node throws(JSONShapeError) in
        .stop(id: try node.member("id")?.string())
      }
    default:
      throw line.unknown
    }
  }
}
