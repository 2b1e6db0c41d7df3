// SPDX-License-Identifier: Apache-2.0

/// How a part of a compiled animation plays. Without the values, so that a frame copies nothing that is counted.
enum TimelinePart: Sendable {
  /// Changes nothing.
  case delay
  /// `steps[index]` changes the value.
  case step(Int)
  /// `keyframes[index]`
  case keyframes(Int)
  /// `tracks[index]`
  case track(Int)
  /// `links[first..<first + count]`, in the order of their starts.
  case sequence(first: Int, count: Int)
  case parallel(first: Int, count: Int)
  /// `returns`: whether each pass leaves the value as it was; passes need not be counted then.
  case repeated(child: Int, returns: Bool)
  /// The child, which has an end, played from its end to its start. `undos[undo]` reverts the effect of
  /// the child in the channels where it only adds and multiplies.
  case reversed(child: Int, undo: Int)
  case autoreversed(child: Int)
  case speed(child: Int, factor: Double)
}

/// A part of a compiled animation, with what is known about it in advance.
struct TimelineNode<Value: Animatable>: Sendable {
  var kind: TimelinePart
  /// In seconds, 0 or more; `.infinity` for a part without an end.
  var durationSeconds: Double
  /// The immediate effect on the value at the start: the identity, except for parts that start with
  /// a jump.
  var begin: Value._Model.Map
  /// The effect on the value at the end.
  var effect: Value._Model.Map
  var channels: PoseChannels
  /// The channels that end at a fixed value, wherever they start.
  var targets: PoseChannels
}

/// A child of a node and its start within the parent.
struct TimelineLink<Value: Animatable>: Sendable {
  var node: Int
  var startSeconds: Double
  /// In a sequence: the effect of the children before this one.
  var before: Value._Model.Map
}
