// SPDX-License-Identifier: Apache-2.0

import ParallaxBase
import ParallaxMotion
import ParallaxTrace

/// The output of `--summary` for one trace.
struct ReplaySummary: Equatable, Sendable {
  var counts = SampleCounts()
  /// Rows that could not be read and were skipped (`--skip-bad-rows`).
  var unreadable: UInt64 = 0
  /// Rows after the last valid one: a truncated last line, a spreadsheet's footer.
  var footer: UInt64 = 0
  /// The time from the first kept sample to the last.
  var duration = MotionDuration.zero
  /// The nominal rate in Hz; nil for fewer than two samples.
  var rateHertz: Double?

  /// Adds what is known at the end of the trace.
  mutating func add(_ counts: SampleCounts, _ rows: TraceCounts, duration: MotionDuration) {
    self.counts = counts
    unreadable = rows.unreadable
    footer = rows.footer
    self.duration = duration
  }

  /// All rows of data.
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
    buffer.append(seconds: duration)
    buffer.append(" s\nrate: ")
    if let rateHertz {
      buffer.append(scaled: DecimalText.scaled(rateHertz, decimals: 3), trimmedDecimals: 3)
      buffer.append(" Hz")
    } else {
      buffer.append("unknown")
    }
    buffer.append("\n")
    return buffer.text
  }
}
