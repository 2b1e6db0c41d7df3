// SPDX-License-Identifier: Apache-2.0

/// The place for the one phone that may send samples, and how fast it may send them.
///
/// A phone is identified by a random name that its page makes and keeps, so that it can continue after a reload or a
/// locked screen. Another phone is refused until the first one ends, or has been silent for `patience`.
package struct PhoneSeat: Sendable {
  package enum Answer: Equatable, Sendable {
    /// This phone was not in the seat before.
    case began
    case goesOn
    /// Another phone sends.
    case taken
    /// Too many requests or samples.
    case tooFast
  }

  /// How long a silent phone keeps the seat, in seconds.
  package let patience: Double
  /// The samples and the requests that a phone may send per second, on average.
  static let (maxSamples, maxRequests) = (2_000.0, 250.0)

  /// The phone in the seat.
  package private(set) var phone: String?
  private var lastSeconds = 0.0
  private var samples = Allowance(limit: maxSamples)
  private var requests = Allowance(limit: maxRequests)

  package init(patience: Double = 60) {
    self.patience = patience
  }

  /// Called with each request of a phone.
  ///
  /// - Parameters:
  ///   - count: The number of samples in it.
  ///   - now: Seconds of a clock that does not go backward.
  package mutating func take(_ phone: String, count: Int, at now: Double) -> Answer {
    _ = expire(at: now)
    guard self.phone == nil || self.phone == phone else { return .taken }
    guard requests.take(1, at: now), samples.take(Double(count), at: now) else { return .tooFast }
    lastSeconds = now
    guard self.phone == nil else { return .goesOn }
    self.phone = phone
    return .began
  }

  /// Ends the phone's turn. Returns whether it was in the seat.
  package mutating func leave(_ phone: String) -> Bool {
    guard self.phone == phone else { return false }
    self.phone = nil
    return true
  }

  /// Empties the seat of a phone that has been silent for too long. Returns whether it did.
  package mutating func expire(at now: Double) -> Bool {
    guard phone != nil, now - lastSeconds >= patience else { return false }
    phone = nil
    return true
  }
}

/// A token bucket of two seconds.
private struct Allowance: Sendable {
  let limit: Double
  private var left: Double
  private var lastSeconds = 0.0

  init(limit: Double) {
    self.limit = limit
    left = 2 * limit
  }

  mutating func take(_ count: Double, at now: Double) -> Bool {
    left = min(2 * limit, left + max(0, now - lastSeconds) * limit)
    lastSeconds = now
    guard count <= left else { return false }
    left -= count
    return true
  }
}
