// SPDX-License-Identifier: Apache-2.0

import ParallaxAnimation
import ParallaxClient
import ParallaxDocuments

// The program of docs/animators.md, which then uses each part of the library. scripts/test-library builds
// it as a package of its own.

@main
struct Bouncing {
  static func main() async throws {
    bounce()
    try scrub()
    retarget()
    await stream()
    try document()
    do {
      try await drawer()
    } catch {
      print("drawer: \(error)")
    }
  }
}

/// A ball falls, bounces twice and lies still.
func bounce() {
  let fall = CubicBezier(x1: 0.33, y1: 0, x2: 0.67, y2: 0.33)
  let drop = Animation.move(
    to: PixelOffset(x: 0, y: 100), duration: .milliseconds(400), curve: .bezier(fall))
  let hop = { (px: Double, time: Duration) in
    Animation.move(by: PixelOffset(x: 0, y: -px), duration: time, curve: .easeOut).autoreversed()
  }
  let ball = drop.then(hop(40, .milliseconds(250))).then(hop(10, .milliseconds(120)))
  let timeline = Timeline(ball)
  for tick in 0...12 {
    let time = Duration.milliseconds(100 * tick)
    print("\(100 * tick) ms: y \(rounded(timeline.pose(at: time).offset.y)) px")
  }
}

/// A finger moves a card, lets go, and changes its mind.
func scrub() throws {
  let card = AnimatedPose()
  let animator = PropertyAnimator(card, duration: .milliseconds(500), curve: .easeInOut)
  try animator.add(.moveBy(PixelOffset(x: 200, y: 0)), .fadeTo(0.5))
  animator.addCompletion { position in print("card: ended at its \(position)") }
  var now = MotionInstant(nanoseconds: 0)
  for fraction in [0.1, 0.2, 0.3] {
    try animator.scrub(toFraction: fraction, at: now)
    print("card: held at \(rounded(card.pose.offset.x)) px")
    now = now + .milliseconds(8)
  }
  try animator.continue(curve: .spring(response: .milliseconds(300), damping: 0.7), at: now)
  now = now + .milliseconds(100)
  card.advance(to: now)
  print(
    "card: \(rounded(card.pose.offset.x)) px, \(rounded(card.velocity.offset.x)) px/s, "
      + "opacity \(rounded(card.pose.opacity))")
  try animator.setReversed(true, at: now)
  card.advance(to: now + .seconds(1))
  do {
    try animator.finish(at: .end, at: now + .seconds(1))
  } catch {
    print("card: \(error)")
  }
}

/// A spring gets another target before it has reached the first one.
func retarget() {
  let now = MotionInstant(nanoseconds: 0)
  let spring = SpringAnimator(Spring(response: .milliseconds(500), damping: 0.6), at: now)
  spring.animate(to: Pose(rotationDegrees: 90), at: now) { print("spring: \($0)") }
  spring.advance(to: now + .milliseconds(100))
  print("spring: \(rounded(spring.pose.rotationDegrees)) degrees")
  spring.animate(to: .rest, at: now + .milliseconds(100)) { print("spring: \($0)") }
  spring.advance(to: now + .seconds(10))
  print("spring: \(rounded(spring.pose.rotationDegrees)) degrees")
}

/// A stream, on a clock that the program sets.
func stream() async {
  let clock = ManualClock()
  let nudge = Animation.move(
    by: PixelOffset(x: 12, y: 0), duration: .milliseconds(200), curve: .linear)
  let stream = AnimationStream(nudge).flat { ending in
    ending.pose.offset.x < 36 ? nudge.delayed(by: .milliseconds(100)) : nil
  }
  for await pose in stream.poses(every: .milliseconds(100), clock: clock) {
    print("stream: \(rounded(pose.offset.x)) px")
    clock.advance(by: .milliseconds(100))
  }
}

/// A document plays, and another one has an error.
func document() throws {
  let text = """
    {"parallax": 1, "id": "breath", "animation":
      {"autoreverse": {"scale": {"to": 1.1}, "duration": 0.5, "curve": "ease-in-out"}}}
    """
  let breath = try AnimationDocument(text.utf8, name: "breath.json")
  let timeline = Timeline(breath.animation)
  for tick in 0...4 {
    print(
      "\(breath.id ?? ""): scale \(rounded(timeline.pose(at: .milliseconds(250 * tick)).scale))")
  }
  let hide = AnimationDocument(.fade(to: 0, duration: .milliseconds(300)), id: "hide")
  print(try hide.encoded())
  let lottie = """
    {"fr": 10, "ip": 0, "op": 10, "layers": [{"ty": 3, "ind": 1, "nm": "hand", "ks":
      {"r": {"a": 1, "k": [{"t": 0, "s": [0]}, {"t": 10, "s": [90]}]}}}]}
    """
  let hand = Timeline(try AnimationDocument(lottie.utf8, name: "hand.json").animation)
  print("hand: \(rounded(hand.pose(at: .milliseconds(500)).rotationDegrees)) degrees")
  do {
    _ = try AnimationDocument(#"{"parallax": 1, "animation": {"fade": {"to": 2}}}"#.utf8)
  } catch {
    print(error)
  }
}

/// A card follows a finger, which lets it go. Without a daemon, it throws.
func drawer() async throws {
  let drawer = try await AnimationHandle.play(
    .move(by: PixelOffset(x: 300, y: 0)), layer: "drawer", isPaused: true)
  for fraction in [0.1, 0.2, 0.3] { drawer.scrub(toFraction: fraction) }
  try await drawer.continue(curve: .snappy, velocity: .init(x: 900, y: 0))
  for await event in drawer.events { print("drawer: \(event.event)") }
}

func rounded(_ number: Double) -> Double { (number * 100).rounded() / 100 }
