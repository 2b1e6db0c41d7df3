// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// The limit on this process's descriptors, RLIMIT_NOFILE.
package enum DescriptorLimit {
  /// The number of descriptors that this process may have open: every one is below it. nil if it is
  /// unknown.
  package static var current: Int? {
    limits.map { Int(clamping: $0.soft) }
  }

  /// Raises the limit to what this process is allowed. Linux has a low default for programs that use
  /// select(2), which this one does not; it starts no other program, which could.
  ///
  /// - Returns: The limit now; nil if it is unknown.
  @discardableResult
  package static func raise() -> Int? {
    if let limits, limits.soft < limits.hard {
      // Without success the old limit holds.
      _ = parallax_set_descriptor_limit(limits.hard, limits.hard)
    }
    return current
  }

  private static var limits: (soft: UInt64, hard: UInt64)? {
    var (soft, hard): (UInt64, UInt64) = (0, 0)
    return parallax_descriptor_limits(&soft, &hard) == 0 ? (soft, hard) : nil
  }
}
