// SPDX-License-Identifier: Apache-2.0

package import ParallaxBase

/// Consecutive samples of a source, column by column: each step over them is then a loop over plain arrays,
/// and calls between modules are paid once for many samples. The memory is allocated once.
package struct SampleColumns: ~Copyable, Sendable {
  /// More samples than finding the nominal rate needs; 64 KiB.
  @inlinable package static var capacity: Int { 2048 }

  /// `capacity` instants, of which `count` are valid.
  package var times: [MotionInstant]
  /// rad/s: `capacity` rates about x, then about y, then about z.
  package var rates: [Double]
  package var count = 0

  package init() {
    times = [MotionInstant](repeating: .zero, count: Self.capacity)
    rates = [Double](repeating: 0, count: 3 * Self.capacity)
  }

  package var isFull: Bool { count == Self.capacity }

  package subscript(index: Int) -> GyroSample {
    GyroSample(
      time: times[index],
      rateRadPerSec: AngularRate(
        x: rates[index], y: rates[index + Self.capacity], z: rates[index + 2 * Self.capacity]))
  }

  /// Whether a rate from an index on is beyond a limit in rad/s, or NaN.
  package func hasRate(above limit: Double, from start: Int) -> Bool {
    let limit = limit.bitPattern
    var differences: UInt64 = 0
    for axis in 0..<3 {
      let first = axis * Self.capacity + start
      let column = rates.span.extracting(first..<first + count - start)
      // The bits of numbers without a sign are in the order of the numbers; NaN comes last.
      for index in column.indices { differences |= limit &- column[index].magnitude.bitPattern }
    }
    return differences >> 63 != 0
  }

  /// Adds a sample. Call only while the columns are not full.
  package mutating func append(_ sample: GyroSample) {
    times[count] = sample.time
    rates[count] = sample.rateRadPerSec.x
    rates[count + Self.capacity] = sample.rateRadPerSec.y
    rates[count + 2 * Self.capacity] = sample.rateRadPerSec.z
    count += 1
  }
}

/// Consecutive frames of one screen, column by column.
package struct FrameColumns: ~Copyable, Sendable {
  package static var capacity: Int { SampleColumns.capacity }

  package internal(set) var times: [MotionInstant]
  /// px, before the gate's gain.
  package internal(set) var x: [Double]
  package internal(set) var y: [Double]
  /// px/s, 0 where nothing is displaced; empty without velocities.
  package private(set) var vx: [Double]
  package private(set) var vy: [Double]
  package internal(set) var count = 0
  package let hasVelocities: Bool
  var shares = ShareTable()

  /// - Parameter hasVelocities: Without velocities, frames are made faster (`SampleRun`).
  package init(hasVelocities: Bool = false) {
    self.hasVelocities = hasVelocities
    times = [MotionInstant](repeating: .zero, count: Self.capacity)
    x = [Double](repeating: 0, count: Self.capacity)
    y = x
    vx = hasVelocities ? x : []
    vy = vx
  }

  package var isFull: Bool { count == Self.capacity }

  /// Adds a frame. Call only while the columns are not full.
  package mutating func append(_ frame: MotionFrame) {
    times[count] = frame.time
    x[count] = frame.offset.x
    y[count] = frame.offset.y
    if hasVelocities {
      let velocity = frame.offset == .zero ? .zero : frame.motion.velocity
      vx[count] = velocity.x
      vy[count] = velocity.y
    }
    count += 1
  }

  /// Removes the frames from `first` on that are not wanted.
  package mutating func keep(from first: Int, where isWanted: (MotionFrame) -> Bool) {
    var kept = first
    for index in first..<count {
      let velocity =
        hasVelocities ? PixelVelocity(x: vx[index], y: vy[index]) : PixelVelocity.zero
      let frame = MotionFrame(
        time: times[index],
        motion: ScreenMotion(offset: PixelOffset(x: x[index], y: y[index]), velocity: velocity))
      guard isWanted(frame) else { continue }
      (times[kept], x[kept], y[kept]) = (times[index], x[index], y[index])
      if hasVelocities { (vx[kept], vy[kept]) = (velocity.x, velocity.y) }
      kept += 1
    }
    count = kept
  }

  package mutating func removeAll() {
    count = 0
  }
}
