// SPDX-License-Identifier: Apache-2.0

/// Builds the sequence in `Animation { ... }`, which may contain `if`, `switch` and `for`.
@resultBuilder
package enum AnimationBuilder {
  package static func buildExpression(_ animation: Animation) -> [Animation] { [animation] }

  package static func buildExpression(_ animations: [Animation]) -> [Animation] { animations }

  package static func buildBlock(_ parts: [Animation]...) -> [Animation] { parts.flatMap(\.self) }

  package static func buildOptional(_ part: [Animation]?) -> [Animation] { part ?? [] }

  package static func buildEither(first part: [Animation]) -> [Animation] { part }

  package static func buildEither(second part: [Animation]) -> [Animation] { part }

  package static func buildArray(_ parts: [[Animation]]) -> [Animation] { parts.flatMap(\.self) }
}

extension Animation {
  /// Creates a sequence.
  ///
  ///     Animation {
  ///       Animation.move(by: PixelOffset(x: 12, y: 0), duration: 0.1)
  ///       Animation.delay(0.05)
  ///       Animation.together {
  ///         Animation.rotate(by: 180)
  ///         Animation.fade(to: 0.2)
  ///       }
  ///     }
  package init(@AnimationBuilder _ parts: () -> [Animation]) {
    self = .sequence(parts())
  }

  /// Creates a parallel animation: all parts start at once.
  package static func together(@AnimationBuilder _ parts: () -> [Animation]) -> Animation {
    .parallel(parts())
  }
}
