// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import Logging
import NIOCore
import NIOSSL
import Synchronization

/// A connection to the phone's server: TLS, or HTTP without it on the same port, for Sensor Logger and for people
/// who type the address without https.
///
/// It is closed if a request is not complete in time, and at once if its peer has too many.
struct PhoneConnection: ServerChildChannel {
  typealias Value = HTTP1Channel.Value

  /// The connections of one peer. A page opens up to six.
  static let maxPerPeer = 24
  /// Sent through the pipeline when a request has been received as a whole.
  struct RequestReceived: Sendable {}

  let base: HTTP1Channel
  let tls: NIOSSLContext
  let peers: PeerCounts
  /// The time for a complete request, from the connection or from the end of the request before. It is also
  /// how long a silent connection stays open.
  let patience: TimeAmount

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    guard let peer = channel.remoteAddress?.ipAddress ?? channel.localAddress?.ipAddress,
      peers.add(peer, limit: Self.maxPerPeer)
    else {
      return channel.close().flatMapThrowing { throw ChannelError.eof }
    }
    channel.closeFuture.whenComplete { [peers] _ in peers.remove(peer) }
    return channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandler(FirstByte(tls: tls, patience: patience))
    }.flatMap {
      base.setup(channel: channel, logger: logger)
    }
  }

  func handle(value: Value, logger: Logger) async {
    await base.handle(value: value, logger: logger)
  }
}

/// The number of connections of each peer.
final class PeerCounts: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  func add(_ peer: String, limit: Int) -> Bool {
    counts.withLock { counts in
      guard counts[peer, default: 0] < limit else { return false }
      counts[peer, default: 0] += 1
      return true
    }
  }

  func remove(_ peer: String) {
    counts.withLock { counts in
      let left = counts[peer, default: 1] - 1
      counts[peer] = left > 0 ? left : nil
    }
  }
}

/// Begins TLS if the first byte starts a TLS record, and ends the connection if requests take too long.
private final class FirstByte: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let tls: NIOSSLContext
  private let patience: TimeAmount
  private var hasBegun = false
  private var deadline: Scheduled<Void>?

  init(tls: NIOSSLContext, patience: TimeAmount) {
    self.tls = tls
    self.patience = patience
  }

  func handlerAdded(context: ChannelHandlerContext) { restart(context) }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let buffer = Self.unwrapInboundIn(data)
    if !hasBegun, let first = buffer.getInteger(at: buffer.readerIndex, as: UInt8.self) {
      hasBegun = true
      // The type of a handshake record (RFC 8446, 5.1). No method of HTTP begins with it.
      if first == 22 {
        do {
          try context.pipeline.syncOperations.addHandler(
            NIOSSLServerHandler(context: tls), position: .after(self))
        } catch {
          context.close(promise: nil)
          return
        }
      }
    }
    context.fireChannelRead(data)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard event is PhoneConnection.RequestReceived else {
      context.fireUserInboundEventTriggered(event)
      return
    }
    restart(context)
  }

  private func restart(_ context: ChannelHandlerContext) {
    deadline?.cancel()
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: patience) {
      channel.close(promise: nil)
    }
  }
}
