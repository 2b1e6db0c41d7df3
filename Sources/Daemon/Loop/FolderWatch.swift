// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
package import ParallaxBase

/// Reports that a file has left a folder, or that the folder itself has (inotify). Nothing else in the
/// folder calls the handler.
package final class FolderWatch {
  private var source: OpaquePointer?
  private let handler: () -> Void
  private let name: String

  /// - Parameters:
  ///   - name: The file's name in the folder.
  /// - Throws: `ENOSPC` or `EMFILE` if the user has too many watches.
  package init(
    _ loop: EventLoop, folder: String, file name: String, handler: @escaping () -> Void
  ) throws(SystemError) {
    self.handler = handler
    self.name = name
    try SystemError.check(
      sd_event_add_inotify(
        loop.raw, &source, folder, PARALLAX_INOTIFY_LEAVING,
        { _, event, userdata in
          guard let event, let userdata else { return 0 }
          let this = Unmanaged<FolderWatch>.fromOpaque(userdata).takeUnretainedValue()
          // The handler may drop the last reference to the watch.
          withExtendedLifetime(this) { this.receive(event) }
          return 0
        }, Unmanaged.passUnretained(self).toOpaque()),
      "sd_event_add_inotify", path: folder)
  }

  deinit {
    sd_event_source_disable_unref(source)
  }

  private func receive(_ event: UnsafePointer<inotify_event>) {
    // An event without a name is about the folder itself.
    if event.pointee.len > 0, let found = parallax_inotify_name(event),
      String(cString: found) != name
    {
      return
    }
    handler()
  }
}
