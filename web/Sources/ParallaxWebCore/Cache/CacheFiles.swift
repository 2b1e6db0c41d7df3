// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A folder of cached documents that only its owner may read. Files are written atomically.
package struct CacheFiles: CacheFolder {
  private let path: String

  /// Creates the folder if it does not exist. Its parent folder must exist.
  /// - Throws: the reason why the folder is not usable.
  package init(path: String) throws(CacheError) {
    self.path = path
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw CacheError("\(path): \(Self.reason(errno)); copies are kept only in memory")
    }
    guard access(path, R_OK | W_OK | X_OK) == 0 else {
      throw CacheError(
        "\(path): not a writable folder (\(Self.reason(errno))); copies are kept only in memory"
      )
    }
  }

  package func read(_ name: String, limit: Int) -> (bytes: [UInt8], seconds: Int64)? {
    // Follows no link and does not block on a pipe.
    let descriptor = open(file(name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= limit, let bytes = Descriptor.read(descriptor, limit: limit)
    else { return nil }
    return (bytes, Int64(status.st_mtim.tv_sec))
  }

  package func write(_ name: String, _ bytes: [UInt8], seconds: Int64) throws(CacheError) {
    let temporary = file(name) + ".new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw CacheError("\(temporary): \(Self.reason(errno)); the copy is kept only in memory")
    }
    let wasWritten = Descriptor.write(descriptor, bytes)
    let code = errno
    Self.setTime(descriptor, seconds: seconds)
    close(descriptor)
    guard wasWritten, rename(temporary, file(name)) == 0 else {
      let reason = Self.reason(wasWritten ? errno : code)
      unlink(temporary)
      throw CacheError("\(file(name)): \(reason); the copy is kept only in memory")
    }
  }

  package func touch(_ name: String, seconds: Int64) {
    let descriptor = open(file(name), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    Self.setTime(descriptor, seconds: seconds)
    close(descriptor)
  }

  package func remove(_ name: String) { unlink(file(name)) }

  package func list() -> [CacheListing] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var listing: [CacheListing] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      var status = stat()
      // Only the cache's own files: it must not remove any others.
      guard name.hasSuffix(CacheFile.suffix) || name.hasSuffix(CacheFile.suffix + ".new"),
        lstat(file(name), &status) == 0
      else { continue }
      listing.append(
        CacheListing(
          name: name, bytes: Int(status.st_size), seconds: Int64(status.st_mtim.tv_sec)))
    }
    return listing
  }

  private func file(_ name: String) -> String { "\(path)/\(name)" }

  private static func setTime(_ descriptor: Int32, seconds: Int64) {
    let time = timespec(tv_sec: Int(seconds), tv_nsec: 0)
    // If this fails, the time is the current one, which is close enough.
    _ = [time, time].withUnsafeBufferPointer { futimens(descriptor, $0.baseAddress) }
  }

  private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
