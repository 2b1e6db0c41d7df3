// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// Heap memory that is free but still belongs to this process.
package enum HeapMemory {
  /// Returns it to the system, as whole pages.
  ///
  /// Call it after freeing something large that consisted of many small pieces, such as a parsed
  /// megabyte of JSON; otherwise the allocator keeps that memory.
  package static func release() {
    parallax_trim_heap()
  }
}
