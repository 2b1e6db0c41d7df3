// SPDX-License-Identifier: Apache-2.0

// The API counts in `Duration`, the functions of time compute with seconds.

extension Duration {
  /// The length in seconds, rounded to a `Double`.
  var inSeconds: Double { self / .seconds(1) }

  /// Creates a duration of at most 10^15 s, 30 million years; 0 for NaN.
  init(clampingSeconds seconds: Double) {
    self = .seconds(seconds.clamped(to: 1e15))
  }
}
