/// A part of an animation with what is known of it beforehand.
struct TimelineNode: Sendable {
  enum Kind: Sendable {
    /// Changes the pose itself.
    case leaf(TimelineLeaf)
    /// `links[first..<first + count]`, in the order of their starts.
    case sequence(first: Int, count: Int)
    case parallel(first: Int, count: Int)
    /// `returns`: each pass leaves the pose as it was, so that they need not be counted.
    case repeated(child: Int, returns: Bool)
    /// The child from its end to its start; it has an end. `undo`: what takes back what the child has
    /// done, where it only adds and multiplies.
    case reversed(child: Int, undo: PoseMap)
    case autoreversed(child: Int)
    case speed(child: Int, factor: Double)
  }

  var kind: Kind
  /// 0 or more; `.infinity` where it has no end.
  var durationSeconds: Double
  /// What it makes of the pose at once when it begins: nothing, but for what begins elsewhere.
  var begin: PoseMap
  /// What it has made of the pose at its end.
  var effect: PoseMap
  var channels: PoseChannels
  /// Those that go to a value wherever they began.
  var targets: PoseChannels
}

/// A child and when it begins, within its parent.
struct TimelineLink: Sendable {
  var node: Int
  var startSeconds: Double
  /// In a sequence: what the children before have made of the pose.
  var before: PoseMap
}
