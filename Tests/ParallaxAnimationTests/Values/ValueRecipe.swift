// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion

@testable import ParallaxAnimation

/// An animation of any value, of which only the numbers are missing.
///
/// A number is found by the place of its step in the recipe and its index in the value, so that the animation of one
/// number is that of the same number of a value.
indirect enum ValueRecipe {
  case by(Int, seconds: Double, Curve)
  case to(Int, seconds: Double, Curve)
  case fromTo(Int, Int, seconds: Double, Curve)
  case keyframes([(share: Double, number: Int, curve: Curve)], seconds: Double)
  case delay(Double)
  case sequence([ValueRecipe])
  case parallel([ValueRecipe])
  case repeated(ValueRecipe, Int)
  case endless(ValueRecipe)
  case reversed(ValueRecipe)
  case autoreversed(ValueRecipe)
  case speed(ValueRecipe, Double)

  /// - Parameter value: Returns the value of a step.
  func animation<Value>(_ value: (Int) -> Value) -> ValueAnimation<Value> {
    switch self {
    case .by(let step, let seconds, let curve):
      .by(value(step), duration: .seconds(seconds), curve: curve)
    case .to(let step, let seconds, let curve):
      .to(value(step), duration: .seconds(seconds), curve: curve)
    case .fromTo(let first, let last, let seconds, let curve):
      .from(value(first), to: value(last), duration: .seconds(seconds), curve: curve)
    case .keyframes(let frames, let seconds):
      .keyframes(
        ValueKeyframes(
          frames.map { .init(share: $0.share, value: value($0.number), curve: $0.curve) },
          duration: .seconds(seconds)))
    case .delay(let seconds): .delay(.seconds(seconds))
    case .sequence(let parts): .sequence(parts.map { $0.animation(value) })
    case .parallel(let parts): .parallel(parts.map { $0.animation(value) })
    case .repeated(let part, let count): part.animation(value).repeated(count)
    case .endless(let part): part.animation(value).repeatedForever()
    case .reversed(let part): part.animation(value).reversed()
    case .autoreversed(let part): part.animation(value).autoreversed()
    case .speed(let part, let factor): part.animation(value).speed(factor)
    }
  }

  /// Returns the animation of the x of a pose.
  func animationOfX(_ value: (Int) -> Double) -> Animation {
    switch self {
    case .by(let step, let seconds, let curve):
      .move(by: PixelOffset(x: value(step), y: 0), duration: .seconds(seconds), curve: curve)
    case .to(let step, let seconds, let curve):
      .move(to: PixelOffset(x: value(step), y: 0), duration: .seconds(seconds), curve: curve)
    case .fromTo(let first, let last, let seconds, let curve):
      .move(
        from: PixelOffset(x: value(first), y: 0), to: PixelOffset(x: value(last), y: 0),
        duration: .seconds(seconds), curve: curve)
    case .keyframes(let frames, let seconds):
      .keyframes(
        Keyframes(
          frames.map {
            .init(
              share: $0.share, pose: Pose(offset: PixelOffset(x: value($0.number), y: 0)),
              channels: .offset, curve: $0.curve)
          }, duration: .seconds(seconds)))
    case .delay(let seconds): .delay(.seconds(seconds))
    case .sequence(let parts): .sequence(parts.map { $0.animationOfX(value) })
    case .parallel(let parts): .parallel(parts.map { $0.animationOfX(value) })
    case .repeated(let part, let count): part.animationOfX(value).repeated(count)
    case .endless(let part): part.animationOfX(value).repeatedForever()
    case .reversed(let part): part.animationOfX(value).reversed()
    case .autoreversed(let part): part.animationOfX(value).autoreversed()
    case .speed(let part, let factor): part.animationOfX(value).speed(factor)
    }
  }
}

extension RandomAnimations {
  /// Returns a recipe.
  ///
  /// - Parameters:
  ///   - onlyBy: Whether every step adds, so that it can be undone.
  ///   - depth: Maximum levels of nested compositions.
  mutating func recipe(onlyBy: Bool = false, depth: Int = 3) -> ValueRecipe {
    let kind = count(0...(depth == 0 ? 4 : 13))
    switch kind {
    case 0: return .delay(number(0...0.5))
    case 1 where !onlyBy: return .to(count(0...9), seconds: number(0.05...1.5), smoothCurve())
    case 2 where !onlyBy:
      return .fromTo(count(0...9), count(0...9), seconds: number(0.05...1.5), smoothCurve())
    case 3 where !onlyBy:
      return .keyframes(
        (0..<count(1...4)).map { _ in (number(0...1), count(0...9), smoothCurve()) },
        seconds: number(0.1...2))
    case 5, 6: return .sequence(recipes(onlyBy, depth))
    case 7, 8: return .parallel(recipes(onlyBy, depth))
    case 9: return .repeated(recipe(onlyBy: onlyBy, depth: depth - 1), count(0...4))
    case 10: return .reversed(recipe(onlyBy: onlyBy, depth: depth - 1))
    case 11: return .autoreversed(recipe(onlyBy: onlyBy, depth: depth - 1))
    case 12: return .speed(recipe(onlyBy: onlyBy, depth: depth - 1), number(0.3...3))
    case 13 where !onlyBy: return .endless(recipe(depth: depth - 1))
    default: return .by(count(0...9), seconds: number(0.05...1.5), smoothCurve())
    }
  }

  private mutating func recipes(_ onlyBy: Bool, _ depth: Int) -> [ValueRecipe] {
    (0..<count(1...4)).map { _ in recipe(onlyBy: onlyBy, depth: depth - 1) }
  }

  /// Returns a curve from 0 to 1 without a jump.
  private mutating func smoothCurve() -> Curve {
    switch count(0...3) {
    case 0: .linear
    case 1: .easeInOut
    case 2:
      .points(
        PointCurve(stops: [.init(output: 0), .init(output: number(0...1)), .init(output: 1)]))
    default: .spring(response: .seconds(number(0.1...1)), damping: number(0.3...2))
    }
  }
}
