import ParallaxMotion

/// Motion as of a hand, endless.
package final class SyntheticSource: MotionSource {
  package let driver = "synthetic"
  package let name: String?

  private let motion: SyntheticMotion
  private var run: Run?

  private struct Run {
    let startNanoseconds: Int64
    var index: Int64 = 0

    /// Time of the next sample since the start: whole periods, rounded to the nanosecond.
    var elapsed: Int64 {
      Int64((Double(index) * 1e9 / SyntheticMotion.rateHertz).rounded())
    }
  }

  package init(seed: UInt64) {
    motion = SyntheticMotion(seed: seed)
    name = "seed \(seed)"
  }

  package func start(atNanoseconds now: Int64) -> SourceEvent? {
    run = Run(startNanoseconds: now)
    return .streaming(SourceStart(rateHertz: SyntheticMotion.rateHertz))
  }

  package func stop() {
    run = nil
  }

  package var dueNanoseconds: Int64? {
    run.map { $0.startNanoseconds + $0.elapsed }
  }

  package func next(atNanoseconds now: Int64) -> SourceEvent? {
    guard let current = run, current.startNanoseconds + current.elapsed <= now else { return nil }
    var sample = motion.sample(atNanoseconds: current.elapsed)
    sample.timeNanoseconds += current.startNanoseconds
    run?.index += 1
    return .sample(sample)
  }
}
