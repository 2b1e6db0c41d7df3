// SPDX-License-Identifier: Apache-2.0

package import ParallaxMotion

// The vocabulary for writing animations.
extension Animation {
  // MARK: - Steps

  package static func move(
    by px: PixelOffset, duration: Double? = nil, curve: Curve = .ease
  ) -> Animation {
    .step(AnimationStep(.moveBy(px), durationSeconds: duration, curve: curve))
  }

  package static func move(
    to px: PixelOffset, duration: Double? = nil, curve: Curve = .ease
  ) -> Animation {
    .step(AnimationStep(.moveTo(px), durationSeconds: duration, curve: curve))
  }

  package static func rotate(
    by degrees: Double, duration: Double? = nil, curve: Curve = .ease
  ) -> Animation {
    .step(AnimationStep(.rotateBy(degrees), durationSeconds: duration, curve: curve))
  }

  package static func rotate(
    to degrees: Double, duration: Double? = nil, curve: Curve = .ease
  ) -> Animation {
    .step(AnimationStep(.rotateTo(degrees), durationSeconds: duration, curve: curve))
  }

  package static func scale(
    by factor: Double, duration: Double? = nil, curve: Curve = .ease
  ) -> Animation {
    .step(AnimationStep(.scaleBy(factor), durationSeconds: duration, curve: curve))
  }

  package static func scale(
    to scale: Double, duration: Double? = nil, curve: Curve = .ease
  ) -> Animation {
    .step(AnimationStep(.scaleTo(scale), durationSeconds: duration, curve: curve))
  }

  package static func fade(
    to opacity: Double, duration: Double? = nil, curve: Curve = .ease
  ) -> Animation {
    .step(AnimationStep(.fadeTo(opacity), durationSeconds: duration, curve: curve))
  }

  // MARK: - Composition

  /// Appends the others, which play in parallel with each other.
  package func then(_ others: Animation...) -> Animation {
    let next = others.count == 1 ? others[0] : .parallel(others)
    if case .sequence(let steps) = self { return .sequence(steps + [next]) }
    return .sequence([self, next])
  }

  /// Plays this animation and the others in parallel.
  package func with(_ others: Animation...) -> Animation { .parallel([self] + others) }

  package func delayed(by seconds: Double) -> Animation { .sequence([.delay(seconds), self]) }

  package func repeated(_ count: Int) -> Animation { .repeated(self, count: .times(count)) }

  package func repeatedForever() -> Animation { .repeated(self, count: .forever) }

  package func reversed() -> Animation { .reversed(self) }

  package func autoreversed() -> Animation { .autoreversed(self) }

  package func speed(_ factor: Double) -> Animation { .speed(self, factor: factor) }
}
