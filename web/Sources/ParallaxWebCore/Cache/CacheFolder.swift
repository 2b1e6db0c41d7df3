/// The files of a cache, as the rules see them; the real ones are `CacheFiles`.
package protocol CacheFolder: Sendable {
  /// - Parameter limit: of longer ones nothing is given.
  func read(_ name: String, limit: Int) -> (bytes: [UInt8], seconds: Int64)?
  /// Puts a file there, whole or not at all.
  /// - Throws: why it cannot be written, for a person.
  func write(_ name: String, _ bytes: [UInt8], seconds: Int64) throws(CacheTrouble)
  func touch(_ name: String, seconds: Int64)
  func remove(_ name: String)
  /// Everything that is there.
  func list() -> [CacheListing]
}

package struct CacheListing: Equatable, Sendable {
  package let name: String
  package let bytes: Int
  /// Of its last modification, since 1970.
  package let seconds: Int64

  package init(name: String, bytes: Int, seconds: Int64) {
    self.name = name
    self.bytes = bytes
    self.seconds = seconds
  }
}

/// Why a cache cannot be written: one line for a person.
package struct CacheTrouble: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
