// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
package import ParallaxBase

/// Waits for changes of a file (inotify): it is written and closed, or another file takes its name, as many
/// editors do. Its folder is watched, so that the file may be missing for a while.
package final class FileChangeWatch {
  private let descriptor: Int32
  private let name: String

  /// - Parameter path: The file. Its folder must exist.
  package init(path: String) throws(SystemError) {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    descriptor = inotify_init1(Int32(PARALLAX_INOTIFY_CLOEXEC))
    guard descriptor >= 0 else { throw .last("inotify_init1") }
    guard inotify_add_watch(descriptor, folder, PARALLAX_INOTIFY_CHANGING) >= 0 else {
      let error = SystemError.last("inotify_add_watch")
      close(descriptor)
      throw error
    }
  }

  deinit {
    close(descriptor)
  }

  /// What `wait` waits for.
  package enum Event: Equatable, Sendable {
    case changed
    /// The folder is gone, or its name.
    case gone
    /// The other descriptor is readable.
    case interrupted
  }

  /// Waits for the next change of the file, which may have happened since the last call.
  ///
  /// - Parameter interruption: A descriptor that ends the wait when it becomes readable.
  package func wait(interruption: Int32) throws(SystemError) -> Event {
    while true {
      var entries = [descriptor, interruption].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&entries, 2, -1) > 0 else {
        if errno == EINTR { continue }
        throw .last("poll")
      }
      if entries[1].revents != 0 { return .interrupted }
      if let event = try read() { return event }
    }
  }

  /// Reads what has happened in the folder; nil if it does not concern the file.
  private func read() throws(SystemError) -> Event? {
    // Aligned as events are; several fit.
    var block = [UInt64](repeating: 0, count: 1024)
    let count = block.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { return nil }
    guard count > 0 else { throw .last("read") }
    return block.withUnsafeBytes { bytes in
      var result: Event?
      var place = 0
      while place < count, let base = bytes.baseAddress {
        let event = (base + place).assumingMemoryBound(to: inotify_event.self)
        if event.pointee.mask & PARALLAX_INOTIFY_GONE != 0 { return .gone }
        if let found = parallax_inotify_name(event), String(cString: found) == name {
          result = .changed
        }
        place += MemoryLayout<inotify_event>.size + Int(event.pointee.len)
      }
      return result
    }
  }
}
