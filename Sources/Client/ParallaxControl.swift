// SPDX-License-Identifier: Apache-2.0

public import ParallaxProtocol

/// Requests to the daemon: its status, its settings and the animations that play.
///
///     let control = try ParallaxControl()
///     print(try await control.status().gate.reasons)
///     try await control.set("scale", to: 8)
///
/// Every admitted user may read the status; the other requests need privilege. A client uses one connection for
/// all requests, and tasks may send them at the same time. It ends when the client is closed or released. It does
/// not connect again: after a failure of the connection, create another client.
///
/// Further requests have a type of their own: ``ParallaxInhibition``, ``ParallaxFeed`` and ``AnimationHandle``.
public final class ParallaxControl: Sendable {
  private let link: ControlLink

  /// Connects to a daemon.
  ///
  /// - Parameter path: The daemon's control socket. Default nil: PARALLAX_CONTROL if it is set, else the first
  ///   on which a daemon listens, of the user's and the system's.
  /// - Throws: ``ParallaxError/noDaemon(attempts:)`` if no daemon accepts the connection.
  public convenience init(path: String? = nil) throws(ParallaxError) {
    try self.init(toFirstOf: SocketPath.candidates(.control, explicit: path))
  }

  /// Connects to the first of the paths on which a daemon listens.
  package init(toFirstOf paths: [String]) throws(ParallaxError) {
    link = try ControlLink(toFirstOf: paths)
  }

  deinit { link.close() }

  /// The path of the daemon's socket.
  public var path: String { link.path }

  /// Returns the daemon's status, as this user may see it.
  public func status() async throws(RequestFailure) -> StatusMessage {
    guard case .status(let status, _) = try await link.ask(.status).answer else {
      throw .connection(.malformed)
    }
    return status
  }

  /// Changes a setting until the daemon ends, also for other users.
  ///
  /// - Parameters:
  ///   - key: A key of SET, such as `scale`, `smoothing` or `paused`; `StatusMessage.settings` lists them.
  ///   - value: In the unit of the configuration. `"auto"`: the configured value again.
  /// - Returns: The daemon's remark on the effect, if it has one.
  /// - Throws: ``RequestFailure/refused(_:)`` with the allowed values in `ErrorMessage.allowed`.
  @discardableResult
  public func set(_ key: String, to value: SetRequest.Value) async throws(RequestFailure) -> String?
  {
    if case .number(let number) = value { try RequestFailure.checkFinite(number, "value") }
    return try await acknowledge(.set(SetRequest(key: key, value: value)))
  }

  /// Eases the tilt back to 0, so that the present one is the center.
  ///
  /// - Returns: The daemon's remark, such as that it has no effect in rate mode.
  @discardableResult
  public func recenter() async throws(RequestFailure) -> String? {
    try await acknowledge(.recenter)
  }

  /// Makes the daemon read its configuration again. One with errors changes nothing; `ErrorMessage.details` lists
  /// them.
  ///
  /// - Returns: The daemon's remark, if it has one.
  @discardableResult
  public func reload() async throws(RequestFailure) -> String? { try await acknowledge(.reload) }

  /// Cancels animations, which ease back to where they started, and removes the final poses of ended ones.
  ///
  /// - Parameter id: The id in ANIMATION lines. Default nil: all animations.
  /// - Returns: The daemon's remark, such as that there was none.
  @discardableResult
  public func stop(_ id: String? = nil) async throws(RequestFailure) -> String? {
    try await acknowledge(.stop(id: id))
  }

  /// Ends the connection.
  public func close() { link.close() }

  /// Sends a request and blocks this thread until its answer has come, which is not an ERROR.
  package func answer(to request: ControlRequest) throws(RequestFailure) -> ControlReply {
    let answer: BlockingAnswer<ControlLink.Reply>
    do {
      answer = try BlockingAnswer()
    } catch {
      throw .connection(error)
    }
    link.send(request) { answer.deliver($0) }
    return try answer.wait().get()
  }

  private func acknowledge(_ request: ControlRequest) async throws(RequestFailure) -> String? {
    try await link.acknowledge(request).note
  }
}
