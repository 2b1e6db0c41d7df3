import CSystemd

/// What of this program's code is in memory.
package enum ResidentCode {
  /// Lets go of all of it; what runs again comes back page by page, from the kernel's cache. For the
  /// end of a start, most of which never runs again: in parallaxd that is 2 MB.
  package static func release() {
    // Where the kernel refuses, nothing is lost but that memory.
    _ = parallax_release_code()
  }
}
