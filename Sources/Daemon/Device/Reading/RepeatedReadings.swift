// SPDX-License-Identifier: Apache-2.0

package import ParallaxMotion

/// Detects readings that do not change. The last digits of a real gyroscope always do.
package struct RepeatedReadings: Equatable, Sendable {
  /// This many equal readings in a row are reported: 2 s of them at 30 Hz.
  package static let limit = 60
  private var last: AngularRate?
  private var count = 0

  package init() {}

  /// - Returns: Whether this reading reaches the limit; true once until a reading differs.
  package mutating func add(_ rate: AngularRate) -> Bool {
    guard rate == last else {
      last = rate
      count = 1
      return false
    }
    count += 1
    return count == Self.limit
  }
}
