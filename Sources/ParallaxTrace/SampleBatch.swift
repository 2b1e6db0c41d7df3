package import ParallaxMotion

/// Samples that were read and not yet taken. The memory is allocated once.
package struct SampleBatch: ~Copyable {
  /// 16 KiB of samples: as many as stay near at hand, and more than a nominal rate needs.
  static let capacity = 512

  @usableFromInline let base: UnsafeMutablePointer<GyroSample>
  @usableFromInline var taken = 0
  @usableFromInline var count = 0

  init() {
    base = .allocate(capacity: Self.capacity)
  }

  deinit {
    base.deallocate()
  }

  var isFull: Bool { count == Self.capacity }

  @inlinable
  package mutating func next() -> GyroSample? {
    guard taken < count else { return nil }
    let sample = base[taken]
    taken &+= 1
    return sample
  }

  mutating func removeAll() {
    (taken, count) = (0, 0)
  }
}
