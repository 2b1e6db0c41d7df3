// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxClient
import ParallaxConfig
import ParallaxProtocol

/// Requests of a page to the daemon. Each makes a connection of its own, and waits for the answer.
public struct DaemonControl: Sendable {
  /// Why a request has failed.
  public struct Failure: Error, Equatable, Sendable {
    /// What kind of failure it is.
    public enum Kind: Equatable, Sendable {
      /// The request is not one.
      case malformed
      /// The daemon, or what it would do, refuses.
      case refused
      /// This user may not do it.
      case denied
      /// No daemon answers.
      case unavailable
    }

    /// What kind of failure it is.
    public let kind: Kind
    /// Where, what is wrong and what to do.
    public let message: String

    init(_ kind: Kind, _ message: String) {
      self.kind = kind
      self.message = message
    }
  }

  private let paths: [String]

  /// - Parameters:
  ///   - socket: The stream socket; nil: as every client finds it.
  ///   - control: The control socket; nil: the one next to the stream socket.
  public init(socket: String?, control: String?) {
    paths = SocketPath.candidates(
      .control, explicit: control ?? socket.map(SocketPath.beside))
  }

  /// Returns the settings as JSON; see docs/web.md.
  public func settings() throws(Failure) -> [UInt8] {
    let file = TuneFile.path(daemonSockets: paths)
    let obstacle = TuneFile.obstacle(file)
    return PageSettings.json(
      try status(), file: TuneFile.shortened(file), isWritable: obstacle == nil)
  }

  /// Changes settings and returns the daemon's answer.
  ///
  /// - Parameter text: A JSON object of keys and values. If one is refused, none is changed.
  public func set(_ text: [UInt8]) throws(Failure) -> [UInt8] {
    guard let settings = SettingsObject.settings(text), !settings.isEmpty else {
      throw Failure(
        .malformed, "expected a JSON object of settings, as in {\"scale\":5,\"mode\":\"tilt\"}")
    }
    for setting in settings {
      do throws(SettingError) {
        _ = try SetChange(key: setting.key, value: setting.settingValue)
      } catch {
        throw Failure(.refused, error.message)
      }
    }
    return try ask(settings.map { .set($0) })
  }

  /// Eases tilt to 0.
  public func recenter() throws(Failure) -> [UInt8] { try ask([.recenter]) }

  /// Stops all motion, or lets it go on.
  public func pause(_ isPaused: Bool) throws(Failure) -> [UInt8] {
    try ask([.set(SetRequest(key: "paused", value: .text(isPaused ? "on" : "off")))])
  }

  /// Returns what SET has changed, as TOML.
  public func configuration() throws(Failure) -> [UInt8] {
    let file = TuneFile.shortened(TuneFile.path(daemonSockets: paths))
    let changed = try status().changedSettings
    let text =
      changed.isEmpty
      ? "# Nothing has been changed.\n" : "# \(file)\n" + TuneFile.toml(changed)
    return Array(text.utf8)
  }

  /// Writes what SET has changed to the configuration. Returns `{"path":"..."}`.
  public func writeConfiguration() throws(Failure) -> [UInt8] {
    let file = TuneFile.path(daemonSockets: paths)
    let changed = try status().changedSettings
    guard !changed.isEmpty else { throw Failure(.refused, "nothing has been changed") }
    let result = TuneFile.write(
      changed, to: file, author: "parallax web",
      advice: "copy the lines and save them with the permission to do so")
    guard result.isWritten else { throw Failure(.denied, result.text) }
    var buffer = OutputBuffer()
    buffer.append("{")
    buffer.append(field: "path", text: TuneFile.shortened(file))
    buffer.append("}\n")
    return buffer.withBytes { Array($0) }
  }

  private func status() throws(Failure) -> StatusMessage {
    guard case .status(let status, _) = try replies([.status]).answer else {
      throw Failure(.unavailable, "the daemon's answer is not a status")
    }
    return status
  }

  private func ask(_ requests: [ControlRequest]) throws(Failure) -> [UInt8] {
    Array(try replies(requests).line) + [UInt8(ascii: "\n")]
  }

  /// Sends the requests until one is refused, and returns the last answer.
  private func replies(_ requests: [ControlRequest]) throws(Failure) -> LineConnection.Reply {
    let result: Result<LineConnection.Reply, Failure>
    do throws(ParallaxError) {
      var client = try LineConnection(toFirstOf: paths)
      var last: LineConnection.Reply?
      var refusal: Failure?
      for request in requests where refusal == nil {
        let reply = try client.ask(request, patience: Self.patience)
        if case .error(let error, _) = reply.answer { refusal = Failure(error) }
        last = reply
      }
      let unsent = Failure(.malformed, "no settings")
      result = refusal.map { .failure($0) } ?? last.map { .success($0) } ?? .failure(unsent)
    } catch {
      result = .failure(Failure(.unavailable, "\(error)"))
    }
    return try result.get()
  }

  /// How long the daemon may take for an answer.
  private static let patience = MotionDuration.seconds(5)
}

extension DaemonControl.Failure {
  fileprivate init(_ error: ErrorMessage) {
    switch error.code {
    case .denied: self.init(.denied, error.message)
    default: self.init(.refused, error.message)
    }
  }
}

extension SetRequest {
  /// The value as its key reads it.
  fileprivate var settingValue: SettingValue {
    switch value {
    case .text(let text): .text(text)
    case .number(let number): .float(number)
    case .boolean(let flag): .boolean(flag)
    }
  }
}

extension StatusMessage {
  /// The settings that SET has changed, as on the command line.
  fileprivate var changedSettings: [(key: String, value: String)] {
    settings.filter { overrides.contains($0.key) }.map { ($0.key, $0.value.text) }
  }
}
