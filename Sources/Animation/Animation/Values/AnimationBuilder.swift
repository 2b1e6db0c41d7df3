// SPDX-License-Identifier: Apache-2.0

/// Builds the sequence in `Animation { ... }`, which may contain `if`, `switch` and `for`.
@resultBuilder
public enum ValueAnimationBuilder<Value: Animatable> {
  /// Adds one animation.
  public static func buildExpression(_ animation: ValueAnimation<Value>) -> [ValueAnimation<Value>]
  { [animation] }

  /// Adds a list of animations.
  public static func buildExpression(_ animations: [ValueAnimation<Value>]) -> [ValueAnimation<
    Value
  >] { animations }

  /// Joins the parts of a block.
  public static func buildBlock(_ parts: [ValueAnimation<Value>]...) -> [ValueAnimation<Value>] {
    parts.flatMap(\.self)
  }

  /// Adds the part of an `if` without `else`.
  public static func buildOptional(_ part: [ValueAnimation<Value>]?) -> [ValueAnimation<Value>] {
    part ?? []
  }

  /// Adds the first part of an `if` or `switch`.
  public static func buildEither(first part: [ValueAnimation<Value>]) -> [ValueAnimation<Value>] {
    part
  }

  /// Adds another part of an `if` or `switch`.
  public static func buildEither(second part: [ValueAnimation<Value>]) -> [ValueAnimation<Value>] {
    part
  }

  /// Joins the passes of a `for`.
  public static func buildArray(_ parts: [[ValueAnimation<Value>]]) -> [ValueAnimation<Value>] {
    parts.flatMap(\.self)
  }
}

/// Builds the sequence of animations of a pose.
public typealias AnimationBuilder = ValueAnimationBuilder<Pose>

extension ValueAnimation {
  /// Creates a sequence.
  ///
  ///     Animation {
  ///       Animation.move(by: PixelOffset(x: 12, y: 0), duration: .milliseconds(100))
  ///       Animation.delay(.milliseconds(50))
  ///       Animation.together {
  ///         Animation.rotate(by: 180)
  ///         Animation.fade(to: 0.2)
  ///       }
  ///     }
  public init(@ValueAnimationBuilder<Value> _ parts: () -> [ValueAnimation]) {
    self = .sequence(parts())
  }

  /// Creates a parallel animation: all parts start at once.
  public static func together(@ValueAnimationBuilder<Value> _ parts: () -> [ValueAnimation])
    -> ValueAnimation
  {
    .parallel(parts())
  }
}
