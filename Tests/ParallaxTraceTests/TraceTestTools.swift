// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxBase
import ParallaxMotion
import ParallaxTestSupport

@testable import ParallaxTrace

/// The result of reading a trace.
struct Reading: Equatable {
  var header: TraceHeader?
  var dialect: TraceDialect?
  var samples: [GyroSample] = []
  var counts = TraceCounts()
  var warning: TraceWarning?
  var error: TraceError?
}

/// Returns a pipe that contains these bytes, at most 64 KiB.
func pipe(holding bytes: [UInt8]) -> FileDescriptor {
  var ends: [Int32] = [0, 0]
  precondition(pipe(&ends) == 0, "no descriptors left")
  _ = bytes.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
  close(ends[1])
  return FileDescriptor(owning: ends[0])
}

/// Reads a whole trace.
func read(
  _ input: consuming TraceInput, options: TraceOptions = TraceOptions(), needsZ: Bool = true,
  blockSize: Int = 262_144
) -> Reading {
  var reading = Reading()
  do throws(TraceError) {
    var reader = try TraceReader(input, options: options, blockSize: blockSize)
    reading.header = reader.header
    reading.dialect = reader.dialect
    if needsZ { try reader.requireZ() }
    do throws(TraceError) {
      while let sample = try reader.next() {
        reading.samples.append(sample)
      }
    } catch {
      reading.error = error
    }
    reading.counts = reader.counts
    reading.warning = reader.warning
  } catch {
    reading.error = error
  }
  return reading
}

func read(
  bytes: [UInt8], options: TraceOptions = TraceOptions(), needsZ: Bool = true,
  blockSize: Int = 262_144, fileName: String? = nil
) -> Reading {
  guard bytes.count <= 65_536 else {
    do {
      let folder = try TemporaryFolder()
      let path = try folder.write(bytes: bytes, to: fileName ?? "t.csv")
      return read(
        TraceInput(
          try FileDescriptor.open(path, O_RDONLY), name: "trace.csv", fileName: fileName),
        options: options, needsZ: needsZ, blockSize: blockSize)
    } catch {
      return Reading()
    }
  }
  return read(
    TraceInput(pipe(holding: bytes), name: "trace.csv", fileName: fileName),
    options: options, needsZ: needsZ, blockSize: blockSize)
}

func read(
  _ text: String, options: TraceOptions = TraceOptions(), needsZ: Bool = true,
  blockSize: Int = 262_144, fileName: String? = nil
) -> Reading {
  read(
    bytes: Array(text.utf8), options: options, needsZ: needsZ, blockSize: blockSize,
    fileName: fileName)
}

/// Returns options as on the command line.
func given(
  columns: String? = nil, time: TimeUnit? = nil, gyro: GyroUnit? = nil, rate: Double? = nil,
  skip: Bool = false
) -> TraceOptions {
  var options = TraceOptions()
  options.columns = columns.flatMap { try? ColumnChoice(parsing: $0) }
  options.timeUnit = time
  options.gyroUnit = gyro
  options.inputRateHertz = rate
  options.skipsBadRows = skip
  return options
}

/// Returns a sample from t (ns), x, y and z.
func sample(_ time: MotionInstant, _ x: Double, _ y: Double, _ z: Double = 0) -> GyroSample {
  GyroSample(time: time, rateRadPerSec: AngularRate(x: x, y: y, z: z))
}
