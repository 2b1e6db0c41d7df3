// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxMotion

@testable import ParallaxAnimation

/// Plays an animation literally and slowly, part after part from the start, without bisection,
/// division or precomputation. The reference for `Timeline`.
enum ReferencePlayer {
  /// - Parameter seconds: 0 or more.
  static func pose(_ animation: Animation, at seconds: Double, from start: Pose) -> Pose {
    if seconds >= duration(animation) { return end(animation, from: start) }
    switch animation.content {
    case .empty, .delay: return start
    case .track(let reference): return start + reference.track.difference(at: seconds)
    case .step(let step):
      let duration = duration(animation)
      return change(
        step.change, step.curve.value(at: seconds / duration, durationSeconds: duration), start)
    case .keyframes(let keyframes):
      return pose(keyframes, at: seconds / keyframes.durationSeconds, from: start)
    case .sequence(let children):
      var (left, pose) = (seconds, start)
      for child in children {
        let duration = duration(child)
        if left < duration { return Self.pose(child, at: left, from: pose) }
        left -= duration
        pose = end(child, from: pose)
      }
      return pose
    case .parallel(let children):
      return children.reduce(start) { $0 + pose($1, at: seconds, from: start) - start }
    case .repeated(let child, _):
      var (left, pose) = (seconds, start)
      while left >= duration(child) {
        left -= duration(child)
        pose = end(child, from: pose)
      }
      return Self.pose(child, at: left, from: pose)
    case .reversed(let child):
      if let parts = partsBackward(child) { return pose(parts, at: seconds, from: start) }
      return undo(child, pose(child, at: duration(child) - seconds, from: start))
    case .autoreversed(let child):
      let way = duration(child)
      return pose(child, at: seconds < way ? seconds : 2 * way - seconds, from: start)
    case .speed(let child, let factor): return pose(child, at: seconds * factor, from: start)
    }
  }

  static func end(_ animation: Animation, from start: Pose) -> Pose {
    switch animation.content {
    case .empty, .delay, .repeated(_, count: .forever): return start
    case .track(let reference):
      return start + reference.track.difference(at: reference.track.durationSeconds)
    case .step(let step):
      return change(step.change, step.curve.value(at: 1, durationSeconds: 1), start)
    case .keyframes(let keyframes): return pose(keyframes, at: 1, from: start)
    case .sequence(let children):
      var pose = start
      for child in children {
        pose = end(child, from: pose)
        if duration(child) == .infinity { break }
      }
      return pose
    case .parallel(let children):
      return children.reduce(start) { $0 + end($1, from: start) - start }
    case .repeated(let child, .times(let count)):
      return (0..<count).reduce(start) { pose, _ in end(child, from: pose) }
    case .reversed(let child):
      if let parts = partsBackward(child) { return end(parts, from: start) }
      return undo(child, beginning(child, from: start))
    case .autoreversed(let child): return beginning(child, from: start)
    case .speed(let child, _): return end(child, from: start)
    }
  }

  static func duration(_ animation: Animation) -> Double {
    switch animation.content {
    case .empty: 0
    case .track(let reference): reference.track.durationSeconds
    case .delay(let seconds): seconds
    case .step(let step): step.durationSeconds ?? step.curve.naturalSeconds(for: step.change)
    case .keyframes(let keyframes): keyframes.durationSeconds
    case .sequence(let children): children.map(duration).reduce(0, +)
    case .parallel(let children): children.map(duration).max() ?? 0
    case .repeated(let child, .times(let count)):
      (0..<count).reduce(0) { sum, _ in sum + duration(child) }
    case .repeated(let child, .forever): duration(child) == 0 ? 0 : .infinity
    case .reversed(let child): duration(child)
    case .autoreversed(let child): duration(child) + duration(child)
    case .speed(let child, let factor): duration(child) / factor
    }
  }

  // MARK: - Steps

  private static func change(
    _ change: PoseChange, _ progress: Double, _ start: Pose
  ) -> Pose {
    func mixed(_ from: Double, _ to: Double) -> Double { from + (to - from) * progress }
    var pose = start
    switch change {
    case .moveBy(let px):
      pose.offset = PixelOffset(
        x: start.offset.x + px.x * progress, y: start.offset.y + px.y * progress)
    case .moveTo(let px):
      pose.offset = PixelOffset(x: mixed(start.offset.x, px.x), y: mixed(start.offset.y, px.y))
    case .rotateBy(let degrees): pose.rotationDegrees += degrees * progress
    case .rotateTo(let degrees): pose.rotationDegrees = mixed(start.rotationDegrees, degrees)
    case .pivotBy(let degrees, let anchor):
      pose.rotationDegrees += degrees * progress
      turn(&pose, from: start, about: anchor)
    case .pivotTo(let degrees, let anchor):
      pose.rotationDegrees = mixed(start.rotationDegrees, degrees)
      turn(&pose, from: start, about: anchor)
    case .scaleBy(let factor):
      pose.scale = mixed(start.scale, start.scale * factor)
      pose.scaleY = mixed(start.scaleY, start.scaleY * factor)
    case .scaleTo(let scale):
      pose.scale = mixed(start.scale, scale)
      pose.scaleY = mixed(start.scaleY, scale)
    case .stretchBy(let x, let y):
      pose.scale = mixed(start.scale, start.scale * x)
      pose.scaleY = mixed(start.scaleY, start.scaleY * y)
    case .stretchTo(let x, let y):
      pose.scale = mixed(start.scale, x)
      pose.scaleY = mixed(start.scaleY, y)
    case .fadeTo(let opacity): pose.opacity = mixed(start.opacity, opacity)
    }
    return pose
  }

  /// Moves the anchor, a point of the layer, back to where it was.
  private static func turn(_ pose: inout Pose, from start: Pose, about anchor: PixelOffset) {
    func place(_ pose: Pose) -> (x: Double, y: Double) {
      let radians = pose.rotationDegrees * .pi / 180
      return (
        pose.offset.x + cos(radians) * anchor.x - sin(radians) * anchor.y,
        pose.offset.y + sin(radians) * anchor.x + cos(radians) * anchor.y
      )
    }
    let (before, after) = (place(start), place(pose))
    pose.offset.x += before.x - after.x
    pose.offset.y += before.y - after.y
  }

  private static func pose(_ keyframes: Keyframes, at share: Double, from start: Pose) -> Pose {
    var pose = start
    for channel in PoseChannel.allCases {
      let frames = keyframes.frames.filter { $0.channels.contains(channel.setting) }
      if frames.isEmpty { continue }
      let before = frames.last { $0.share <= share }
      let after = frames.first { $0.share > share }
      let (from, to) = (before?.pose[channel], after?.pose[channel])
      let (begin, end) = (before?.share ?? 0, after?.share ?? 1)
      if begin >= 1, let from {
        pose[channel] = from
        continue
      }
      let progress = (after?.curve ?? .linear).value(
        at: (share - begin) / (end - begin),
        durationSeconds: (end - begin) * keyframes.durationSeconds)
      pose[channel] = (from ?? start[channel]) * (1 - progress) + (to ?? start[channel]) * progress
    }
    return pose
  }

  // MARK: - Backward

  /// An endless animation cannot play from its end: its parts run backward instead.
  private static func partsBackward(_ animation: Animation) -> Animation? {
    if case .reversed(let child) = animation.content { return child }
    guard duration(animation) == .infinity else { return nil }
    switch animation.content {
    case .sequence(let children): return .sequence(children.reversed().map { .reversed($0) })
    case .parallel(let children): return .parallel(children.map { .reversed($0) })
    case .repeated(let child, let count): return .repeated(.reversed(child), count: count)
    case .speed(let child, let factor): return .speed(.reversed(child), factor: factor)
    default: return animation
    }
  }

  /// Returns the pose just after the start of an animation.
  private static func beginning(_ animation: Animation, from start: Pose) -> Pose {
    switch animation.content {
    case .step(let step):
      if case .steps = step.curve { return start }
      return duration(animation) > 0 ? pose(animation, at: 0, from: start) : start
    case .sequence(let children):
      return children.first.map { beginning($0, from: start) } ?? start
    case .parallel(let children):
      return children.reduce(start) { $0 + beginning($1, from: start) - start }
    case .repeated(let child, _):
      return duration(animation) > 0 ? beginning(child, from: start) : start
    case .reversed(let child):
      if let parts = partsBackward(child) { return beginning(parts, from: start) }
      return undo(child, end(child, from: start))
    case .autoreversed(let child), .speed(let child, _): return beginning(child, from: start)
    case .keyframes(let keyframes):
      guard keyframes.durationSeconds > 0 else { return start }
      var pose = start
      for frame in keyframes.frames where frame.share == 0 {
        for channel in PoseChannel.allCases where frame.channels.contains(channel.setting) {
          pose[channel] = frame.pose[channel]
        }
      }
      return pose
    case .track(let reference):
      return duration(animation) > 0 ? start + reference.track.difference(at: 0) : start
    case .empty, .delay: return start
    }
  }

  /// Undoes an animation in the channels without a target. Their end is `factor * start + term`,
  /// which two starts determine.
  private static func undo(_ animation: Animation, _ pose: Pose) -> Pose {
    let term = end(animation, from: .zero)
    let ones = Pose(offset: PixelOffset(x: 1, y: 1), rotationDegrees: 1, scale: 1, opacity: 1)
    let factor = end(animation, from: ones) - term
    var undone = pose
    for channel in PoseChannel.allCases where !hasTarget(animation, channel) {
      if factor[channel].magnitude < 1e-9 { continue }
      undone[channel] = (pose[channel] - term[channel]) / factor[channel]
    }
    return undone
  }

  private static func hasTarget(_ animation: Animation, _ channel: PoseChannel) -> Bool {
    switch animation.content {
    case .empty, .delay, .track: return false
    case .step(let step):
      return switch (step.change, channel) {
      case (.moveTo, .x), (.moveTo, .y), (.rotateTo, .rotation), (.scaleTo, .scale),
        (.scaleTo, .scaleY), (.stretchTo, .scale), (.stretchTo, .scaleY), (.fadeTo, .opacity):
        true
      default: false
      }
    case .keyframes(let keyframes):
      return keyframes.frames.contains { $0.channels.contains(channel.setting) }
    case .sequence(let children), .parallel(let children):
      return children.contains { hasTarget($0, channel) }
    case .repeated(let child, _), .reversed(let child), .autoreversed(let child),
      .speed(let child, _):
      return hasTarget(child, channel)
    }
  }
}

extension PoseChannel {
  /// What a keyframe contains that sets this channel.
  fileprivate var setting: PoseChannels { self == .scaleY ? .scale : PoseChannels(self) }
}
