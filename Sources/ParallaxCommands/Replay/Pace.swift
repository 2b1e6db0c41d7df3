import Glibc

/// Holds frames back to when they were, for `--realtime`.
struct Pace {
  /// 2 is twice as fast as it was.
  let speed: Double
  private var startNanoseconds: Int64?

  static let speedRange = 1e-3...1e6

  init(speed: Double) {
    self.speed = speed
  }

  /// Returns at the instant of a frame that lies `t` behind the first.
  mutating func wait(until t: Int64) {
    let start = startNanoseconds ?? Self.now()
    startNanoseconds = start
    let due = start + Int64((Double(t) / speed).rounded())
    var time = timespec(tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
    // Absolute, so that neither signals nor the work between frames add up.
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
