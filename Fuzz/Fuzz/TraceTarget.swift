// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxMotion
import ParallaxTrace

/// Reads random bytes as a recording. It must not crash, the result must not depend on the block size,
/// and motion must not leave its range.
///
/// The last three bytes of the file also select the options, so any recording is a valid seed.
enum TraceTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    tryOut(bytes)
  }
}

/// A file for the bytes, because the reader takes a descriptor.
private let file: Int32 = {
  var path = Array("/dev/shm/parallax-fuzz.XXXXXX".utf8CString)
  let descriptor = mkstemp(&path)
  unlink(path)
  require(descriptor >= 0, "no temporary file in /dev/shm")
  return descriptor
}()

/// The result of reading once.
private struct Reading: Equatable {
  var frames = 0
  var samples = 0
  /// FNV-1a over every sample's bits.
  var digest: UInt64 = 0xcbf2_9ce4_8422_2325
  var error: String?

  mutating func add(_ sample: GyroSample) {
    samples += 1
    for bits in [
      UInt64(bitPattern: sample.time.nanoseconds), sample.rateRadPerSec.x.bitPattern,
      sample.rateRadPerSec.y.bitPattern, sample.rateRadPerSec.z.bitPattern,
    ] {
      digest = (digest ^ bits) &* 0x100_0000_01b3
    }
  }
}

private func tryOut(_ bytes: UnsafeRawBufferPointer) {
  ftruncate(file, 0)
  pwrite(file, bytes.baseAddress, bytes.count, 0)
  let choice = bytes.suffix(3).reduce(0) { $0 << 8 | Int($1) }
  let whole = read(choice: choice, blockSize: 262_144)
  let pieces = read(choice: choice, blockSize: 65_536 + choice % 97)
  require(whole == pieces, "the result depends on the block size")
}

private func read(choice: Int, blockSize: Int) -> Reading {
  var options = TraceOptions()
  options.skipsBadRows = choice & 1 != 0
  if choice & 2 != 0 { options.gyroUnit = .degreesPerSecond }
  if choice & 12 == 12 { options.inputRateHertz = 50 }
  let name = choice & 16 != 0 ? "Accelerometer.csv" : "Gyroscope.csv"
  var settings = MotionSettings()
  settings.mode = choice & 32 != 0 ? .tilt : .rate
  settings.estimatesBias = choice & 64 != 0
  settings.resampling = Resampling.allCases[choice >> 8 & 3]
  if choice & 0x400 != 0 { settings.frameRate = .native }
  settings.smoothing = smoothings[(choice >> 12 & 15) % smoothings.count]
  let orientation = Orientation.allCases[choice >> 14 & 3]

  var reading = Reading()
  lseek(file, 0, SEEK_SET)
  do throws(TraceError) {
    let input = TraceInput(FileDescriptor(owning: dup(file)), name: name, fileName: name)
    var trace = try TraceReader(input, options: options, blockSize: blockSize)
    if choice & 64 != 0 { try trace.requireZ() }
    let rate = trace.findNominalRate(frameRate: settings.frameRate)
    var pipeline = MotionPipeline(
      settings: settings, orientation: orientation, nominalRateHertz: rate,
      bias: choice & 64 != 0 ? .auto(nil) : .off)
    while let sample = try trace.next() {
      reading.add(sample)
      _ = pipeline.push(sample)
      // 1 kHz for hours would take too long.
      while reading.frames < 200_000, let frame = pipeline.nextFrame() {
        reading.frames += 1
        require(
          settings.rangeX.clamp(frame.offset.x) == frame.offset.x
            && settings.rangeY.clamp(frame.offset.y) == frame.offset.y,
          "motion left its range")
      }
    }
  } catch {
    reading.error = error.description
  }
  return reading
}

private let smoothings: [Smoothing] = [
  "auto", "auto:calm", "none", "ema:0.1", "spring:0.4,0.3", "one-euro:1,0.2",
].compactMap { try? Smoothing(parsing: $0) }
