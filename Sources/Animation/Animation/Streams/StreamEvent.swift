// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Something that happens once, at which ``AnimationStream/take(until:)`` ends a stream. Any thread may send it.
public final class StreamEvent: Sendable {
  private let occurred = Atomic(false)

  /// Creates an event that has not occurred.
  public init() {}

  /// Whether it has been sent.
  public var hasOccurred: Bool { occurred.load(ordering: .acquiring) }

  /// Lets it occur. A second time changes nothing.
  public func send() { occurred.store(true, ordering: .releasing) }
}
