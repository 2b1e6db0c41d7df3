// SPDX-License-Identifier: Apache-2.0

/// A position in a stream. A value: copies advance independently.
package struct StreamCursor: Sendable {
  private indirect enum Place: Sendable {
    case list([Animation], next: Int)
    case concat([AnimationStream], next: Int, current: Place?)
    case take(Place, left: Int)
    case delayed(Place, seconds: Double)
    /// `animations`: how many this pass has returned. `seconds`: how long they took.
    case forever(AnimationStream, current: Place, animations: Int, seconds: Double)
    case flat(Place?, next: @Sendable (AnimationEnding) -> Animation?)
  }

  private var place: Place

  package init(_ stream: AnimationStream) {
    place = Self.beginning(of: stream)
  }

  /// Returns the next animation; nil at the end of the stream, after which it must not be called
  /// again.
  ///
  /// - Parameter ending: The ending of the animation that the last call returned. For the first
  ///   call, the pose at the start of the stream.
  package mutating func next(after ending: AnimationEnding) -> Animation? {
    Self.next(&place, after: ending)
  }

  private static func beginning(of stream: AnimationStream) -> Place {
    switch stream.kind {
    case .list(let animations): .list(animations, next: 0)
    case .concat(let streams): .concat(streams, next: 0, current: nil)
    case .take(let stream, let count): .take(beginning(of: stream), left: count)
    case .delayed(let stream, let seconds): .delayed(beginning(of: stream), seconds: seconds)
    case .forever(let stream):
      .forever(stream, current: beginning(of: stream), animations: 0, seconds: 0)
    case .flat(let stream, let next): .flat(beginning(of: stream), next: next)
    }
  }

  private static func next(_ place: inout Place, after ending: AnimationEnding) -> Animation? {
    switch place {
    case .list(let animations, let next):
      guard next < animations.count else { return nil }
      place = .list(animations, next: next + 1)
      return animations[next]

    case .concat(let streams, var next, var current):
      while true {
        if var inner = current {
          if let animation = Self.next(&inner, after: ending) {
            place = .concat(streams, next: next, current: inner)
            return animation
          }
        }
        guard next < streams.count else { return nil }
        current = beginning(of: streams[next])
        next += 1
      }

    case .take(var inner, let left):
      // Animations after the limit are not pulled.
      guard left > 0, let animation = Self.next(&inner, after: ending) else { return nil }
      place = .take(inner, left: left - 1)
      return animation

    case .delayed(var inner, let seconds):
      guard let animation = Self.next(&inner, after: ending) else { return nil }
      place = inner
      return .sequence([.delay(seconds: seconds), animation])

    case .forever(let stream, var current, var animations, var seconds):
      if animations > 0 { seconds += ending.seconds }
      if let animation = Self.next(&current, after: ending) {
        place = .forever(stream, current: current, animations: animations + 1, seconds: seconds)
        return animation
      }
      // A pass without a duration would repeat forever within one frame.
      guard animations > 0, seconds > 0, !ending.isSkipped else { return nil }
      current = beginning(of: stream)
      animations = 1
      guard let animation = Self.next(&current, after: ending) else { return nil }
      place = .forever(stream, current: current, animations: animations, seconds: 0)
      return animation

    case .flat(let inner, let next):
      if var inner, let animation = Self.next(&inner, after: ending) {
        place = .flat(inner, next: next)
        return animation
      }
      place = .flat(nil, next: next)
      return next(ending)
    }
  }
}
