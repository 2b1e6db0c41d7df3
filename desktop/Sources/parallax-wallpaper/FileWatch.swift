// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Tells when files may have changed: a descriptor that is readable then. It watches the folders they are in,
/// since programs write a new file and rename it.
final class FileWatch {
  /// Readable after a change of any file in these folders.
  let descriptor: Int32
  /// The names to look for in each folder, by its watch.
  private var names: [Int32: Set<String>] = [:]

  init() {
    descriptor = clinux_inotify()
  }

  deinit { close(descriptor) }

  /// Watches these files instead of those before, and what they are links to.
  func watch(_ paths: [String]) {
    var folders: [String: Set<String>] = [:]
    for path in paths {
      for path in Set([path, realPath(path)]) {
        let path = path.hasSuffix("/") ? String(path.dropLast()) : path
        guard let slash = path.lastIndex(of: "/") else {
          folders[".", default: []].insert(path)
          continue
        }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        folders[folder, default: []].insert(String(path[path.index(after: slash)...]))
      }
    }
    let old = names
    names = [:]
    for (folder, files) in folders {
      // A folder that is not there cannot be watched; its own folder can.
      let watch = clinux_watch(descriptor, folder)
      if watch >= 0 { names[watch, default: []].formUnion(files) }
    }
    for watch in old.keys where names[watch] == nil { inotify_rm_watch(descriptor, watch) }
  }

  /// Reads what has happened. Returns whether one of the files may have changed.
  func clear() -> Bool {
    var hasChanged = false
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return hasChanged }
      var start = 0
      while start + clinux_event_size <= count {
        let event = buffer.withUnsafeBytes {
          $0.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
        }
        let nameStart = start + clinux_event_size
        let name = buffer[nameStart..<(nameStart + Int(event.len))].prefix { $0 != 0 }
        // Without a name: the folder itself is gone, or events were lost.
        if name.isEmpty || names[event.wd]?.contains(String(decoding: name, as: UTF8.self)) == true
        {
          hasChanged = hasChanged || event.mask & UInt32(IN_IGNORED) == 0
        }
        start = nameStart + Int(event.len)
      }
    }
  }

  private func realPath(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
