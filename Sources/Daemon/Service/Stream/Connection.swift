// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// A client's socket, as the services see it. Implemented by `SocketConnection`.
package protocol Connection: AnyObject {
  /// Sends the bytes that the socket accepts now, and returns their number; nil if the peer is gone.
  func send(_ bytes: UnsafeRawBufferPointer) -> Int?
  /// Which calls of `ClientEvents` the service waits for. Starts as `.input`.
  var awaits: AwaitedEvents { get set }
  func close()
  /// Limits the bytes that may wait in the kernel, in its own accounting.
  func setSendBuffer(bytes: Int32) throws(SystemError)
  /// Whether it uses one of the last descriptors of the process, which are kept for privileged clients.
  var usesDescriptorReserve: Bool { get }
}

extension Connection {
  package func setSendBuffer(bytes: Int32) throws(SystemError) {}

  package var usesDescriptorReserve: Bool { false }
}

/// The events that a client's connection may report next. A hang-up is always reported.
package struct AwaitedEvents: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// `received` and `inputEnded`.
  package static let input = AwaitedEvents(rawValue: 1)
  /// `writable`.
  package static let output = AwaitedEvents(rawValue: 2)
  /// `takeTurn`: received lines are left, and other clients come first. Removed before the call.
  package static let turn = AwaitedEvents(rawValue: 4)
}
