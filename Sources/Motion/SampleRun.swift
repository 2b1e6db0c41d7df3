// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// Runs: samples one after the other that each become a frame, while nothing changes but the motion. They
/// go through the pipeline step by step instead of sample by sample, with the same results, bit for bit.
extension MotionPipeline {
  /// Takes samples from `next` on until all are taken or the frames are full, and moves `next` to the first
  /// that was not taken. Call again after a full one, also without further samples.
  ///
  /// Without velocities in these frames, those of later frames are not exact.
  package mutating func take(
    _ samples: borrowing SampleColumns, from next: inout Int, into frames: inout FrameColumns
  ) {
    while true {
      while !frames.isFull, let frame = nextFrame() { frames.append(frame) }
      guard next < samples.count, !frames.isFull else { return }
      let end = takeRun(of: samples, from: next, into: &frames)
      if end == next {
        _ = push(samples[next])
        next += 1
      } else {
        next = end
      }
    }
  }

  /// Takes samples from `start` on as far as they are a run: their times rise without a gap, their rates are
  /// finite, no stage but scale, clamp and smoothing is active, and the frames have room.
  ///
  /// - Returns: The index of the first sample that was not taken.
  private mutating func takeRun(
    of samples: borrowing SampleColumns, from start: Int, into frames: inout FrameColumns
  ) -> Int {
    let end = min(samples.count, start + FrameColumns.capacity - frames.count)
    guard start < end, !frames.hasVelocities, let bounds = sensor.runBounds,
      let plan = screen.runPlan
    else { return start }
    var run = SampleRun(start: start, end: end, frame: frames.count)
    run.checkTimes(samples.times, bounds, into: &frames.times)
    run.place(samples.rates, plan, &frames.x, &frames.y)
    guard run.count > 0 else { return start }
    let last = run.start + run.count - 1
    let frame = sensor.endRun(
      run.count, last: samples.times[last],
      motion: DrivingMotion(
        a: samples.rates[last + SampleColumns.capacity], b: samples.rates[last]))
    screen.smooth(run, plan, last: frame, &frames)
    frames.count += run.count
    return last + 1
  }
}

/// What the sensor's stage knows before a run.
struct RunBounds {
  /// The time of the sample before.
  var last: MotionInstant
  /// The longest interval between two samples of a segment.
  var maxGap: MotionDuration
}

/// How a screen makes frames of a run.
struct RunPlan {
  var axes: ScreenAxes
  var rangeX: PixelRange
  var rangeY: PixelRange
}

/// A part of a batch of samples, and where its frames go.
struct SampleRun {
  /// The index of the first sample.
  let start: Int
  /// The index of the first frame.
  let frame: Int
  private(set) var count: Int

  init(start: Int, end: Int, frame: Int) {
    self.start = start
    self.frame = frame
    count = end - start
  }

  /// Ends the run before a time that does not follow the one before it.
  @inline(never)
  mutating func checkTimes(
    _ times: [MotionInstant], _ bounds: RunBounds, into frames: inout [MotionInstant]
  ) {
    let source = times.span.extracting(start..<start + count)
    var frames = frames.mutableSpan
    let target = frame
    var last = bounds.last.nanoseconds
    let maxGap = bounds.maxGap.nanoseconds
    for index in source.indices {
      let time = source[index]
      // Neither wraps around: admissible times are at most 2^61 ns from zero.
      let interval = time.nanoseconds &- last
      guard interval > 0, interval <= maxGap, time.isAdmissible else {
        count = index
        return
      }
      last = time.nanoseconds
      frames[target &+ index] = time
    }
  }

  /// Places each sample's motion on the screen, within the ranges; ends the run before a rate that is not
  /// finite.
  @inline(never)
  mutating func place(
    _ rates: [Double], _ plan: RunPlan, _ xs: inout [Double], _ ys: inout [Double]
  ) {
    let rates = rates.span
    let b = rates.extracting(start..<start + count)
    let aStart = start + SampleColumns.capacity
    let a = rates.extracting(aStart..<aStart + count)
    let cStart = aStart + SampleColumns.capacity
    let c = rates.extracting(cStart..<cStart + count)
    var x = xs.mutableSpan
    var y = ys.mutableSpan
    let target = frame
    var exponents: UInt64 = 0
    for index in b.indices {
      let (rateA, rateB, rateC) = (a[index], b[index], c[index])
      // An exponent of ones, which infinity and NaN have, carries into bit 63.
      exponents |= rateA.magnitude.bitPattern &+ 1 << 52
      exponents |= rateB.magnitude.bitPattern &+ 1 << 52
      exponents |= rateC.magnitude.bitPattern &+ 1 << 52
      let input = plan.axes.offset(DrivingMotion(a: rateA, b: rateB))
      x[target &+ index] = plan.rangeX.clamp(input.x)
      y[target &+ index] = plan.rangeY.clamp(input.y)
    }
    guard exponents >> 63 != 0 else { return }
    count = b.indices.first { !(a[$0].isFinite && b[$0].isFinite && c[$0].isFinite) } ?? count
  }
}
