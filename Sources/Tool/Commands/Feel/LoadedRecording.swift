// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion
import ParallaxTrace

/// A trace that has been read into memory to be measured.
struct LoadedRecording {
  let name: String
  private(set) var recording: FeelRecording
  /// Whether there is a column with z rates.
  let hasZ: Bool
  /// Rows that could not be read.
  let unreadable: UInt64
  /// Messages about the trace, one line each.
  private(set) var warnings: [String] = []

  /// Reads a trace to its end.
  ///
  /// - Throws: `CommandFailure` if it cannot be read, or has no segment that is long enough.
  init(
    _ path: String, settings: MotionSettings, orientation: Orientation?, reading: TraceOptions
  ) throws(CommandFailure) {
    do throws(TraceError) {
      var trace = try OpenedTrace(path: path, options: reading, settings: settings)
      name = trace.reader.name
      recording = FeelRecording(
        settings: trace.settings,
        orientation: orientation ?? trace.reader.header.orientation ?? .normal,
        nominalRateHertz: trace.nominalRateHertz, bias: trace.bias)
      while let sample = try trace.reader.next() {
        guard recording.add(sample) else { break }
      }
      hasZ = trace.reader.hasZ
      unreadable = trace.reader.counts.unreadable + trace.reader.counts.footer
      if let warning = trace.reader.warning { warnings.append("\(warning)") }
      if !trace.reader.hasZ {
        warnings.append("\(name): no column with z rates: rotation about z counts as 0")
      }
    } catch {
      throw CommandFailure(error)
    }
    if recording.isTruncated {
      warnings.append(
        "\(name): only the first \(Int(FeelRecording.maxSeconds / 60)) minutes are measured")
    }
    guard !recording.segments.isEmpty else {
      throw CommandFailure(
        .badData,
        "\(name): too short to measure: it has no \(Int(FeelRecording.minSegmentSeconds)) seconds "
          + "without a gap; record 10 seconds or more")
    }
  }

  /// Prepares to measure a part of the recording.
  ///
  /// - Throws: `CommandFailure` if nothing in it can be measured.
  func bench(_ options: FeelOptions, _ span: RecordingSpan) throws(CommandFailure) -> FeelBench {
    let bench = FeelBench(recording, options: options, span: span)
    guard span.isWhole || bench.hasPictures else {
      throw CommandFailure(
        .badData,
        "\(name): nothing to measure in this part: the recording ends at "
          + "\(Figures.short(recording.kept.last?.seconds ?? 0, 3)) s, and the first second and the last 0.3 s "
          + "without a gap do not count")
    }
    return bench
  }
}
