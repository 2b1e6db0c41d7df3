// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// Picks the frames that one user may see. All its connections share them, so that no number and no
/// choice of rates gets more than `Cadence.capHertz` different frames per second.
///
/// A frame is let through when it is due at the highest rate that a connection asks for, and within the
/// quota. Each connection then picks from these with its own `Cadence`. A user's only connection gets
/// exactly the frames of its rate, but may miss one for each time that it changed the rate.
package struct UserCadence: Sendable {
  /// The rates of the enabled connections in Hz, ascending; infinity for every frame.
  private var rates: [Double] = []
  private var highest = Cadence()
  package var quota: FrameQuota

  package init(quota: FrameQuota = FrameQuota()) {
    self.quota = quota
  }

  /// Takes note of a connection's rate in Hz; nil for every frame.
  package mutating func add(_ rateHertz: Double?) {
    let rate = rateHertz ?? .infinity
    rates.insert(rate, at: place(of: rate))
    changed(rate)
  }

  /// Takes note that a connection with this rate no longer wants frames.
  package mutating func remove(_ rateHertz: Double?) {
    let rate = rateHertz ?? .infinity
    let place = place(of: rate)
    guard place < rates.count, rates[place] == rate else { return }
    rates.remove(at: place)
    changed(rate)
  }

  /// Whether the frame at this time is let through. Must be called for every frame, in order.
  package mutating func isDue(time: MotionInstant, pace: FramePace) -> Bool {
    guard !rates.isEmpty, highest.isDue(time: time, pace: pace) else { return false }
    return quota.admit(time, pace: pace)
  }

  /// Whether the newest frame may be shown out of turn. Leaves the frames that are due their place.
  package mutating func admitsOutOfTurn(time: MotionInstant, pace: FramePace) -> Bool {
    quota.isIdle(at: time) && quota.admit(time, pace: pace)
  }

  /// Begins with another highest rate, or again with the same.
  private mutating func changed(_ rate: Double) {
    guard rate >= rates.last ?? 0 else { return }
    highest = Cadence(rateHertz: rates.last.flatMap { $0.isFinite ? $0 : nil })
  }

  /// Returns the first place whose rate is not lower.
  private func place(of rate: Double) -> Int {
    var (low, high) = (0, rates.count)
    while low < high {
      let middle = (low + high) / 2
      if rates[middle] < rate { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The limit of `Cadence.capHertz` frames per second as a budget in frame time: the generic cell rate
/// algorithm of ATM, which needs one instant per user.
///
/// It measures the frames themselves. What a source states about its rate, or a client asks for, does not
/// change it.
package struct FrameQuota: Sendable {
  /// When the next frame would come if they came evenly.
  private var next = MotionInstant.distantPast

  package init() {}

  /// Whether no frame was admitted within the last interval.
  package func isIdle(at time: MotionInstant) -> Bool { next <= time }

  /// Returns whether a frame is within the quota, and counts it if so.
  package mutating func admit(_ time: MotionInstant, pace: FramePace) -> Bool {
    let shape = Shape(pace)
    guard next <= time + shape.tolerance else { return false }
    next = max(next, time) + shape.interval
    return true
  }

  private struct Shape {
    /// Between two frames that come evenly.
    let interval: MotionDuration
    /// How much earlier a frame may come.
    let tolerance: MotionDuration

    /// Frames that a cadence has picked are even. If every sample becomes a frame, they are as uneven as
    /// the sensor's timestamps, and a source of about 60 Hz passes up to the cadence's tolerance.
    init(_ pace: FramePace) {
      let (cap, hertz) = (Cadence.capHertz, pace.actualHertz)
      interval =
        hertz * Cadence.tolerance > cap && hertz <= cap * Cadence.tolerance
        ? .nanoseconds(16_339_869) : .nanoseconds(16_666_666)
      tolerance = .milliseconds(hertz > cap * Cadence.tolerance ? 50 : 200)
    }
  }
}
