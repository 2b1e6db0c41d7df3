// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxBase
import ParallaxConfig
import ParallaxDocuments
import ParallaxMotion
import ParallaxProtocol

/// A request on the control socket, as far as it could be read.
struct ReceivedRequest: Sendable {
  let line: RequestLine<ControlRequest>
  /// That of a PLAY, with its document read.
  private(set) var animation: RequestedAnimation?

  init(_ line: [UInt8]) {
    let hasDocument = RequestClass.mayHaveDocument(line) == true
    self.line = RequestLine(
      line, limits: hasDocument ? .play : .controlLine, classes: ControlRequest.classes,
      keepsDecimals: !hasDocument)
  }

  /// Reads the document in a PLAY. Takes long for a large one.
  func readingDocument() -> ReceivedRequest {
    guard case .success(.play(let play)) = line.request else { return self }
    var request = self
    request.animation = RequestedAnimation(play).readingDocument()
    return request
  }
}

extension JSONLimits {
  /// The limits of a PLAY or an ANIMATE: its length, and those of a document, one level down.
  static let play = JSONLimits(
    bytes: PlayRequest.lineLimit, depth: document.depth + 1, values: document.values)
}

// MARK: - What other modules interpret

extension RequestError {
  /// Creates the answer to a request with an invalid field.
  fileprivate init(_ name: String, _ error: JSONShapeError) {
    self.init("\(name): \(error)")
  }
}

extension JSONShapeError {
  fileprivate init(field: String, _ message: String) {
    self.init(path: "$.\(field)", message: PrintableText.line(message))
  }
}

extension SetChange {
  init(_ request: SetRequest) throws(RequestError) {
    let value: SettingValue =
      switch request.value {
      case .text(let text): .text(text)
      case .integer(let number): .integer(number)
      case .number(let number): .float(number)
      case .boolean(let flag): .boolean(flag)
      }
    do throws(SettingError) {
      try self.init(key: request.key, value: value)
    } catch {
      let known = Self.key(request.key)
      let place = JSONShapeError(field: known == nil ? "key" : "value", error.message)
      throw RequestError(
        ErrorMessage(
          message: "SET: \(place)", code: .badRequest, details: [place.message],
          key: known?.name, allowed: known?.allowedValues))
    }
  }
}

extension PlayRequest {
  /// Checks the id in ANIMATION lines.
  func checkName() throws(RequestError) {
    guard let name else { return }
    do throws(PlayError) {
      _ = try DocumentID(requested: name)
    } catch {
      throw RequestError("PLAY", JSONShapeError(field: "as", error.answer.message))
    }
  }
}

extension AnimateRequest {
  /// What is done at once; nil for a document that has to be found and read.
  func runAction() throws(RequestError) -> RunAction? {
    switch action {
    case .pause: return .pause
    case .resume(let delay): return .resume(afterSeconds: delay)
    case .reverse(let isReversed): return .reverse(isReversed)
    case .seek(let fraction): return .seek(fraction)
    case .speed(let speed): return .speed(speed)
    case .stop: return .stop
    case .finish(let position): return .finish(AnimationPosition(position))
    case .continue(let continuation):
      do throws(JSONShapeError) {
        return .proceed(try RunAction.Proceeding(continuation))
      } catch {
        throw RequestError("ANIMATE", error)
      }
    case .add, .append: return nil
    }
  }
}

extension RunAction.Proceeding {
  fileprivate init(_ continuation: AnimateRequest.Continuation) throws(JSONShapeError) {
    self.init(durationFactor: continuation.durationFactor)
    if let curve = continuation.curve {
      self.curve = try DocumentReader.curve(of: JSONNode(["curve": curve]))
    }
    guard let values = continuation.velocity else { return }
    var velocity = Pose.zero
    velocity.offset = PixelOffset(x: values[0], y: values[1])
    if values.count > 2 { velocity.rotationDegrees = values[2] }
    if values.count > 3 { velocity.scale = values[3] }
    self.velocity = velocity
    switch curve {
    case nil: curve = .spring(response: .seconds(0.5), damping: 1)
    case .spring: break
    default:
      throw JSONShapeError(
        field: "velocity", "only a spring goes on with a velocity; use one as \"curve\"")
    }
  }
}

extension AnimationPosition {
  fileprivate init(_ position: AnimationMessage.Position) {
    switch position {
    case .start: self = .start
    case .current: self = .current
    case .end: self = .end
    }
  }
}
