// SPDX-License-Identifier: Apache-2.0

/// The files of a cache; `CacheFiles` is the real implementation.
package protocol CacheFolder: Sendable {
  /// Reads a file of at most `limit` bytes, with its modification time; nil if there is none.
  func read(_ name: String, limit: Int) -> (bytes: [UInt8], seconds: Int64)?
  /// Writes a file atomically.
  /// - Throws: the reason why it was not written.
  func write(_ name: String, _ bytes: [UInt8], seconds: Int64) throws(CacheError)
  func touch(_ name: String, seconds: Int64)
  func remove(_ name: String)
  /// Lists the files of the cache.
  func list() -> [CacheListing]
}

package struct CacheListing: Equatable, Sendable {
  package let name: String
  package let bytes: Int
  /// The modification time, in seconds since 1970.
  package let seconds: Int64

  package init(name: String, bytes: Int, seconds: Int64) {
    self.name = name
    self.bytes = bytes
    self.seconds = seconds
  }
}

/// The reason why a cache is not usable, as one line of text.
package struct CacheError: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
