package import ParallaxMotion

/// Makes samples of a device's scans: the one way from its clock to CLOCK_MONOTONIC.
package struct ScanTiming: Sendable {
  /// What the device's times are of. One that was said to be CLOCK_MONOTONIC and turns out to be
  /// another becomes `.foreign` on the way.
  package private(set) var clock: SampleClock
  private var stamps: StampClock

  package init(_ facts: GyroFacts, frameRate: FrameRate) {
    clock = facts.clock
    let isForeign = if case .foreign = facts.clock { true } else { false }
    stamps = StampClock(isForeign ? .foreign : .monotonic, frameRate: frameRate)
  }

  /// - Parameter isNewest: whether nothing newer was there.
  /// - Returns: the sample, and whether a segment begins with it.
  package mutating func sample(
    of arrived: ArrivedScan, isNewest: Bool
  ) -> (sample: GyroSample, startsSegment: Bool) {
    let mapped = stamps.map(
      stampNanoseconds: arrived.scan.stampNanoseconds ?? arrived.arrivalNanoseconds,
      arrivalNanoseconds: arrived.arrivalNanoseconds, isNewestOfDrain: isNewest)
    if clock == .monotonic, stamps.kind == .foreign {
      clock = .foreign("its timestamps are not of CLOCK_MONOTONIC, though the driver says so")
    }
    return (
      GyroSample(
        timeNanoseconds: mapped.timeNanoseconds, rateRadPerSec: arrived.scan.rateRadPerSec),
      mapped.startsSegment
    )
  }
}

extension SampleClock {
  /// Why a sample's time does not tell how old it is; nil: it does.
  package var latencyNote: String? {
    switch self {
    case .monotonic: nil
    case .foreign(let why), .reading(let why): why
    }
  }
}

extension ScanStream {
  /// Takes everything that has come, the oldest first; what was read before an error is in `scans` too.
  ///
  /// - Parameter clock: read behind each scan, so that none is from the future.
  package func drain(
    into scans: inout [ArrivedScan], clock: () -> Int64
  ) throws(IIOError) {
    scans.removeAll(keepingCapacity: true)
    while let scan = try next() {
      scans.append(ArrivedScan(scan: scan, arrivalNanoseconds: clock()))
    }
  }
}

extension GyroFacts {
  /// 0: not known. No gyroscope is slower than 0.1 Hz, whatever its driver says.
  package var periodNanoseconds: Int64 {
    guard let rateHertz, rateHertz > 0 else { return 0 }
    return Int64(min(1e9 / rateHertz, 1e10))
  }
}
