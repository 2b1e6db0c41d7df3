/// The copies of all documents: those used last in memory, all of them in files, both within limits.
package struct DocumentCache: Sendable {
  /// Bytes of files. Default 64 MiB.
  package let byteLimit: Int
  /// Files. Default 1024.
  package let countLimit: Int
  /// What cannot be kept in files; told once until it works again. Nil: nothing is wrong.
  package private(set) var trouble: CacheTrouble?
  private var memory: MemoryCache
  /// nil: in memory alone.
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

  /// The copy of a document, wherever it is.
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
    case .forget:
      memory.remove(request)
      folder?.remove(name)
    }
  }

  private mutating func keep(_ bytes: [UInt8], _ name: String, seconds: Int64) {
    guard let folder else { return }
    do throws(CacheTrouble) {
      try folder.write(name, bytes, seconds: seconds)
      trouble = nil
    } catch {
      trouble = error
      // An older copy beside a newer one in memory would come back after the next start.
      folder.remove(name)
    }
    makeRoom(besides: name)
  }

  /// Takes the files away that have not been asked for longest.
  private func makeRoom(besides kept: String) {
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
