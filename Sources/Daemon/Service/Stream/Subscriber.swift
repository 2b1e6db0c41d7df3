// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
import ParallaxMotion

/// A subscriber to the stream: its connection, and the group with which it gets frames.
package final class Subscriber: LineClient, RosterClient {
  package let channel: LineChannel
  package let peer: PeerCredentials
  package let user: UserState

  /// Whether it counts against the limits on connections.
  var isCounted = false
  var place = 0
  /// Whether VERSION was sent: nothing is sent before it.
  var isGreeted = false
  /// Its settings and the last frame it was sent.
  var group: SubscriberGroup
  var placeInGroup = 0

  private weak var service: StreamService?
  /// SO_SNDBUF, as set last.
  private var sendBufferBytes: Int32?

  /// - Parameter group: A new group, for it alone.
  init(
    channel: LineChannel, peer: PeerCredentials, group: SubscriberGroup, service: StreamService
  ) {
    self.service = service
    self.channel = channel
    self.peer = peer
    self.group = group
    user = group.user
    group.add(self)
    group.startWatching()
  }

  func answer(_ request: [UInt8], at now: MotionInstant) {
    service?.answer(request, from: self, at: now)
  }

  func settle(at now: MotionInstant) {
    service?.settle(at: now)
  }

  package var isEnabled: Bool { group.settings.isEnabled }

  /// Whether it shows no motion.
  package var isAtRest: Bool { group.history.isAtRest }

  /// The orientation that WATCH gave it; nil for the user's.
  var ownOrientation: Orientation? { group.settings.orientation }

  /// The names of the layers that WATCH gave it.
  var ownLayerNames: [String] { group.settings.layers?.layers.map(\.name) ?? [] }

  /// Sizes the kernel's buffer for the backlog of its lines.
  func fitSendBuffer(_ charges: LineCharges, pace: FramePace, line: inout OutputBuffer) {
    let bytes = group.sendBufferBytes(charges, pace: pace, line: &line)
    guard bytes != sendBufferBytes else { return }
    sendBufferBytes = bytes
    channel.setSendBuffer(bytes: bytes)
  }
}
