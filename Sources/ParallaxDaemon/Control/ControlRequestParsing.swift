import ParallaxJSON
import ParallaxMotion
package import ParallaxWire

/// A request on the control socket, as far as it could be read: an answer needs its tag even where
/// the rest is wrong.
package struct ParsedControlRequest {
  package let tag: RequestTag?
  package let request: Result<ControlRequest, RequestError>

  /// Classes that later releases know.
  private static let later = ["PLAY", "STOP"]
  private static let classes = [
    "STATUS", "SET", "RECENTER", "RELOAD", "INHIBIT", "AGENT", "RECORD",
  ]

  package init(_ line: [UInt8]) {
    let read: RequestLine
    do throws(RequestError) {
      read = try RequestLine(line, limits: .controlLine, allowed: Self.classes)
      tag = try read.tag()
    } catch {
      tag = nil
      request = .failure(error)
      return
    }
    request = Result { () throws(RequestError) in try Self.request(read) }
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
    case let name where later.contains(name):
      throw RequestError("\(name) is not in this release")
    default:
      throw line.unknown
    }
  }
}
