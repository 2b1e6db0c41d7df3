// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxAnimation
import ParallaxClient
import ParallaxDocuments

// The Swift blocks of docs/from-ios.md, word for word. Their values are held against formulas of this file, which
// uses nothing of the library for them. Tests/Library/run.py builds it as a package of its own.

@main
struct FromIOS {
  static func main() async throws {
    let check = Check()
    try viewAnimation(check)
    try springTiming(check)
    viewKeyframes(check)
    try scrubbing(check)
    try reversalAndStop(check)
    withSpring(check)
    completionCriteria(check)
    phases(check)
    swiftUIKeyframes(check)
    repeating(check)
    ownStep(check)
    try severalViews(check)
    chain(check)
    choices(check)
    together(check)
    await frames(check)
    try document(check)
    try await motion(check)
    check.values([(Double(release.count), 5)])
    check.report()
  }
}

// MARK: - UIKit

func viewAnimation(_ check: Check) throws {
  func print(_ text: String) { check.note(text) }
  let (card, now) = (AnimatedPose(), check.start)
  let animator = PropertyAnimator(
    card, duration: .seconds(0.5), curve: .easeInOut)
  try animator.add(
    .moveBy(PixelOffset(x: 120, y: 0)), .fadeTo(0.5))
  animator.addCompletion { position in
    print("done: \(position)")
  }
  try animator.start(after: .seconds(0.2), at: now)

  check.every(0.05, until: 1) { seconds in
    card.advance(to: check.instant(seconds))
    let progress = bezier(0.42, 0, 0.58, 1, (seconds - 0.2) / 0.5)
    return [(card.pose.offset.x, 120 * progress), (card.pose.opacity, 1 - 0.5 * progress)]
  }
  check.noted("done: end")
}

func springTiming(_ check: Check) throws {
  let (card, now) = (AnimatedPose(), check.start)
  let spring = Spring(
    mass: 1, stiffness: 200, damping: 18,
    initialVelocity: 2)
  let animator = PropertyAnimator(
    card, curve: .spring(spring))
  try animator.add(.moveBy(PixelOffset(x: 0, y: -80)))
  try animator.start(at: now)

  check.every(0.05, until: 0.8) { seconds in
    card.advance(to: check.instant(seconds))
    return [(card.pose.offset.y, -80 * springProgress(200, 18, velocity: 2, seconds))]
  }
  check.every(0.05, from: 1.5, until: 2) { seconds in
    card.advance(to: check.instant(seconds))
    return [(card.pose.offset.y, -80), (card.isMoving ? 1 : 0, 0)]
  }
}

func viewKeyframes(_ check: Check) {
  let animation = Animation.keyframes(
    duration: .seconds(2),
    KeyframeSpan(
      start: 0, duration: 0.25,
      .moveBy(PixelOffset(x: 40, y: 0))),
    KeyframeSpan(
      start: 0.25, duration: 0.75,
      .moveBy(PixelOffset(x: -40, y: 0))),
    KeyframeSpan(
      start: 0.5, duration: 0.5, .fadeTo(0)))

  check.timeline(animation, until: 2) { seconds, pose in
    let x = seconds < 0.5 ? 80 * seconds : 40 - 40 * (seconds - 0.5) / 1.5
    return [(pose.offset.x, x), (pose.opacity, min(1, 2 - seconds))]
  }
}

func scrubbing(_ check: Check) throws {
  func print(_ text: String) { check.note(text) }
  let (card, now) = (AnimatedPose(), check.start)
  let animator = PropertyAnimator(
    card, duration: .seconds(1), curve: .easeInOut)
  try animator.add(.moveBy(PixelOffset(x: 100, y: 0)))
  animator.scrubsLinearly = true
  try animator.scrub(toFraction: 0.3, at: now)
  print("at \(card.pose.offset.x.rounded()) px")
  try animator.continue(durationFactor: 0.5, at: now)

  check.noted("at 30.0 px")
  // It goes on from the time at which the curve is at 0.3, for half a second.
  let place = inverse(0.3) { bezier(0.42, 0, 0.58, 1, $0) }
  check.every(0.05, until: 0.5) { seconds in
    card.advance(to: check.instant(seconds))
    return [
      (card.pose.offset.x, 100 * bezier(0.42, 0, 0.58, 1, place + (1 - place) * seconds / 0.5))
    ]
  }
}

func reversalAndStop(_ check: Check) throws {
  let (card, now) = (AnimatedPose(), check.start)
  let animator = PropertyAnimator(
    card, duration: .seconds(1), curve: .linear)
  try animator.add(.moveBy(PixelOffset(x: 100, y: 0)))
  try animator.start(at: now)
  try animator.add(
    .rotateBy(90), delayFactor: 0.5, at: now)
  try animator.setReversed(
    true, at: now + .milliseconds(750))
  try animator.stop(
    withoutFinishing: true, at: now + .seconds(1))

  // The rotation has the second half: 45 degrees at 0.75 s, and back.
  check.values([(card.pose.offset.x, 50), (card.pose.rotationDegrees, 0)])
  check.values([(animator.phase == .inactive ? 1 : 0, 1), (card.target.offset.x, 50)])
}

// MARK: - SwiftUI

func withSpring(_ check: Check) {
  let now = check.start
  let spin = Spring(duration: .seconds(0.4), bounce: 0.3)
  let dial = SpringAnimator(spin, at: now)
  dial.animate(to: Pose(rotationDegrees: 90), at: now)
  dial.animate(
    to: Pose(rotationDegrees: -90),
    at: now + .milliseconds(100))

  let (k, c) = (246.740_110_027_233_97, 21.991_148_575_128_552)
  let (x, v) = spring(k, c, distance: -90, velocity: 0, 0.1)
  check.every(0.05, from: 0.1, until: 0.6) { seconds in
    dial.advance(to: check.instant(seconds))
    let late = spring(k, c, distance: 90 + x + 90, velocity: v, seconds - 0.1)
    return [(dial.pose.rotationDegrees, -90 + late.x), (dial.velocity.rotationDegrees, late.v)]
  }
}

func completionCriteria(_ check: Check) {
  func print(_ text: String) { check.note(text) }
  let now = check.start
  let dial = SpringAnimator(Spring(duration: .seconds(0.4)), at: now)
  dial.animate(to: Pose(rotationDegrees: 90), at: now)
  dial.addCompletion(.logicallyComplete) { _ in
    print("there")
  }
  dial.addCompletion(.removed) { _ in print("at rest") }

  check.every(0.05, until: 1.5) { seconds in
    dial.advance(to: check.instant(seconds))
    if (seconds - 0.45).magnitude < 1e-9 { check.noted("there") }
    let next = seconds < 0.4 ? now + .milliseconds(400) : nil
    return next == nil ? [] : [(dial.nextEvent == next ? 1 : 0, 1)]
  }
  check.noted("at rest")
}

func phases(_ check: Check) {
  enum Phase: Double, CaseIterable {
    case small = 0.8
    case large = 1.2
    case rest = 1
  }
  let animation = Animation.phases(Phase.allCases) {
    Pose(scale: $0.rawValue)
  } curve: { _ in
    .easeOut
  }

  check.timeline(animation, until: 0.75) { seconds, pose in
    let from = seconds < 0.25 ? 1.0 : seconds < 0.5 ? 0.8 : 1.2
    let to = seconds < 0.25 ? 0.8 : seconds < 0.5 ? 1.2 : 1
    let share = seconds < 0.75 ? (seconds * 4).truncatingRemainder(dividingBy: 1) : 1
    return [(pose.scale, from + (to - from) * bezier(0, 0, 0.58, 1, share))]
  }
}

func swiftUIKeyframes(_ check: Check) {
  let animation = Animation.together {
    Animation {
      Animation.move(
        by: PixelOffset(x: 0, y: -60),
        duration: .seconds(0.3), curve: .easeOut)
      Animation.move(
        by: PixelOffset(x: 0, y: 60),
        duration: .seconds(0.3), curve: .easeIn)
    }
    Animation {
      Animation.rotate(
        to: 30, duration: .seconds(0.2), curve: .linear)
      Animation.rotate(
        to: 0, duration: .seconds(0.4), curve: .linear)
    }
  }

  check.timeline(animation, until: 0.6) { seconds, pose in
    let y =
      seconds < 0.3
      ? -60 * bezier(0, 0, 0.58, 1, seconds / 0.3)
      : -60 + 60 * bezier(0.42, 0, 1, 1, (seconds - 0.3) / 0.3)
    let degrees = seconds < 0.2 ? 150 * seconds : 30 * (0.6 - seconds) / 0.4
    return [(pose.offset.y, y), (pose.rotationDegrees, degrees)]
  }
}

func repeating(_ check: Check) {
  let pulse = Animation.scale(
    to: 1.1, duration: .seconds(0.8), curve: .easeInOut
  )
  .autoreversed()
  .repeatedForever()

  check.timeline(pulse, until: 5) { seconds, pose in
    let within = (seconds / 0.8).truncatingRemainder(dividingBy: 2)
    return [(pose.scale, 1 + 0.1 * bezier(0.42, 0, 0.58, 1, within < 1 ? within : 2 - within))]
  }
}

func ownStep(_ check: Check) {
  let shake = Animation(duration: .seconds(0.4)) { p in
    let x = 10 * (1 - p) * sine(3 * p)
    return Pose(offset: PixelOffset(x: x, y: 0))
  }

  check.timeline(shake, until: 0.4) { seconds, pose in
    let progress = seconds / 0.4
    return [(pose.offset.x, 10 * (1 - progress) * sine(progress * 3))]
  }
}

// MARK: - Declarative

func severalViews(_ check: Check) throws {
  func print(_ text: String) { check.note(text) }
  let (title, button, now) = (AnimatedPose(Pose(opacity: 0)), AnimatedPose(), check.start)
  try animate(
    title.animation(
      .fade(to: 1, duration: .seconds(0.3)),
      .move(
        by: PixelOffset(x: 0, y: -12),
        duration: .seconds(0.2))),
    button.animation(
      inParallel: .scale(to: 1.5, duration: .seconds(0.4)),
      .rotate(by: 90, duration: .seconds(0.2))),
    at: now
  ) { position in print("all: \(position)") }

  let ease = { bezier(0.25, 0.1, 0.25, 1, $0) }
  check.every(0.05, until: 1) { seconds in
    title.advance(to: check.instant(seconds))
    button.advance(to: check.instant(seconds))
    return [
      (title.pose.opacity, ease(seconds / 0.3)),
      (title.pose.offset.y, -12 * ease((seconds - 0.3) / 0.2)),
      (button.pose.scale, 1 + 0.5 * ease((seconds - 0.5) / 0.4)),
      (button.pose.rotationDegrees, 90 * ease((seconds - 0.5) / 0.2)),
    ]
  }
  check.noted("all: end")
}

// MARK: - RxSwift

/// px to the right at 100 px/s.
private func right(_ px: Double) -> Animation {
  .move(by: PixelOffset(x: px, y: 0), duration: .seconds(px / 100), curve: .linear)
}

func chain(_ check: Check) {
  let stream = AnimationStream(right(10))
    .concat(
      AnimationStream(right(20))
        .delayed(by: .milliseconds(100))
    )
    .forever()
    .take(4)

  // 0.1 s, a pause of 0.1 s, 0.2 s; twice.
  check.stream(stream, until: 1) { seconds in
    let (pass, within) = (seconds >= 0.4 ? 1.0 : 0, seconds >= 0.4 ? seconds - 0.4 : seconds)
    return 30 * pass + min(10, 100 * within) + max(0, min(20, 100 * (within - 0.2)))
  }
}

func choices(_ check: Check) {
  let hops = AnimationStream(right(10), right(20))
    .flatMap { hop in
      AnimationStream(hop, hop.reversed(), hop)
    }
  let swing = AnimationStream(right(10)).forever()
    .take(while: { $0.pose.offset.x < 35 })
  let stopped = StreamEvent()
  let until = AnimationStream(right(10)).forever()
    .take(until: stopped)

  check.stream(hops, until: 1) { seconds in
    let hop = seconds < 0.3 ? 10.0 : 20
    let within = 100 * (seconds < 0.3 ? seconds : seconds - 0.3)
    let x = within < hop ? within : within < 2 * hop ? 2 * hop - within : within - 2 * hop
    return seconds >= 0.9 ? 30 : (seconds < 0.3 ? 0 : 10) + x
  }
  check.stream(swing, until: 1) { min(40, 100 * $0) }
  check.stream(until, until: 1) { seconds in
    if seconds >= 0.22 { stopped.send() }
    return min(30, 100 * seconds)
  }
}

func together(_ check: Check) {
  let merged = AnimationStream.merge([
    AnimationStream(right(10), right(10)),
    AnimationStream(
      .rotate(by: 90, duration: .seconds(1))),
  ])
  let pairs = AnimationStream.zip(
    AnimationStream(right(10), right(20)),
    AnimationStream(right(30), right(5)))
  let faster = AnimationStream(right(10), right(20))
    .map { $0.speed(2) }

  check.stream(merged, until: 1.2) { min(20, 100 * $0) }
  check.stream(pairs, until: 1) { seconds in
    let first = min(10, 100 * seconds) + min(30, 100 * seconds)
    let late = max(0, 100 * (seconds - 0.3))
    return first + min(20, late) + min(5, late)
  }
  check.stream(faster, until: 1) { min(30, 200 * $0) }
}

func frames(_ check: Check) async {
  var drawn: [Double] = []
  let clock = ManualClock()
  func draw(_ pose: Pose) {
    drawn.append(pose.offset.x)
    clock.advance(by: .milliseconds(100))
  }
  let stream = AnimationStream(right(30))
  for await pose in stream.poses(
    every: .milliseconds(100), clock: clock)
  {
    draw(pose)
  }

  check.values(zip(drawn, [0, 10, 20, 30]).map { ($0, $1) } + [(Double(drawn.count), 4)])
}

// MARK: - Lottie

func document(_ check: Check) throws {
  let text = """
    {"v": "5.7.0", "fr": 30, "ip": 0, "op": 60, "w": 100, "h": 100, "layers": [{"ty": 4, "nm": "ball", "ip": 0, "op": 60,
      "st": 0, "shapes": [], "ks": {"p": {"a": 1, "k": [
        {"t": 0, "s": [0, 50], "o": {"x": 0, "y": 0}, "i": {"x": 1, "y": 1}}, {"t": 60, "s": [80, 50]}]}}}]}
    """
  let ball = try AnimationDocument(
    text.utf8, name: "ball.json")
  let timeline = Timeline(ball.animation)
  let start = timeline.pose(at: .zero)

  check.every(0.1, until: 2) { seconds in
    [(timeline.pose(at: .seconds(seconds)).offset.x - start.offset.x, 40 * seconds)]
  }
}

// MARK: - Motion

/// A daemon plays a trace that turns at a constant rate: 0.3 rad/s about y, 2 rad/s about x.
func motion(_ check: Check) async throws {
  let stream = ParallaxStream()
  var offsets: [ParallaxOffset] = []
  func draw(_ offset: OffsetMessage) {
    offsets.append(ParallaxOffset(offset))
    if offsets.count == 20 { stream.close() }
  }
  for try await message in stream {
    if case .offset(let offset) = message {
      draw(offset)
    }
  }

  // Strength 5, in a range of -5...5. The client may have to wait for the first sample.
  check.values(offsets.dropFirst(2).flatMap { [($0.x, 5 * 0.3), ($0.y, 5)] }, "motion:")
  check.values([(Double(offsets.count), 20)], "motion:")
}
