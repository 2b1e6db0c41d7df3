// SPDX-License-Identifier: Apache-2.0

/// Builds the sequence in `Animation { ... }`, which may contain `if`, `switch` and `for`.
@resultBuilder
public enum AnimationBuilder {
  /// Adds one animation.
  public static func buildExpression(_ animation: Animation) -> [Animation] { [animation] }

  /// Adds a list of animations.
  public static func buildExpression(_ animations: [Animation]) -> [Animation] { animations }

  /// Joins the parts of a block.
  public static func buildBlock(_ parts: [Animation]...) -> [Animation] { parts.flatMap(\.self) }

  /// Adds the part of an `if` without `else`.
  public static func buildOptional(_ part: [Animation]?) -> [Animation] { part ?? [] }

  /// Adds the first part of an `if` or `switch`.
  public static func buildEither(first part: [Animation]) -> [Animation] { part }

  /// Adds another part of an `if` or `switch`.
  public static func buildEither(second part: [Animation]) -> [Animation] { part }

  /// Joins the passes of a `for`.
  public static func buildArray(_ parts: [[Animation]]) -> [Animation] { parts.flatMap(\.self) }
}

extension Animation {
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
  public init(@AnimationBuilder _ parts: () -> [Animation]) {
    self = .sequence(parts())
  }

  /// Creates a parallel animation: all parts start at once.
  public static func together(@AnimationBuilder _ parts: () -> [Animation]) -> Animation {
    .parallel(parts())
  }
}
