package import ParallaxMotion

/// Readings that do not change: a real gyroscope's last digits always do.
package struct RepeatedReadings: Equatable, Sendable {
  /// So many in a row are told: at 30 Hz, 2 s of them.
  package static let limit = 60
  private var last: AngularRate?
  private var count = 0

  package init() {}

  /// - Returns: whether this is the one that makes it worth telling; once until a reading differs.
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
