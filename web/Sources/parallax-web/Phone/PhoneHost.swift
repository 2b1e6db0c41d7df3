// SPDX-License-Identifier: Apache-2.0

import Glibc
import Hummingbird
import NIOCore
import ParallaxWebCore

/// The phone's server of `parallax-web page`: it listens only from a request of the page with the token until the
/// next one, or until the program ends.
actor PhoneHost {
  private let port: Int
  private let sockets: DaemonSockets
  private let files: String?
  private let log: @Sendable (String) -> Void
  private var running: (task: Task<Void, Never>, invitation: PhoneServer.Invitation)?

  init(
    port: Int, sockets: DaemonSockets, files: String?, log: @escaping @Sendable (String) -> Void
  ) {
    self.port = port
    self.sockets = sockets
    self.files = files
    self.log = log
  }

  /// Starts the server unless it is running, and returns the answer with its code.
  func start() async -> Response {
    do {
      let invitation = try await invitation()
      let rows = (QRCode.rows(invitation.address) ?? [])
        .map { row in JSONText.quoted(row.map { $0 ? "1" : "0" }.joined()) }
      return PageResponse.make(
        200, type: "application/json",
        body: Array(
          """
          {"address":\(JSONText.quoted(invitation.address)),"push":\(JSONText.quoted(invitation.push)),\
          "fingerprint":\(JSONText.quoted(invitation.fingerprint)),"rows":[\(rows.joined(separator: ","))]}

          """.utf8))
    } catch let error as PhoneOptionsError {
      return PageResponse.error(503, error.message)
    } catch {
      let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
      return PageResponse.error(503, "port \(port) for phones: \(reason)")
    }
  }

  func stop() -> Response {
    running?.task.cancel()
    running = nil
    return PageResponse.make(204, type: nil, body: [])
  }

  private func invitation() async throws -> PhoneServer.Invitation {
    if let running { return running.invitation }
    let server = try PhoneServer(
      PhoneServer.Options(port: port, address: nil, sockets: sockets, files: files, log: log))
    let (listening, continuation) = AsyncThrowingStream.makeStream(
      of: PhoneServer.Invitation.self)
    let task = Task {
      do {
        try await server.run { continuation.yield($0) }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    for try await invitation in listening {
      // Of two requests at once, the second one's port is in use.
      running = (task, invitation)
      return invitation
    }
    throw CancellationError()
  }
}
