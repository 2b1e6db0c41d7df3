// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase
import ParallaxMotion

/// Endless synthetic motion, as of a hand.
package final class SyntheticSource: MotionSource {
  package let driver = "synthetic"
  package let name: String?

  private let motion: SyntheticMotion
  private var run: Run?
  private var lastDue = MotionInstant.zero

  private struct Run {
    let start: MotionInstant
    var index: Int64 = 0

    /// The time of the next sample since the start: whole periods, rounded to the nanosecond.
    var elapsed: MotionDuration {
      MotionDuration(
        nanoseconds: Int64((Double(index) * 1e9 / SyntheticMotion.rateHertz).rounded()))
    }

    var due: MotionInstant { start + elapsed }
  }

  package init(seed: UInt64) {
    motion = SyntheticMotion(seed: seed)
    name = "seed \(seed)"
  }

  package func start(at now: MotionInstant) -> SourceEvent? {
    run = Run(start: now)
    return .streaming(SourceStart(rateHertz: SyntheticMotion.rateHertz))
  }

  package func stop() {
    run = nil
  }

  package var due: MotionInstant? { run?.due }

  package func next(at now: MotionInstant) -> SourceEvent? {
    guard let current = run, current.due <= now else { return nil }
    var sample = motion.sample(at: .zero + current.elapsed)
    sample.time = current.due
    run?.index += 1
    lastDue = current.due
    return .sample(sample)
  }

  package func lateness(at now: MotionInstant) -> MotionDuration { now - lastDue }
}
