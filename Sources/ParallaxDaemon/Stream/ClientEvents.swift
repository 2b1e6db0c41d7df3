package import ParallaxSystem

/// What happens on a client's connection; the socket calls, a service listens.
package protocol ClientEvents: AnyObject {
  func received(_ bytes: UnsafeRawBufferPointer, atNanoseconds now: Int64)
  /// The client sends no more; it may still read.
  func inputEnded(atNanoseconds now: Int64)
  /// There is room again.
  func writable(atNanoseconds now: Int64)
  /// Both directions are over.
  func hungUp(atNanoseconds now: Int64)
}

/// A client that speaks in lines, which its service answers.
protocol LineClient: ClientEvents {
  var channel: LineChannel { get }
  func answer(_ request: [UInt8], atNanoseconds now: Int64)
  /// Sees what follows for everyone from what happened here.
  func settle(atNanoseconds now: Int64)
}

extension LineClient {
  package func received(_ bytes: UnsafeRawBufferPointer, atNanoseconds now: Int64) {
    channel.receive(bytes, atNanoseconds: now) { answer($0, atNanoseconds: now) }
    settle(atNanoseconds: now)
  }

  package func inputEnded(atNanoseconds now: Int64) {
    channel.endInput(atNanoseconds: now) { answer($0, atNanoseconds: now) }
    settle(atNanoseconds: now)
  }

  package func writable(atNanoseconds now: Int64) {
    channel.flush(atNanoseconds: now)
    settle(atNanoseconds: now)
  }

  package func hungUp(atNanoseconds now: Int64) {
    channel.close()
    settle(atNanoseconds: now)
  }
}

/// A socket's side of the daemon: takes connections, and has deadlines.
package protocol ClientService: AnyObject {
  /// Who is to be told what happens on the connection; nil where it was refused and is closed.
  func connect(
    _ connection: any Connection, from peer: PeerCredentials, atNanoseconds now: Int64
  ) -> (any ClientEvents)?
  /// When `expire` is wanted.
  var deadlineNanoseconds: Int64? { get }
  /// Gives up whoever has not taken anything for too long.
  func expire(atNanoseconds now: Int64)
  /// Tells everyone that the daemon ends, as far as there is room, and closes.
  func shutDown(atNanoseconds now: Int64)
}
