// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
package import ParallaxBase

/// Reports that a file has left a folder, or that the folder itself has (inotify). Nothing else in the
/// folder calls the handler.
package final class FolderWatch: EventSource {
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
    super.init(loop)
    try add("sd_event_add_inotify", path: folder) {
      sd_event_add_inotify(
        loop.raw, $0, folder, PARALLAX_INOTIFY_LEAVING, Self.folderCallback, $1)
    }
  }

  override func handle(_ event: Event) {
    guard case .folder(let event) = event else { return }
    // An event without a name is about the folder itself.
    if event.pointee.len > 0, let found = parallax_inotify_name(event),
      String(cString: found) != name
    {
      return
    }
    handler()
  }
}
