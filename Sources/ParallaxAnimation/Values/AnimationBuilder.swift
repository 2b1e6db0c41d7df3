/// What stands in the braces of `Animation { ... }`: animations, one after the other, with `if`, `switch`
/// and `for` between them.
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
  /// One after the other.
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

  /// All from the same start.
  package static func together(@AnimationBuilder _ parts: () -> [Animation]) -> Animation {
    .parallel(parts())
  }
}
