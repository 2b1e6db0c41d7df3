import CSystemd

/// What of the heap is free and still this process's.
package enum HeapMemory {
  /// Gives it back, as far as whole pages are free. For the end of something large that was many small
  /// pieces, as a JSON text of a megabyte: the allocator keeps those for ever.
  package static func release() {
    parallax_trim_heap()
  }
}
