// SPDX-License-Identifier: Apache-2.0

/// A growing buffer in which lines are built before they are written.
///
/// Its memory is reused: once it has grown to its size, a frame costs no allocation. It is the only
/// owner of its memory and cannot be copied, so it may move to another thread.
package struct OutputBuffer: ~Copyable, @unchecked Sendable {  // unchecked: sole owner of `base`
  @usableFromInline var base: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity: Int
  @usableFromInline var used = 0

  /// - Parameter capacity: the number of bytes that fit before the buffer grows.
  package init(capacity: Int = 512) {
    self.capacity = max(capacity, 64)
    base = .allocate(capacity: self.capacity)
  }

  deinit {
    base.deallocate()
  }

  /// The number of bytes in the buffer.
  @inlinable
  package var count: Int { used }

  @inlinable
  package var isEmpty: Bool { used == 0 }

  /// Removes all bytes and keeps the memory.
  @inlinable
  package mutating func removeAll() {
    used = 0
  }

  /// Grows the buffer unless that many more bytes fit.
  @inlinable
  package mutating func reserve(_ more: Int) {
    if capacity - used < more {
      grow(by: more)
    }
  }

  @inlinable
  package mutating func append(byte: UInt8) {
    reserve(1)
    base[used] = byte
    used += 1
  }

  @inlinable
  package mutating func append(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    reserve(length)
    (base + used).update(from: text.utf8Start, count: length)
    used += length
  }

  package mutating func append(bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count)
    UnsafeMutableRawPointer(base + used).copyMemory(from: source, byteCount: bytes.count)
    used += bytes.count
  }

  package mutating func append(text: String) {
    var text = text
    text.withUTF8 { append(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// Calls `body` with the bytes, which are valid only during the call.
  @inlinable
  package borrowing func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: base, count: used))
  }

  /// Calls `body` with the memory after the last byte, as far as it is allocated. `body` returns how many
  /// bytes of it are used, beside a result. Call `reserve` before.
  @inlinable
  package mutating func withSpareBytes<Result>(
    _ body: (inout MutableRawSpan) -> (used: Int, result: Result)
  ) -> Result {
    var spare = MutableRawSpan(
      _unsafeStart: UnsafeMutableRawPointer(base + used), byteCount: capacity - used)
    let (added, result) = body(&spare)
    precondition(added >= 0 && added <= capacity - used, "more bytes than there are")
    used += added
    return result
  }

  /// The bytes as text, for messages and tests; invalid UTF-8 is replaced.
  package var text: String {
    String(decoding: UnsafeBufferPointer(start: base, count: used), as: UTF8.self)
  }

  @usableFromInline
  mutating func grow(by more: Int) {
    let newCapacity = max(capacity * 2, used + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: newCapacity)
    larger.update(from: base, count: used)
    base.deallocate()
    base = larger
    capacity = newCapacity
  }
}
