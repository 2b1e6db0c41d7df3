import Glibc
import ParallaxMotion
import ParallaxTestSupport
import ParallaxTrace

/// What became of a trace: its samples, and how it ended.
struct Reading: Equatable {
  var header: TraceHeader?
  var dialect: TraceDialect?
  var samples: [GyroSample] = []
  var counts = TraceCounts()
  var warning: TraceWarning?
  var error: TraceError?
}

/// A descriptor that gives these bytes and then ends. They have to fit into a pipe (64 KiB).
func pipe(holding bytes: [UInt8]) -> Int32 {
  var ends: [Int32] = [0, 0]
  guard pipe(&ends) == 0 else { return -1 }
  _ = bytes.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
  close(ends[1])
  return ends[0]
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
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      return read(
        TraceInput(owning: descriptor, name: "trace.csv", fileName: fileName), options: options,
        needsZ: needsZ, blockSize: blockSize)
    } catch {
      return Reading()
    }
  }
  return read(
    TraceInput(owning: pipe(holding: bytes), name: "trace.csv", fileName: fileName),
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

/// Options as a command line would set them.
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

/// A sample in the order t (ns), x, y, z.
func sample(_ time: Int64, _ x: Double, _ y: Double, _ z: Double = 0) -> GyroSample {
  GyroSample(timeNanoseconds: time, rateRadPerSec: AngularRate(x: x, y: y, z: z))
}
