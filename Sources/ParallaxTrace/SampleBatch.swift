// SPDX-License-Identifier: Apache-2.0

package import ParallaxMotion

/// Samples that have been read but not yet returned. The memory is allocated once.
package struct SampleBatch: ~Copyable {
  /// 16 KiB of samples: they stay in the cache, and are more than finding the nominal rate needs.
  static let capacity = 512

  @usableFromInline let base: UnsafeMutablePointer<GyroSample>
  /// The index of the next sample to return.
  @usableFromInline var position = 0
  @usableFromInline var count = 0

  init() {
    base = .allocate(capacity: Self.capacity)
  }

  deinit {
    base.deallocate()
  }

  var isFull: Bool { count == Self.capacity }

  /// Returns the next sample; nil if all have been returned.
  @inlinable
  package mutating func next() -> GyroSample? {
    guard position < count else { return nil }
    let sample = base[position]
    position &+= 1
    return sample
  }

  mutating func removeAll() {
    (position, count) = (0, 0)
  }
}
