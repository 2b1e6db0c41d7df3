// SPDX-License-Identifier: Apache-2.0

// What a timeline and a spring need to know of a value beyond its sum and its multiple. Types that an associated type of
// a public protocol names are public; these are not for other modules, which the underscores say.
//
// A timeline is compiled once, from the leaves to the root. Each part gets its `Map`: how the value at its end depends on
// the value at its start. A frame then descends from the root to the leaves of its time. On the way it applies the maps
// of the parts that are over, and at the leaf the change, the keyframes or the track that runs.
//
// The protocols document the members, their implementations do not repeat that.
//
// Of an ordinary value, all numbers change together (`_ValueModel`). Those of a pose do not: a step changes some of its
// channels, a scale multiplies, and a rotation about an anchor also moves (`_PoseModel`).

/// How animations compute with a type of values.
public protocol _AnimationModel {
  /// The type.
  associatedtype Value: Animatable
  /// What a step changes.
  associatedtype Change: Equatable, Sendable
  /// The effect of a part.
  associatedtype Map: _EffectMap where Map.Value == Value
  /// Keyframes, ready to play.
  associatedtype Track: _KeyframeTrack where Track.Value == Value, Track.Map == Map

  /// The value without any animation.
  static var rest: Value { get }
  /// Returns the value with its numbers clamped to -bound...bound, if the type can.
  static func clamped(_ value: Value, to bound: Double) -> Value
  /// Returns the change that adds a value; nil if the type has no such change.
  static func change(by value: Value) -> Change?
  /// Returns the change to a value; nil if the type has no such change.
  static func change(to value: Value) -> Change?

  /// Returns the change with numbers that a timeline can compute with.
  static func clamped(_ change: Change) -> Change
  /// Returns the channels that a change affects. Values that are not poses have all or none.
  static func channels(of change: Change) -> PoseChannels
  /// Returns the channels that end at a fixed value, wherever they start.
  static func targets(of change: Change) -> PoseChannels
  /// Returns the way that a change takes; nil if that depends on its start.
  static func way(of change: Change) -> Value?
  /// Returns the value at a progress as a map of the value at the start.
  static func map(of change: Change, at progress: Double) -> Map
  /// Returns the value at a progress.
  static func value(of change: Change, at progress: Double, from start: Value) -> Value
  /// Returns the change of the value per progress.
  static func slope(of change: Change, at progress: () -> Double, from start: Value) -> Value

  /// Returns the seconds after which a spring is at rest for good.
  static func restSeconds(
    of spring: Spring, distance: Value, velocity: Value, restDistance: Double
  ) -> Double
  /// Returns the motion of a spring, with the numbers that are at rest at their target.
  static func settled(
    distance: Value, velocity: Value, on spring: Spring
  ) -> (distance: Value, velocity: Value)
  /// Returns a value with those numbers of another one that are finite.
  static func replacing(_ value: Value, byFinite other: Value) -> Value
}

/// The value at the end of a part as a function of the value at its start.
public protocol _EffectMap: Equatable, Sendable {
  /// The type of values.
  associatedtype Value: Animatable

  /// No effect.
  static var identity: Self { get }
  /// Returns the effect of adding a value.
  static func adding(_ value: Value) -> Self
  /// Whether the effect of two such maps depends on their order even where they only add.
  var turns: Bool { get }
  /// Returns the value at the end.
  func apply(_ value: Value) -> Value
  /// Returns the velocity at the end of a value that has a velocity at the start.
  func apply(toVelocity velocity: Value) -> Value
  /// Returns the effect of this map followed by another.
  func then(_ next: Self) -> Self
  /// Returns the effect of both maps from the same start: their differences add.
  func alongside(_ other: Self) -> Self
  /// Returns the map that undoes this one, in the channels that do not end at a fixed value.
  func inverse(except targets: PoseChannels) -> Self
}

extension _EffectMap {
  /// Returns the effect of `count` repetitions, by squaring: 30 steps for 10^9, and exact for maps
  /// that only add.
  func repeated(_ count: Int) -> Self {
    var result = Self.identity
    var power = self
    var left = count
    while left > 0 {
      if left & 1 == 1 { result = result.then(power) }
      left >>= 1
      if left > 0 { power = power.then(power) }
    }
    return result
  }
}

/// The motion through keyframes.
public protocol _KeyframeTrack: Sendable {
  /// The type of values.
  associatedtype Value: Animatable
  /// The type of effects.
  associatedtype Map: _EffectMap

  /// Creates a track; the frames are in any order.
  init(_ frames: [ValueKeyframes<Value>.Frame])
  /// The channels that it changes.
  var channels: PoseChannels { get }
  /// The immediate effect at the start: a jump to the keyframes at 0.
  var begin: Map { get }
  /// The effect at the end.
  var effect: Map { get }
  /// Returns the value at a share of the duration, in 0..<1.
  func value(at share: Double, _ durationSeconds: Double, from start: Value) -> Value
  /// Returns the change of the value per second at a share of the duration, in 0..<1.
  func velocity(at share: Double, _ durationSeconds: Double, from start: Value) -> Value
}
