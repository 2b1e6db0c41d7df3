// SPDX-License-Identifier: Apache-2.0

/// What a stream plays at one time.
enum StreamElement: Sendable {
  case animation(Animation)
  /// Streams that play at once.
  case merged([AnimationStream])

  var streams: [AnimationStream] {
    switch self {
    case .animation(let animation): [AnimationStream(animation)]
    case .merged(let streams): streams
    }
  }
}

/// A position in a stream. A value: copies advance independently.
struct StreamCursor: Sendable {
  private indirect enum Place: Sendable {
    case list([Animation], next: Int)
    case concat(AppendableList<AnimationStream>, next: Int, current: Place?)
    case merge([AnimationStream])
    case zip(Place, Place)
    case take(Place, left: Int)
    case takeWhile(Place, condition: @Sendable (AnimationEnding) -> Bool)
    case delayed(Place, seconds: Double)
    /// `elements`: how many this pass has returned. `seconds`: how long they took.
    case forever(AnimationStream, current: Place, elements: Int, seconds: Double)
    case flat(Place?, next: @Sendable (AnimationEnding) -> Animation?)
    case flatMap(Place, transform: @Sendable (Animation) -> AnimationStream, current: Place?)
    case ended
  }

  private var place: Place

  /// The most streams without an animation in a row by which `flatMap` replaces animations; an endless stream of them
  /// ends.
  private static let maxEmptyStreams = 1000

  init(_ stream: AnimationStream) {
    place = Self.beginning(of: stream)
  }

  /// Returns the next element; nil at the end of the stream, after which it must not be called
  /// again.
  ///
  /// - Parameter ending: The ending of the element that the last call returned. For the first
  ///   call, the pose at the start of the stream.
  mutating func next(after ending: AnimationEnding) -> StreamElement? {
    Self.next(&place, after: ending)
  }

  private static func beginning(of stream: AnimationStream) -> Place {
    switch stream.kind {
    case .list(let animations): .list(animations, next: 0)
    case .concat(let streams): .concat(streams, next: 0, current: nil)
    case .merge(let streams): .merge(streams)
    case .zip(let first, let second): .zip(beginning(of: first), beginning(of: second))
    case .take(let stream, let count): .take(beginning(of: stream), left: count)
    case .takeWhile(let stream, let condition):
      .takeWhile(beginning(of: stream), condition: condition)
    case .delayed(let stream, let seconds): .delayed(beginning(of: stream), seconds: seconds)
    case .forever(let stream):
      .forever(stream, current: beginning(of: stream), elements: 0, seconds: 0)
    case .flat(let stream, let next): .flat(beginning(of: stream), next: next)
    case .flatMap(let stream, let transform):
      .flatMap(beginning(of: stream), transform: transform, current: nil)
    }
  }

  private static func next(_ place: inout Place, after ending: AnimationEnding) -> StreamElement? {
    switch place {
    case .list(let animations, let next):
      guard next < animations.count else { return nil }
      place = .list(animations, next: next + 1)
      return .animation(animations[next])

    case .concat(let streams, var next, var current):
      while true {
        if var inner = current, let element = Self.next(&inner, after: ending) {
          place = .concat(streams, next: next, current: inner)
          return element
        }
        guard next < streams.count else { return nil }
        current = beginning(of: streams[next])
        next += 1
      }

    case .merge(let streams):
      place = .ended
      return .merged(streams)

    case .zip(var first, var second):
      guard let one = Self.next(&first, after: ending),
        let other = Self.next(&second, after: ending)
      else { return nil }
      place = .zip(first, second)
      return .merged(one.streams + other.streams)

    case .take(var inner, let left):
      // Animations after the limit are not pulled.
      guard left > 0, let element = Self.next(&inner, after: ending) else { return nil }
      place = .take(inner, left: left - 1)
      return element

    case .takeWhile(var inner, let condition):
      guard condition(ending), let element = Self.next(&inner, after: ending) else { return nil }
      place = .takeWhile(inner, condition: condition)
      return element

    case .delayed(var inner, let seconds):
      guard let element = Self.next(&inner, after: ending) else { return nil }
      place = inner
      return element.delayed(seconds: seconds)

    case .forever(let stream, var current, var elements, var seconds):
      if elements > 0 { seconds += ending.seconds }
      if let element = Self.next(&current, after: ending) {
        place = .forever(stream, current: current, elements: elements + 1, seconds: seconds)
        return element
      }
      // A pass without a duration would repeat forever within one frame.
      guard elements > 0, seconds > 0, !ending.isSkipped else { return nil }
      current = beginning(of: stream)
      elements = 1
      guard let element = Self.next(&current, after: ending) else { return nil }
      place = .forever(stream, current: current, elements: elements, seconds: 0)
      return element

    case .flat(let inner, let next):
      if var inner, let element = Self.next(&inner, after: ending) {
        place = .flat(inner, next: next)
        return element
      }
      place = .flat(nil, next: next)
      return next(ending).map(StreamElement.animation)

    case .flatMap(var source, let transform, var current):
      for _ in 0..<maxEmptyStreams {
        if var inner = current, let element = Self.next(&inner, after: ending) {
          place = .flatMap(source, transform: transform, current: inner)
          return element
        }
        switch Self.next(&source, after: ending) {
        case .animation(let animation): current = beginning(of: transform(animation))
        case .merged(let streams):
          current = nil
          place = .flatMap(source, transform: transform, current: nil)
          return .merged(streams.map { $0.flatMap(transform) })
        case nil: return nil
        }
      }
      return nil

    case .ended: return nil
    }
  }
}

extension StreamElement {
  fileprivate func delayed(seconds: Double) -> StreamElement {
    switch self {
    case .animation(let animation): .animation(.sequence([.delay(seconds: seconds), animation]))
    case .merged(let streams): .merged(streams.map { $0.delayed(seconds: seconds) })
    }
  }
}
