/// What a stream does when there is no daemon or the connection ends.
public struct ReconnectionPolicy: Equatable, Sendable {
  /// The longest wait before the first try after a loss. Nil: no try at all.
  var firstDelay: Duration?
  /// No wait is longer.
  var longestDelay: Duration

  /// The stream ends with the connection, and at once where there is no daemon.
  public static let never = ReconnectionPolicy(firstDelay: nil, longestDelay: .zero)

  /// Tries again with growing waits, 0.1 s to 5 s.
  public static let standard = ReconnectionPolicy.exponential()

  /// Tries again and again, each time waiting up to twice as long as before.
  ///
  /// Each wait is drawn at random from the upper half of its length, so that the clients of a
  /// daemon that restarts do not all come back in the same instant. A connection that lasted longer
  /// than `longest` makes the waits begin anew.
  ///
  /// - Parameters:
  ///   - first: the longest first wait; 0.1 s by default, at least 1 ms.
  ///   - longest: where the waits stop growing; 5 s by default, at least `first`.
  public static func exponential(
    from first: Duration = .milliseconds(100), to longest: Duration = .seconds(5)
  ) -> ReconnectionPolicy {
    let first = max(first, .milliseconds(1))
    return ReconnectionPolicy(firstDelay: first, longestDelay: max(first, longest))
  }
}
