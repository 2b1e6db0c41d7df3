// SPDX-License-Identifier: Apache-2.0

import ParallaxConfig

/// The limits on the number of connections to a socket.
struct ConnectionLimits: Equatable, Sendable {
  let total: Int
  let perUser: Int

  init(_ socket: Configuration.Socket) {
    total = socket.maxSubscribers
    perUser = socket.maxPerUser
  }
}

/// The number of connections to a socket that count against its limits: those of users who are not
/// privileged.
struct ConnectionCounts {
  private(set) var total = 0
  private var ofUser: [UInt32: Int] = [:]

  mutating func add(_ userID: UInt32) {
    total += 1
    ofUser[userID, default: 0] += 1
  }

  mutating func remove(_ userID: UInt32) {
    total -= 1
    let left = ofUser[userID, default: 1] - 1
    ofUser[userID] = left > 0 ? left : nil
  }

  /// Returns the message for a user whose next connection would exceed a limit; nil if it is within
  /// both.
  func refusal(of userID: UInt32, _ limits: ConnectionLimits) -> String? {
    if total >= limits.total {
      return "too many connections: the limit is \(limits.total) (socket.max-subscribers)"
    }
    if ofUser[userID, default: 0] >= limits.perUser {
      return
        "you have too many connections: the limit is \(limits.perUser) per user (socket.max-per-uid)"
    }
    return nil
  }
}
