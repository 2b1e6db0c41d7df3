// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// The events of a client's connection. The socket calls these methods; a service implements them.
package protocol ClientEvents: AnyObject {
  func received(_ bytes: UnsafeRawBufferPointer, at now: MotionInstant)
  /// The client sends no more, but may still read.
  func inputEnded(at now: MotionInstant)
  /// Other clients have had their turn.
  func takeTurn(at now: MotionInstant)
  /// The socket accepts bytes again.
  func writable(at now: MotionInstant)
  /// Both directions have ended.
  func hungUp(at now: MotionInstant)
}

/// A client that exchanges lines with its service.
protocol LineClient: ClientEvents {
  var channel: LineChannel { get }
  func answer(_ request: [UInt8], at now: MotionInstant)
  /// Follows every step through the client's lines.
  func linesHandled()
  /// Applies the consequences of an event for the other clients.
  func settle(at now: MotionInstant)
}

extension LineClient {
  func linesHandled() {}

  package func received(_ bytes: UnsafeRawBufferPointer, at now: MotionInstant) {
    channel.receive(bytes, at: now) { answer($0, at: now) }
    linesHandled()
    settle(at: now)
  }

  package func inputEnded(at now: MotionInstant) {
    channel.endInput(at: now) { answer($0, at: now) }
    linesHandled()
    settle(at: now)
  }

  package func takeTurn(at now: MotionInstant) {
    channel.takeTurn(at: now) { answer($0, at: now) }
    linesHandled()
    settle(at: now)
  }

  package func writable(at now: MotionInstant) {
    channel.flush(at: now)
    settle(at: now)
  }

  package func hungUp(at now: MotionInstant) {
    channel.close()
    settle(at: now)
  }
}

/// One socket's side of the daemon: serves its connections and has deadlines.
package protocol ClientService: AnyObject {
  /// Returns the receiver of the connection's events; nil if the connection was refused and closed.
  func connect(
    _ connection: any Connection, from peer: PeerCredentials, at now: MotionInstant
  ) -> (any ClientEvents)?
  /// When `expire` must be called next; nil if never.
  var deadline: MotionInstant? { get }
  /// Disconnects the clients that have read nothing for too long.
  func expire(at now: MotionInstant)
  /// Notifies the clients that the daemon ends, as far as their sockets accept bytes, and closes.
  func shutDown(at now: MotionInstant)
}
