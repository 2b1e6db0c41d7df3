// SPDX-License-Identifier: Apache-2.0

/// The stretches in which a device lies still.
enum RestFinder {
  /// The largest deviation of an axis from its mean, rad/s.
  static let maxDeviationRadPerSec = 0.02
  /// The time over which the mean is taken, seconds; also the shortest rest.
  static let windowSeconds = 1.0

  /// Returns the rests of a segment, in seconds. Within a rest every sample belongs to a window in which all
  /// axes stay close to their mean.
  static func rests(in samples: ArraySlice<FeelRecording.Sample>) -> [ClosedRange<Double>] {
    guard let first = samples.first else { return [] }
    var rests: [ClosedRange<Double>] = []
    var window = RateWindow()
    // The index of the first sample that no rest has yet, and whether the sample before it has one.
    var free = samples.startIndex
    for index in samples.indices {
      let now = samples[index].seconds
      window.add(samples[index].rate, at: index)
      while samples[window.start].seconds < now - windowSeconds {
        window.removeFirst(samples[window.start].rate)
      }
      guard now - first.seconds >= windowSeconds,
        window.maxDeviation <= maxDeviationRadPerSec
      else { continue }
      if window.start <= free, free > samples.startIndex, let last = rests.popLast() {
        rests.append(last.lowerBound...now)
      } else {
        rests.append(samples[window.start].seconds...now)
      }
      free = index + 1
    }
    return rests
  }
}

/// The rates of the last second, with their sum, least and greatest values.
private struct RateWindow {
  /// The index of the first sample in it.
  private(set) var start = -1
  private var count = 0.0
  private var sum = SIMD3<Double>.zero
  private var lowest = (RunningExtreme(), RunningExtreme(), RunningExtreme())
  private var highest = (RunningExtreme(), RunningExtreme(), RunningExtreme())

  mutating func add(_ rate: SIMD3<Double>, at index: Int) {
    if start < 0 { start = index }
    count += 1
    sum += rate
    lowest.0.add(-rate.x, at: index)
    lowest.1.add(-rate.y, at: index)
    lowest.2.add(-rate.z, at: index)
    highest.0.add(rate.x, at: index)
    highest.1.add(rate.y, at: index)
    highest.2.add(rate.z, at: index)
  }

  mutating func removeFirst(_ rate: SIMD3<Double>) {
    count -= 1
    sum -= rate
    start += 1
    lowest.0.remove(before: start)
    lowest.1.remove(before: start)
    lowest.2.remove(before: start)
    highest.0.remove(before: start)
    highest.1.remove(before: start)
    highest.2.remove(before: start)
  }

  /// The largest deviation of an axis from its mean.
  var maxDeviation: Double {
    let mean = sum / count
    let above = SIMD3(highest.0.value, highest.1.value, highest.2.value) - mean
    let below = SIMD3(lowest.0.value, lowest.1.value, lowest.2.value) + mean
    return max(above.max(), below.max())
  }
}

/// The greatest value in a sliding window: values that a later, greater one hides are dropped.
private struct RunningExtreme {
  private var entries: [(index: Int, value: Double)] = []
  private var head = 0

  var value: Double { head < entries.count ? entries[head].value : 0 }

  mutating func add(_ value: Double, at index: Int) {
    while entries.count > head, let last = entries.last, last.value <= value {
      entries.removeLast()
    }
    entries.append((index, value))
  }

  mutating func remove(before index: Int) {
    while head < entries.count, entries[head].index < index { head += 1 }
    if head > 1024, 2 * head > entries.count {
      entries.removeFirst(head)
      head = 0
    }
  }
}
