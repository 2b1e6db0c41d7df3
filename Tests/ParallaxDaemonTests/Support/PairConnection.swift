// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxDaemon

/// A client on a real socket pair, without an event loop: the test reads its end.
final class PairConnection: Connection {
  private var near: UnixStream?
  private var far: UnixStream?
  var awaits = AwaitedEvents.input
  private(set) var isClosed = false

  /// - Parameter sendBufferBytes: SO_SNDBUF, as the daemon sets it.
  init(sendBufferBytes: Int32) throws {
    let pair = try UnixStream.pair()
    try pair.first.setSendBuffer(bytes: sendBufferBytes)
    pair.take { near, far in
      self.near = consume near
      self.far = consume far
    }
  }

  func setSendBuffer(bytes: Int32) throws(SystemError) { try near?.setSendBuffer(bytes: bytes) }

  func send(_ bytes: UnsafeRawBufferPointer) -> Int? {
    switch near?.send(bytes) ?? .closed {
    case .sent(let count): count
    case .wouldBlock: 0
    case .closed, .failed: nil
    }
  }

  func close() {
    isClosed = true
    near = nil
  }

  /// Reads at most `limit` of the bytes that have arrived.
  func read(_ limit: Int = .max) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < limit {
      var block = [UInt8](repeating: 0, count: min(4096, limit - bytes.count))
      let result = block.withUnsafeMutableBytes { far?.receive(into: $0) ?? .closed }
      guard case .received(let count) = result else { break }
      bytes += block.prefix(count)
    }
    return bytes
  }
}
