// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// The pages of this program's code that are in memory.
package enum ResidentCode {
  /// Drops all of them; code that runs again is mapped again from the kernel's cache, page by page.
  ///
  /// Call it at the end of startup, whose code mostly never runs again: in parallaxd it takes 2 MB.
  package static func release() {
    // If the kernel refuses, the pages stay: no harm done.
    _ = parallax_release_code()
  }
}
