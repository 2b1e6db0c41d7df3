// SPDX-License-Identifier: Apache-2.0

// How animations of any value are put together.
extension ValueAnimation {
  /// Moves through keyframes.
  public static func keyframes(_ keyframes: ValueKeyframes<Value>) -> ValueAnimation {
    ValueAnimation(.keyframes(keyframes))
  }

  /// Pauses. A negative duration counts as 0.
  public static func delay(_ duration: Duration) -> ValueAnimation {
    .delay(seconds: duration.inSeconds)
  }

  /// An animation that ends at once and changes nothing.
  public static var empty: ValueAnimation { ValueAnimation(.empty) }

  // MARK: - Composition

  /// Plays animations one after the other. Each starts from the value that the one before has left.
  public static func sequence(_ animations: [ValueAnimation]) -> ValueAnimation {
    ValueAnimation(.sequence(AppendableList(animations)))
  }

  /// Plays animations from the same start. Their differences add; the longest determines the end.
  public static func parallel(_ animations: [ValueAnimation]) -> ValueAnimation {
    ValueAnimation(.parallel(AppendableList(animations)))
  }

  /// Appends the others, which play in parallel with each other.
  public func then(_ others: ValueAnimation...) -> ValueAnimation {
    followed(by: others.count == 1 ? others[0] : .parallel(others))
  }

  /// Plays this animation and the others in parallel.
  public func with(_ others: ValueAnimation...) -> ValueAnimation { joined(by: others) }

  /// Plays a pause before this animation.
  public func delayed(by duration: Duration) -> ValueAnimation {
    .sequence([.delay(duration), self])
  }

  /// Plays this animation several times; changes by a distance or an angle accumulate.
  ///
  /// - Parameter count: Number of passes; none for 0 or less.
  public func repeated(_ count: Int) -> ValueAnimation { .repeated(self, count: .times(count)) }

  /// Plays this animation until it is ended. One without a duration ends at once.
  public func repeatedForever() -> ValueAnimation { .repeated(self, count: .forever) }

  /// Plays this animation several times with a pause between two passes.
  ///
  /// - Parameters:
  ///   - count: Number of passes. Default: until it is ended.
  ///   - pause: Length of each pause. A negative one counts as 0.
  public func looped(_ count: RepeatCount = .forever, pause: Duration) -> ValueAnimation {
    looped(count, pauseSeconds: pause.inSeconds)
  }

  package func looped(_ count: RepeatCount, pauseSeconds: Double) -> ValueAnimation {
    let pass = ValueAnimation.sequence([self, .delay(seconds: pauseSeconds)])
    return switch count {
    case .forever: .repeated(pass, count: .forever)
    case .times(let count) where count > 1:
      .sequence([.repeated(pass, count: .times(count - 1)), self])
    case .times: .repeated(self, count: count)
    }
  }

  /// Plays this animation backward in time.
  ///
  /// Each part runs from its end to its start: `by` in the opposite direction (a factor divides), `to`
  /// from its target back to where it would have started.
  public func reversed() -> ValueAnimation {
    if case .reversed(let animation) = content { return animation }
    return .reversed(self)
  }

  /// Plays this animation forward and then backward, so that it ends where it starts, in twice the
  /// time.
  public func autoreversed() -> ValueAnimation { .autoreversed(self) }

  /// Plays this animation faster or slower.
  ///
  /// - Parameter factor: 2 takes half the time. 1 if not positive and finite.
  public func speed(_ factor: Double) -> ValueAnimation { .speed(self, factor: factor) }

  // MARK: - For readers of documents

  package static func step(_ step: ValueStep<Value>) -> ValueAnimation {
    ValueAnimation(.step(step))
  }

  package static func delay(seconds: Double) -> ValueAnimation { ValueAnimation(.delay(seconds)) }

  package static func track(_ reference: AnimationTrackReference<Value>) -> ValueAnimation {
    ValueAnimation(.track(reference))
  }

  package static func repeated(_ animation: ValueAnimation, count: RepeatCount) -> ValueAnimation {
    ValueAnimation(.repeated(animation, count: count))
  }

  package static func reversed(_ animation: ValueAnimation) -> ValueAnimation {
    ValueAnimation(.reversed(animation))
  }

  package static func autoreversed(_ animation: ValueAnimation) -> ValueAnimation {
    ValueAnimation(.autoreversed(animation))
  }

  package static func speed(_ animation: ValueAnimation, factor: Double) -> ValueAnimation {
    ValueAnimation(.speed(animation, factor: factor))
  }
}
