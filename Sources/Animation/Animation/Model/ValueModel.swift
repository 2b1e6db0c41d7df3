// SPDX-License-Identifier: Apache-2.0

/// A change of a value whose numbers all change together.
public enum _ValueChange<Value: Animatable>: Equatable, Sendable {
  /// Adds a value.
  case by(Value)
  /// Goes to a value.
  case to(Value)
}

/// How animations compute with a value whose numbers all change together.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
public enum _ValueModel<Value: Animatable>: _AnimationModel {
  public typealias Change = _ValueChange<Value>
  public typealias Map = _ValueMap<Value>
  public typealias Track = _ValueTrack<Value>

  public static var rest: Value { .zero }
  public static func clamped(_ value: Value, to bound: Double) -> Value { value }
  public static func change(by value: Value) -> Change? { .by(value) }
  public static func change(to value: Value) -> Change? { .to(value) }

  public static func clamped(_ change: Change) -> Change { change }
  public static func channels(of change: Change) -> PoseChannels { .all }

  public static func targets(of change: Change) -> PoseChannels {
    switch change {
    case .by: []
    case .to: .all
    }
  }

  public static func way(of change: Change) -> Value? {
    switch change {
    case .by(let value): value
    case .to: nil
    }
  }

  public static func map(of change: Change, at progress: Double) -> Map {
    switch change {
    case .by(let value): .adding(value.scaled(by: progress))
    case .to(let value): Map(factor: 1 - progress, term: value.scaled(by: progress))
    }
  }

  public static func value(of change: Change, at progress: Double, from start: Value) -> Value {
    map(of: change, at: progress).apply(start)
  }

  public static func slope(
    of change: Change, at progress: () -> Double, from start: Value
  ) -> Value {
    switch change {
    case .by(let value): value
    case .to(let value): value.minus(start)
    }
  }

  public static func restSeconds(
    of spring: Spring, distance: Value, velocity: Value, restDistance: Double
  ) -> Double {
    guard distance.distanceFromZero != nil else { return spring.typicalRestSeconds }
    return spring.restSeconds(
      distance: distance, velocity: velocity, within: RestLimit(distance: restDistance),
      length: { $0.distanceFromZero ?? 0 })
  }

  public static func settled(
    distance: Value, velocity: Value, on spring: Spring
  ) -> (distance: Value, velocity: Value) { (distance, velocity) }

  public static func replacing(_ value: Value, byFinite other: Value) -> Value {
    // Infinity and NaN multiplied by 0 are NaN.
    other.scaled(by: 0) == .zero ? other : value
  }
}

/// `factor * value + term`.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
public struct _ValueMap<Value: Animatable>: _EffectMap {
  let factor: Double
  let term: Value

  init(factor: Double, term: Value) {
    self.factor = factor.clamped(to: .partBound)
    self.term = term
  }

  public static var identity: Self { Self(factor: 1, term: .zero) }
  public static func adding(_ value: Value) -> Self { Self(factor: 1, term: value) }

  public var turns: Bool { false }

  public func apply(_ value: Value) -> Value {
    // What a target replaces may be infinite.
    if factor == 0 { return term }
    return (factor == 1 ? value : value.scaled(by: factor)) + term
  }

  public func apply(toVelocity velocity: Value) -> Value { velocity.scaled(by: factor) }

  public func then(_ next: Self) -> Self {
    Self(factor: factor * next.factor, term: next.apply(term))
  }

  public func alongside(_ other: Self) -> Self {
    Self(factor: factor + other.factor - 1, term: term + other.term)
  }

  public func inverse(except targets: PoseChannels) -> Self {
    guard targets.isEmpty, factor.magnitude > 1e-9 else { return .identity }
    return Self(factor: 1 / factor, term: term.scaled(by: -1 / factor))
  }
}

/// Keyframes of a value whose numbers all change together.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
public struct _ValueTrack<Value: Animatable>: _KeyframeTrack {
  private let lane: KeyframeLane<Value>

  public init(_ frames: [ValueKeyframes<Value>.Frame]) {
    lane = KeyframeLane(
      frames.inOrder().map { KeyframeLane.Stop(share: $0.share, value: $0.value, curve: $0.curve) })
  }

  public var channels: PoseChannels { lane.isEmpty ? [] : .all }
  public var begin: _ValueMap<Value> { map(lane.begin) }
  public var effect: _ValueMap<Value> { map(lane.end) }

  public func value(at share: Double, _ durationSeconds: Double, from start: Value) -> Value {
    lane.place(at: share, durationSeconds).value(from: start)
  }

  public func velocity(at share: Double, _ durationSeconds: Double, from start: Value) -> Value {
    lane.pace(at: share, durationSeconds).difference(from: start)
  }

  private func map(_ target: Value?) -> _ValueMap<Value> {
    target.map { _ValueMap(factor: 0, term: $0) } ?? .identity
  }
}
