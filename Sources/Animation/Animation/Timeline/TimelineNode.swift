// SPDX-License-Identifier: Apache-2.0

/// A part of a compiled animation, with what is known about it in advance.
struct TimelineNode: Sendable {
  enum Kind: Sendable {
    /// Changes the pose itself.
    case leaf(TimelineLeaf)
    /// `links[first..<first + count]`, in the order of their starts.
    case sequence(first: Int, count: Int)
    case parallel(first: Int, count: Int)
    /// `returns`: whether each pass leaves the pose as it was; passes need not be counted then.
    case repeated(child: Int, returns: Bool)
    /// The child, which has an end, played from its end to its start. `undo`: reverts the effect of
    /// the child in the channels where it only adds and multiplies.
    case reversed(child: Int, undo: PoseMap)
    case autoreversed(child: Int)
    case speed(child: Int, factor: Double)
  }

  var kind: Kind
  /// In seconds, 0 or more; `.infinity` for a part without an end.
  var durationSeconds: Double
  /// The immediate effect on the pose at the start: the identity, except for parts that start with
  /// a jump.
  var begin: PoseMap
  /// The effect on the pose at the end.
  var effect: PoseMap
  var channels: PoseChannels
  /// The channels that end at a fixed value, wherever they start.
  var targets: PoseChannels
}

/// A child of a node and its start within the parent.
struct TimelineLink: Sendable {
  var node: Int
  var startSeconds: Double
  /// In a sequence: the effect of the children before this one.
  var before: PoseMap
}
