#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// What is known of a gyroscope's zero offset.
package enum BiasState: Equatable, Sendable {
  /// Rates are taken as they are.
  case off
  /// Estimated at rest; nil before the first rest.
  case auto(AngularRate?)
}

extension MotionSettings {
  /// What a trace is begun with: the settings' word, else the recording's own, else nothing is
  /// estimated.
  package func bias(recorded: BiasState?) -> BiasState {
    switch (estimatesBias, recorded) {
    case (nil, let recorded): recorded ?? .off
    case (false?, _): .off
    case (true?, .auto(let known)?): .auto(known)
    case (true?, _): .auto(nil)
    }
  }
}

/// Estimates a gyroscope's zero offset whenever the device lies still, and takes it off.
///
/// A rest is told from a slow turn by steadiness alone, so the first estimate asks for a longer rest
/// than the later ones, and later ones accept only what is nearly corrected already: a slow pan is
/// then never eaten. The form (rest by deviation from a mean over a window, 1.5 s of it) follows VQF
/// (Laidig and Seel 2023, parameters `restMinT`, `restThGyr`, `biasClip`); the figures are the ones
/// that parallax documents.
struct BiasEstimator: Sendable {
  /// Every axis stays this near to its mean while the device is still.
  static let stillnessRadPerSec = 0.02
  /// The first rest: its length, and the largest offset that is believed.
  static let firstWindowSeconds = 3.0
  static let firstLimitRadPerSec = 0.4
  /// Later rests, and how much of the corrected rate may be left for them to count.
  static let laterWindowSeconds = 1.5
  static let laterLimitRadPerSec = 0.1
  /// How fast later estimates are followed.
  static let laterTimeConstantSeconds = 2.0

  private(set) var state: BiasState
  private var window = StillnessWindow()
  private var lastTime: Int64 = 0

  init(_ state: BiasState) {
    self.state = state
  }

  /// The rate (after the mount matrix) without the offset as known at this sample.
  mutating func correct(_ rate: AngularRate, time: Int64, startsSegment: Bool) -> AngularRate {
    guard case .auto(let known) = state else { return rate }
    if startsSegment { window.removeAll() }
    let seconds = known == nil ? Self.firstWindowSeconds : Self.laterWindowSeconds
    window.add(rate, time: time, spanNanoseconds: Int64(seconds * 1e9))
    var estimate = known
    if let mean = window.meanIfStill(spanNanoseconds: Int64(seconds * 1e9)) {
      estimate = updated(known, towards: mean, dtSeconds: Double(time - lastTime) * 1e-9)
    }
    lastTime = time
    state = .auto(estimate)
    guard let bias = estimate else { return rate }
    return AngularRate(x: rate.x - bias.x, y: rate.y - bias.y, z: rate.z - bias.z)
  }

  private func updated(
    _ known: AngularRate?, towards mean: AngularRate, dtSeconds: Double
  ) -> AngularRate? {
    guard let bias = known else {
      return mean.isWithin(Self.firstLimitRadPerSec, of: .zero) ? mean : nil
    }
    let left = AngularRate(x: mean.x - bias.x, y: mean.y - bias.y, z: mean.z - bias.z)
    guard left.isWithin(Self.laterLimitRadPerSec, of: .zero) else { return bias }
    let share = -expm1(-dtSeconds / Self.laterTimeConstantSeconds)
    return AngularRate(
      x: bias.x + share * left.x, y: bias.y + share * left.y, z: bias.z + share * left.z)
  }
}

/// The samples of the last seconds of one segment. Storage grows to what a window needs and is then
/// reused.
private struct StillnessWindow: Sendable {
  private struct Entry {
    var time: Int64
    var rate: AngularRate
  }

  /// Denser samples than this (10 kHz: no gyroscope's output is) are not all kept, so that a
  /// trace with absurd times cannot fill the memory.
  private static let minimumSpacing: Int64 = 100_000

  private var entries: [Entry] = []
  private var head = 0
  private var segmentStart: Int64?

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    head = 0
    segmentStart = nil
  }

  mutating func add(_ rate: AngularRate, time: Int64, spanNanoseconds: Int64) {
    if segmentStart == nil { segmentStart = time }
    while head < entries.count, entries[head].time < time - spanNanoseconds { head += 1 }
    if head > 64, head > entries.count / 2 {
      entries.removeFirst(head)
      head = 0
    }
    if head < entries.count, time - entries[entries.count - 1].time < Self.minimumSpacing {
      return
    }
    entries.append(Entry(time: time, rate: rate))
  }

  /// The mean over the span if it is covered and every sample stays near it on every axis.
  func meanIfStill(spanNanoseconds: Int64) -> AngularRate? {
    guard head < entries.count, let start = segmentStart else { return nil }
    let newest = entries[entries.count - 1]
    guard newest.time - start >= spanNanoseconds else { return nil }
    let bound = BiasEstimator.stillnessRadPerSec
    // Two samples that both lie within the bound of a mean lie within twice the bound of each other:
    // while the device moves, the scan ends after a few samples.
    var sum = AngularRate.zero
    var index = entries.count
    while index > head {
      index -= 1
      let rate = entries[index].rate
      guard rate.isWithin(2 * bound, of: newest.rate) else { return nil }
      sum.x += rate.x
      sum.y += rate.y
      sum.z += rate.z
    }
    let count = Double(entries.count - head)
    let mean = AngularRate(x: sum.x / count, y: sum.y / count, z: sum.z / count)
    while index < entries.count {
      guard entries[index].rate.isWithin(bound, of: mean) else { return nil }
      index += 1
    }
    return mean
  }
}

extension AngularRate {
  fileprivate func isWithin(_ bound: Double, of other: AngularRate) -> Bool {
    (x - other.x).magnitude <= bound && (y - other.y).magnitude <= bound
      && (z - other.z).magnitude <= bound
  }
}
