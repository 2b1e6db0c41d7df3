// SPDX-License-Identifier: Apache-2.0

/// A client's socket, as the services see it. Implemented by `SocketConnection`.
package protocol Connection: AnyObject {
  /// Sends the bytes that the socket accepts now, and returns their number; nil if the peer is gone.
  func send(_ bytes: UnsafeRawBufferPointer) -> Int?
  /// Whether `ClientEvents.writable` is called once the socket accepts bytes again.
  var wantsWritable: Bool { get set }
  /// Ignores all further input.
  func stopReading()
  func close()
}
