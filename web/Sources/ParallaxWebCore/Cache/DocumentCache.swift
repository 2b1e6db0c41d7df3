// SPDX-License-Identifier: Apache-2.0

/// The cache of documents: recently used ones in memory, all of them in files, both with limits.
package struct DocumentCache: Sendable {
  /// The maximum size of all files, in bytes. Default: 64 MiB.
  package let byteLimit: Int
  /// The maximum number of files. Default: 1024.
  package let countLimit: Int
  /// The error of the last write; nil if it succeeded.
  package private(set) var error: CacheError?
  private var memory: MemoryCache
  /// Nil if documents are kept only in memory.
  private let folder: (any CacheFolder)?

  package init(
    folder: (any CacheFolder)?, memory: MemoryCache = MemoryCache(), byteLimit: Int = 64 << 20,
    countLimit: Int = 1024
  ) {
    self.folder = folder
    self.memory = memory
    self.byteLimit = byteLimit
    self.countLimit = countLimit
  }

  /// Returns the cached copy of a document from memory or a file.
  package mutating func copy(of request: FetchRequest) -> CachedDocument? {
    if let document = memory.copy(of: request) { return document }
    let name = CacheFile.name(request)
    guard let (bytes, seconds) = folder?.read(name, limit: CacheFile.lengthLimit) else {
      return nil
    }
    guard let document = CacheFile.read(bytes, request, checkedSeconds: seconds) else {
      folder?.remove(name)
      return nil
    }
    memory.store(document, for: request)
    return document
  }

  package mutating func apply(_ change: Fetch.CacheChange, for request: FetchRequest) {
    let name = CacheFile.name(request)
    switch change {
    case .none: break
    case .store(let document):
      memory.store(document, for: request)
      keep(CacheFile.bytes(document, request), name, seconds: document.checkedSeconds)
    case .touch(let seconds):
      memory.touch(request, seconds: seconds)
      folder?.touch(name, seconds: seconds)
    case .remove:
      memory.remove(request)
      folder?.remove(name)
    }
  }

  private mutating func keep(_ bytes: [UInt8], _ name: String, seconds: Int64) {
    guard let folder else { return }
    do throws(CacheError) {
      try folder.write(name, bytes, seconds: seconds)
      self.error = nil
    } catch {
      self.error = error
      // Otherwise the older copy in the file would be used after a restart.
      folder.remove(name)
    }
    removeOldest(except: name)
  }

  /// Removes the files with the oldest checks until the limits hold.
  private func removeOldest(except kept: String) {
    guard let folder else { return }
    var files = folder.list().sorted { ($0.seconds, $0.name) < ($1.seconds, $1.name) }
    var bytes = files.reduce(0) { $0 + $1.bytes }
    while bytes > byteLimit || files.count > countLimit,
      let oldest = files.firstIndex(where: { $0.name != kept })
    {
      let file = files.remove(at: oldest)
      folder.remove(file.name)
      bytes -= file.bytes
    }
  }
}
