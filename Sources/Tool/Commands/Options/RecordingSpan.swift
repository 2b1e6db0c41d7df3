// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// The part of a recording that is written or drawn. The filters run from the start of the recording, so that
/// the offsets in it are those of the whole replay.
struct ReplaySpan: Equatable, Sendable {
  /// The time after the first sample at which it begins; default: 0.
  var from = MotionDuration.zero
  /// The time after the first sample at which it ends, inclusive; nil: at the end of the recording.
  var to: MotionDuration?

  var isWhole: Bool { from == .zero && to == nil }

  func contains(_ elapsed: MotionDuration) -> Bool {
    elapsed >= from && to.map { elapsed <= $0 } ?? true
  }
}
