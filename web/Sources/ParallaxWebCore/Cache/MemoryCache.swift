// SPDX-License-Identifier: Apache-2.0

/// A cache in memory that removes the least recently used documents when a limit is exceeded.
package struct MemoryCache: Sendable {
  /// The maximum size of all texts, in bytes. Default: 8 MiB.
  package let byteLimit: Int
  /// The maximum number of documents. Default: 64.
  package let countLimit: Int
  package private(set) var bytes = 0
  private var entries: [FetchRequest: Entry] = [:]
  private var uses: UInt64 = 0

  private struct Entry {
    var document: CachedDocument
    var lastUse: UInt64
  }

  package init(byteLimit: Int = 8 << 20, countLimit: Int = 64) {
    self.byteLimit = byteLimit
    self.countLimit = countLimit
  }

  package var count: Int { entries.count }

  /// Returns a copy and counts that as a use.
  package mutating func copy(of request: FetchRequest) -> CachedDocument? {
    guard var entry = entries[request] else { return nil }
    uses += 1
    entry.lastUse = uses
    entries[request] = entry
    return entry.document
  }

  package mutating func store(_ document: CachedDocument, for request: FetchRequest) {
    remove(request)
    guard document.text.count <= byteLimit else { return }
    uses += 1
    entries[request] = Entry(document: document, lastUse: uses)
    bytes += document.text.count
    while bytes > byteLimit || entries.count > countLimit, let oldest { remove(oldest) }
  }

  package mutating func touch(_ request: FetchRequest, seconds: Int64) {
    entries[request]?.document.checkedSeconds = seconds
  }

  package mutating func remove(_ request: FetchRequest) {
    guard let entry = entries.removeValue(forKey: request) else { return }
    bytes -= entry.document.text.count
  }

  private var oldest: FetchRequest? {
    entries.min { $0.value.lastUse < $1.value.lastUse }?.key
  }
}
