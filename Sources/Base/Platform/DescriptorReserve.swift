// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The last descriptors below the limit of the process (RLIMIT_NOFILE), which are kept for privileged
/// clients and for files that the daemon opens while it runs.
package enum DescriptorReserve {
  package static let count = 16

  /// Whether a descriptor is one of the last. The kernel always takes the lowest free number, so all
  /// others are then in use.
  package static func contains(_ descriptor: Int32) -> Bool {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return false }
    return contains(descriptor, limit: UInt64(limit.rlim_cur))
  }

  static func contains(_ descriptor: Int32, limit: UInt64) -> Bool {
    descriptor >= 0 && UInt64(descriptor) + UInt64(count) >= limit
  }
}
