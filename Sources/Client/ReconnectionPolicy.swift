// SPDX-License-Identifier: Apache-2.0

/// How a stream reacts when there is no daemon or the connection ends.
public struct ReconnectionPolicy: Equatable, Sendable {
  /// The upper bound of the first wait; nil: no retry.
  var firstDelay: Duration?
  /// The upper bound of every wait.
  var maxDelay: Duration

  /// No retry: the stream ends with the connection, or at once if there is no daemon.
  public static let never = ReconnectionPolicy(firstDelay: nil, maxDelay: .zero)

  /// Retries with growing waits, from 0.1 s to 5 s.
  public static let standard = ReconnectionPolicy.exponential()

  /// Returns a policy that retries forever and doubles the bound of the wait each time.
  ///
  /// Each wait is random, between half its bound and the bound: the clients of a restarted daemon do
  /// not reconnect all at once. A connection that lasts longer than `longest` resets the bound.
  ///
  /// - Parameters:
  ///   - first: The bound of the first wait. Default 0.1 s, at least 1 ms.
  ///   - longest: The maximum bound. Default 5 s, at least `first`.
  public static func exponential(
    from first: Duration = .milliseconds(100), to longest: Duration = .seconds(5)
  ) -> ReconnectionPolicy {
    let first = max(first, .milliseconds(1))
    return ReconnectionPolicy(firstDelay: first, maxDelay: max(first, longest))
  }
}
