// SPDX-License-Identifier: Apache-2.0

public import ParallaxBase

/// Instants and durations as plain nanoseconds, for tables: `at: 5_000_000`.
extension MotionInstant: ExpressibleByIntegerLiteral {
  /// Creates the value from nanoseconds.
  public init(integerLiteral value: Int64) {
    self.init(nanoseconds: value)
  }
}

extension MotionDuration: ExpressibleByIntegerLiteral {
  /// Creates the value from nanoseconds.
  public init(integerLiteral value: Int64) {
    self.init(nanoseconds: value)
  }
}
