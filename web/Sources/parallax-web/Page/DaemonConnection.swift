// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOCore
import NIOPosix
import ParallaxWebCore

/// A connection to a socket of the daemon, which is read line by line.
///
/// Lines are read only as fast as they are taken: for a reader that is slow, the daemon keeps the newest OFFSETs.
struct DaemonConnection {
  /// No daemon answers.
  struct Unavailable: Error {
    let message: String
  }

  private let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>

  /// The longest line; the daemon's are far shorter.
  private static let maxLineBytes = 1 << 20

  /// Connects to the first socket that answers.
  static func open(_ paths: [String]) async throws(Unavailable) -> DaemonConnection {
    var attempts: [String] = []
    var isDenied = false
    for path in paths {
      do {
        return DaemonConnection(
          channel: try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(unixDomainSocketPath: path) { channel in
              channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(
                  ByteToMessageHandler(LineDecoder(), maximumBufferSize: maxLineBytes))
                return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
              }
            })
      } catch {
        let code = (error as? IOError)?.errnoCode
        isDenied = isDenied || code == EACCES
        attempts.append("\(path): \(code.map { String(cString: strerror($0)) } ?? "\(error)")")
      }
    }
    let tried = attempts.joined(separator: "; ")
    throw Unavailable(
      message: isDenied
        ? "this user may not connect (\(tried)); join the group 'parallax', or log in on the device itself"
        : "no daemon answers (\(tried)); start one with 'systemctl start parallax' or 'parallax run'"
    )
  }

  /// Connects, and disconnects.
  ///
  /// - Throws: `Unavailable` if no daemon answers.
  static func check(_ paths: [String]) async throws(Unavailable) {
    let connection = try await open(paths)
    connection.close()
    // A channel that has been opened must be used.
    try? await connection.exchange(ByteBuffer()) { _ in false }
  }

  /// Sends requests and passes on the lines that come until the daemon or `close` ends the connection, or
  /// `receive` returns false.
  func exchange(
    _ requests: ByteBuffer, receive: (inout ByteBuffer) async throws -> Bool
  ) async throws {
    try await channel.executeThenClose { inbound, outbound in
      // A daemon that refuses a client says so in a line and does not read.
      try? await outbound.write(requests)
      for try await line in inbound {
        var line = line
        guard try await receive(&line) else { return }
      }
    }
  }

  /// Sends lines during `exchange`, except while the daemon does not read. Can be called from any thread.
  func send(_ lines: String) {
    let channel = channel.channel
    guard channel.isWritable else { return }
    channel.writeAndFlush(ByteBuffer(string: lines), promise: nil)
  }

  /// Ends the connection. Can be called from any thread.
  var close: @Sendable () -> Void {
    { [channel = channel.channel] in channel.close(promise: nil) }
  }
}

/// Splits what comes into lines, without their line feeds.
private struct LineDecoder: ByteToMessageDecoder {
  typealias InboundOut = ByteBuffer

  mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) -> DecodingState {
    let bytes = buffer.readableBytesView
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
      let line = buffer.readSlice(length: end - bytes.startIndex)
    else { return .needMoreData }
    buffer.moveReaderIndex(forwardBy: 1)
    context.fireChannelRead(Self.wrapInboundOut(line))
    return .continue
  }
}
