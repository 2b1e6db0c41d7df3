// SPDX-License-Identifier: Apache-2.0

import ParallaxDaemon
import ParallaxTestSupport
import Testing

/// PLAY with a gyroscope; without one: `play.script`.
struct PlayTests {
  /// x is the sum of motion and animation; nx is the motion alone.
  @Test func animationsAddToTheMotion() throws {
    let (plain, animated) = (
      try Rig.animated(["source.kind=synthetic", "layers=bg=0.5"]),
      try Rig.animated(["source.kind=synthetic", "layers=bg=0.5"])
    )
    let (a, b) = (plain.subscribe(), animated.subscribe())
    for rig in [plain, animated] { rig.run(seconds: 1) }
    _ = (a.lines(), b.lines())
    _ = animated.control().play("nudge", #""detached":true"#)
    for rig in [plain, animated] { rig.run(seconds: 1) }
    let (plainFrames, moved) = (a.frames(), b.frames())
    // There are no additional frames: the samples move it.
    #expect(moved.map(\.seq) == plainFrames.map(\.seq))
    for (before, after) in zip(plainFrames, moved).dropFirst(8) {
      #expect((after.x - before.x - 12).magnitude < 1e-9)
      #expect(after.y == before.y)
      #expect(after.number("nx") == before.number("nx"))
      let (bg, moved) = (before.layer("bg")?.number("x"), after.layer("bg")?.number("x"))
      #expect(((moved ?? 0) - (bg ?? 0) - 12).magnitude < 1e-9)
    }
    #expect(moved.allSatisfy { $0.number("rotation") == nil })
  }
}
