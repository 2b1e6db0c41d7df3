// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
package import ParallaxConfig
import ParallaxMotion
package import ParallaxProtocol

/// A request on the control socket, as far as it could be read: the answer to an invalid request needs
/// its tag, too.
package struct ParsedControlRequest: Sendable {
  package let tag: RequestTag?
  package let request: Result<Request, RequestError>

  /// A request as the daemon reads it.
  package enum Request: Sendable {
    case plain(ControlRequest)
    /// SET, with its value read.
    case set(SetChange)
    /// PLAY, with its document as JSON that is not interpreted yet.
    case play(ParsedPlayRequest)
    /// ANIMATE, with its action read.
    case animate(ParsedAnimateRequest)

    package var name: StaticString {
      switch self {
      case .plain(let request): request.name
      case .set: "SET"
      case .play: "PLAY"
      case .animate: "ANIMATE"
      }
    }
  }

  private static let classes = [
    "STATUS", "SET", "RECENTER", "RELOAD", "INHIBIT", "AGENT", "RECORD", "PLAY", "ANIMATE",
    "STOP",
  ]

  package init(_ line: [UInt8]) {
    let read: RequestLine
    do throws(RequestError) {
      let limits: JSONLimits = RequestClass.mayHaveDocument(line) == true ? .play : .controlLine
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
      if read.name == "ANIMATE" {
        return .animate(
          try read.read { node throws(JSONShapeError) in try ParsedAnimateRequest(node) })
      }
      if read.name == "SET" {
        return .set(try Self.change(read))
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

  private static func change(_ line: RequestLine) throws(RequestError) -> SetChange {
    typealias Fields = (key: JSONNode, name: String, value: JSONNode, setting: SettingValue)
    let fields: Fields = try line.read { node throws(JSONShapeError) in
      let key = try node.required("key")
      let name = try key.string()
      let value = try node.required("value")
      return (key, name, value, try setting(value))
    }
    do throws(SettingError) {
      return try SetChange(key: fields.name, value: fields.setting)
    } catch {
      let known = SetChange.key(fields.name)
      let place = (known == nil ? fields.key : fields.value).error(error.message)
      throw RequestError(
        ErrorMessage(
          message: "\(line.name): \(place)", code: .badRequest, details: [place.message],
          key: known?.name, allowed: known?.allowedValues))
    }
  }

  private static func setting(_ node: JSONNode) throws(JSONShapeError) -> SettingValue {
    switch node.value {
    case .string(let text): .text(text)
    case .integer(let number): .integer(number)
    case .double(let number): .float(number)
    case .bool(let flag): .boolean(flag)
    case .null: .text("auto")
    default:
      throw node.error("expected a string, a number or a boolean, got \(node.value.kind)")
    }
  }

  private static func request(_ line: RequestLine) throws(RequestError) -> ControlRequest {
    switch line.name {
    case "STATUS": return .status
    case "RECENTER": return .recenter
    case "RELOAD": return .reload
    case "RECORD": return .record
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
