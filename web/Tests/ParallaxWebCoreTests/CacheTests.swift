// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxWebCore
import Synchronization
import Testing

/// Files in memory, on a disk that can be full.
final class FakeFolder: CacheFolder {
  struct State {
    var files: [String: (bytes: [UInt8], seconds: Int64)] = [:]
    var isFull = false
    var reads = 0
  }

  let state = Mutex(State())

  func read(_ name: String, limit: Int) -> (bytes: [UInt8], seconds: Int64)? {
    state.withLock {
      $0.reads += 1
      return $0.files[name].flatMap { $0.bytes.count <= limit ? $0 : nil }
    }
  }

  func write(_ name: String, _ bytes: [UInt8], seconds: Int64) throws(CacheError) {
    let isFull = state.withLock { state in
      if !state.isFull { state.files[name] = (bytes, seconds) }
      return state.isFull
    }
    if isFull { throw CacheError("no space") }
  }

  func touch(_ name: String, seconds: Int64) {
    state.withLock { $0.files[name]?.seconds = seconds }
  }

  func remove(_ name: String) { _ = state.withLock { $0.files.removeValue(forKey: name) } }

  func list() -> [CacheListing] {
    state.withLock {
      $0.files.map {
        CacheListing(name: $0.key, bytes: $0.value.bytes.count, seconds: $0.value.seconds)
      }
    }
  }

  var names: [String] { list().map(\.name).sorted() }
  var reads: Int { state.withLock { $0.reads } }

  /// Changes the bytes of every file.
  func change(_ body: (inout [UInt8]) -> Void) {
    state.withLock { state in
      for name in state.files.keys {
        if var file = state.files[name] {
          body(&file.bytes)
          state.files[name] = file
        }
      }
    }
  }
}

@Suite("Cache")
struct CacheTests {
  private func request(_ id: String, base: String = "https://example.org/a") throws -> FetchRequest
  {
    try FetchTests.request(base, id)
  }

  /// Returns a document of `bytes` bytes.
  private func document(
    _ bytes: Int = 20, tag: String? = "\"v1\"", seconds: Int64 = 1000
  ) throws -> CachedDocument {
    let text = "{\"a\":\"" + String(repeating: "x", count: bytes - 8) + "\"}"
    return try CachedDocument(text: Array(text.utf8), entityTag: tag, checkedSeconds: seconds)
  }

  // MARK: - In memory

  @Test func leastRecentlyUsedDocumentIsRemoved() throws {
    var cache = MemoryCache(byteLimit: 100, countLimit: 3)
    for id in ["a", "b", "c"] { cache.store(try document(), for: try request(id)) }
    #expect(try cache.copy(of: request("a")) != nil)
    cache.store(try document(), for: try request("d"))
    #expect(try cache.copy(of: request("b")) == nil, "the least recently used")
    #expect(try cache.copy(of: request("a")) != nil && cache.copy(of: request("d")) != nil)
    cache.store(try document(90), for: try request("e"))
    #expect(cache.count == 1 && cache.bytes == 90)
    cache.store(try document(101), for: try request("f"))
    #expect(try cache.copy(of: request("f")) == nil, "larger than the limit")
    #expect(try cache.copy(of: request("e")) != nil)
  }

  @Test func memoryKeepsToItsLimits() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = Random(seed)
    var cache = MemoryCache(byteLimit: 1000, countLimit: 10)
    for _ in 0..<5000 {
      let request = try request("a\(Int.random(in: 0..<30, using: &generator))")
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: _ = cache.copy(of: request)
      case 1: cache.remove(request)
      default:
        cache.store(
          try document(Int.random(in: 10...300, using: &generator)), for: request)
      }
      #expect(cache.bytes <= 1000 && cache.count <= 10, "seed \(seed)")
    }
  }

  // MARK: - In files

  @Test func copySurvivesARestart() throws {
    let folder = FakeFolder()
    let request = try request("nudge")
    for tag in ["\"v1\"", nil] {
      let document = try document(tag: tag)
      var first = DocumentCache(folder: folder)
      first.apply(.store(document), for: request)
      var second = DocumentCache(folder: folder)
      #expect(second.copy(of: request) == document)
      second.apply(.touch(seconds: 2000), for: request)
      #expect(second.copy(of: request)?.checkedSeconds == 2000)
      var third = DocumentCache(folder: folder)
      #expect(third.copy(of: request)?.checkedSeconds == 2000)
      third.apply(.remove, for: request)
      #expect(third.copy(of: request) == nil && folder.names.isEmpty)
    }
  }

  @Test func memoryIsReadFirst() throws {
    let folder = FakeFolder()
    let request = try request("nudge")
    var cache = DocumentCache(folder: folder)
    cache.apply(.store(try document()), for: request)
    for _ in 0..<3 { #expect(cache.copy(of: request) != nil) }
    #expect(folder.reads == 0)
  }

  @Test func copyBelongsToOneServer() throws {
    let folder = FakeFolder()
    var cache = DocumentCache(folder: folder)
    cache.apply(.store(try document()), for: try request("nudge"))
    #expect(try cache.copy(of: request("nudge", base: "https://example.com/a")) == nil)
    #expect(try cache.copy(of: request("nudge2")) == nil)
    // Even if the file has the same name.
    let other = try request("nudge", base: "https://example.com/a")
    folder.state.withLock { state in
      state.files[CacheFile.name(other)] = state.files.values.first
    }
    #expect(cache.copy(of: other) == nil)
    #expect(folder.names == [CacheFile.name(try request("nudge"))], "the wrong file is removed")
  }

  /// Truncates a file at each byte and changes each byte.
  @Test func damagedFileIsNotUsed() throws {
    let request = try request("nudge")
    let document = try document()
    let whole = CacheFile.bytes(document, request)
    #expect(CacheFile.read(whole, request, checkedSeconds: 1000) == document)
    for index in whole.indices {
      #expect(CacheFile.read(Array(whole[..<index]), request, checkedSeconds: 1000) == nil)
      var changed = whole
      changed[index] ^= 0x11
      let copy = CacheFile.read(changed, request, checkedSeconds: 1000)
      // Only the tag is not part of the sum: with a wrong one the document is fetched again.
      #expect(copy == nil || copy?.text == document.text, "byte \(index)")
    }
    let folder = FakeFolder()
    var cache = DocumentCache(folder: folder)
    cache.apply(.store(document), for: request)
    folder.change { $0[$0.count - 3] ^= 1 }
    var next = DocumentCache(folder: folder)
    #expect(next.copy(of: request) == nil && folder.names.isEmpty)
  }

  @Test func onlyObjectsAreCached() {
    for text in ["", "[]", "{", "<html>", "{}x"] {
      #expect(throws: JSONObjectCheck.SyntaxError.self) {
        try CachedDocument(text: Array(text.utf8), entityTag: nil, checkedSeconds: 0)
      }
    }
  }

  @Test func filesKeepToTheirLimits() throws {
    let folder = FakeFolder()
    let size = CacheFile.bytes(try document(), try request("a1")).count
    var cache = DocumentCache(folder: folder, byteLimit: 4 * size, countLimit: 3)
    for index in 1...6 {
      cache.apply(.store(try document(seconds: Int64(index))), for: try request("a\(index)"))
    }
    #expect(folder.names.map { $0.prefix(2) } == ["a4", "a5", "a6"])
    // a4 was checked again, so a5 is the oldest.
    cache.apply(.touch(seconds: 7), for: try request("a4"))
    cache.apply(.store(try document(seconds: 8)), for: try request("a7"))
    #expect(folder.names.map { $0.prefix(2) } == ["a4", "a6", "a7"])
    cache.apply(.store(try document(2 * size, seconds: 9)), for: try request("a8"))
    #expect(folder.names.contains { $0.hasPrefix("a8") })
    #expect(folder.list().reduce(0) { $0 + $1.bytes } <= 4 * size)
  }

  @Test func memoryWorksWithAFullDisk() throws {
    let folder = FakeFolder()
    let request = try request("nudge")
    var cache = DocumentCache(folder: folder)
    cache.apply(.store(try document()), for: request)
    folder.state.withLock { $0.isFull = true }
    let newer = try document(30)
    cache.apply(.store(newer), for: request)
    #expect(cache.error == CacheError("no space"))
    #expect(cache.copy(of: request) == newer)
    #expect(folder.names.isEmpty, "no old copy that a restart would use")
    folder.state.withLock { $0.isFull = false }
    cache.apply(.store(newer), for: request)
    #expect(cache.error == nil && folder.names.count == 1)
  }

  // MARK: - In real files

  @Test func realFiles() throws {
    let path = try temporaryFolder()
    defer { removeTree(path) }
    let files = try CacheFiles(path: path + "/cache")
    #expect(try CacheFiles(path: path + "/cache").list().isEmpty, "the folder may exist")
    try files.write("a.document", [1, 2, 3], seconds: 1000)
    try files.write("a.document", [4, 5], seconds: 1001)
    #expect(files.read("a.document", limit: 2)?.bytes == [4, 5])
    #expect(files.read("a.document", limit: 2)?.seconds == 1001)
    #expect(files.read("a.document", limit: 1) == nil, "longer than the limit")
    files.touch("a.document", seconds: 1002)
    #expect(files.list() == [CacheListing(name: "a.document", bytes: 2, seconds: 1002)])
    var status = stat()
    #expect(stat(path + "/cache/a.document", &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(stat(path + "/cache", &status) == 0 && status.st_mode & 0o777 == 0o700)
    // No links, no pipes and no blocking.
    symlink("/etc/passwd", path + "/cache/b.document")
    mkfifo(path + "/cache/c.document", 0o600)
    #expect(files.read("b.document", limit: 1 << 20) == nil)
    #expect(files.read("c.document", limit: 1 << 20) == nil)
    files.remove("a.document")
    #expect(files.read("a.document", limit: 10) == nil)
  }

  @Test func invalidFolders() throws {
    let path = try temporaryFolder()
    defer { removeTree(path) }
    #expect(throws: CacheError.self) { try CacheFiles(path: path + "/none/cache") }
    close(open(path + "/file", O_CREAT | O_WRONLY, 0o600))
    #expect(throws: CacheError.self) { try CacheFiles(path: path + "/file/cache") }
  }
}

/// Creates a folder in /tmp.
func temporaryFolder() throws -> String {
  var template = Array("/tmp/parallax.XXXXXX".utf8CString)
  try #require(mkdtemp(&template) != nil)
  return template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
}

func removeTree(_ path: String) {
  guard let folder = opendir(path) else {
    unlink(path)
    return
  }
  while let entry = readdir(folder) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name == "." || name == ".." { continue }
    var status = stat()
    if lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      removeTree("\(path)/\(name)")
    } else {
      unlink("\(path)/\(name)")
    }
  }
  closedir(folder)
  rmdir(path)
}
