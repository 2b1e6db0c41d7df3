// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ParallaxBase

/// The part of a recording that is written, drawn or measured. The filters run from the start of the recording,
/// so that the offsets in it are those of the whole recording.
struct RecordingSpan: Equatable, Sendable {
  /// The time after the first sample at which it begins; default: 0.
  var from = MotionDuration.zero
  /// The time after the first sample at which it ends, inclusive; nil: at the end of the recording.
  var to: MotionDuration?

  var isWhole: Bool { from == .zero && to == nil }

  func contains(_ elapsed: MotionDuration) -> Bool {
    elapsed >= from && to.map { elapsed <= $0 } ?? true
  }
}

/// The options that select a part of a recording, for every command that reads one to its end.
struct SpanOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: .init(
      "Use only the part from this time on, in seconds from the first sample; filters run from the start.",
      valueName: "S"))
  var from: String?

  @Option(
    parsing: .unconditional,
    help: .init(
      "Use only the part up to this time, in seconds from the first sample.", valueName: "S"))
  var to: String?

  /// The option that was used; nil if none was.
  var usedOption: String? { from != nil ? "--from" : to != nil ? "--to" : nil }

  func span() throws(CommandFailure) -> RecordingSpan {
    func time(_ text: String?, _ option: String) throws(CommandFailure) -> MotionDuration? {
      guard let text else { return nil }
      let seconds = try OptionText.number(
        text, in: 0...1e9, option: option, allowed: "seconds from the first sample, such as 2.5")
      return MotionDuration(seconds: seconds)
    }
    var span = RecordingSpan()
    span.from = try time(from, "--from") ?? .zero
    span.to = try time(to, "--to")
    if let end = span.to, end <= span.from {
      throw CommandFailure(.usage, "--to: must be greater than --from")
    }
    return span
  }
}
