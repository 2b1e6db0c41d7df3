import ParallaxMotion

/// What `--summary` tells of one trace.
struct ReplaySummary: Equatable, Sendable {
  /// What became of the samples.
  var counts: SampleCounts
  /// Rows that were left out because they could not be read (`--skip-bad-rows`).
  var unreadable: UInt64
  /// Rows behind the last good one: a cut last line, a spreadsheet's footer.
  var footer: UInt64
  /// From the first to the last kept sample.
  var durationNanoseconds: Int64
  /// The trace's nominal rate, Hz; nil where it has fewer than two samples.
  var rateHertz: Double?

  /// Rows of data, whatever became of them.
  var rows: UInt64 {
    counts.kept + counts.duplicate + counts.backwards + counts.nonfinite + unreadable + footer
  }

  /// `key: value` lines.
  var text: String {
    var buffer = OutputBuffer()
    func line(_ key: StaticString, _ value: UInt64) {
      buffer.append(key)
      buffer.append(": ")
      buffer.append(unsigned: value)
      buffer.append("\n")
    }
    line("rows", rows)
    line("kept", counts.kept)
    line("duplicate", counts.duplicate)
    line("backwards", counts.backwards)
    line("rebased", counts.rebased)
    line("nonfinite", counts.nonfinite)
    line("unreadable", unreadable)
    line("footer", footer)
    line("segments", counts.segments)
    line("frames", counts.frames)
    buffer.append("duration: ")
    buffer.append(secondsFromNanoseconds: durationNanoseconds)
    buffer.append("\nrate: ")
    if let rateHertz {
      buffer.append(scaled: DecimalText.scaled(rateHertz, decimals: 3), trimmedDecimals: 3)
    } else {
      buffer.append("unknown")
    }
    buffer.append("\n")
    return buffer.text
  }
}
