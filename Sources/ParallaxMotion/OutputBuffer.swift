/// Bytes on their way out: lines are put together here, written, and the memory is used again, so
/// that a frame costs no allocation once the buffer has grown to its size.
///
/// It owns its memory alone and cannot be copied, so it may move to another thread.
package struct OutputBuffer: ~Copyable, @unchecked Sendable {  // unchecked: sole owner of `base`
  @usableFromInline var base: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity: Int
  @usableFromInline var used = 0

  /// - Parameter capacity: bytes held before the buffer has to grow.
  package init(capacity: Int = 512) {
    self.capacity = max(capacity, 64)
    base = .allocate(capacity: self.capacity)
  }

  deinit {
    base.deallocate()
  }

  /// Bytes waiting.
  @inlinable
  package var count: Int { used }

  @inlinable
  package var isEmpty: Bool { used == 0 }

  /// Forgets the bytes and keeps the memory.
  @inlinable
  package mutating func removeAll() {
    used = 0
  }

  /// Forgets the first bytes, as after a write that took only some of them.
  package mutating func removeFirst(_ taken: Int) {
    let gone = min(max(taken, 0), used)
    let rest = used - gone
    if gone > 0, rest > 0 {
      base.update(from: base + gone, count: rest)
    }
    used = rest
  }

  /// Makes room for that many more bytes.
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

  /// Lends the bytes. They must not be kept.
  @inlinable
  package borrowing func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: base, count: used))
  }

  /// The bytes as text; what is no UTF-8 is replaced. For messages and tests.
  package var text: String {
    String(decoding: UnsafeBufferPointer(start: base, count: used), as: UTF8.self)
  }

  @usableFromInline
  mutating func grow(by more: Int) {
    let wanted = max(capacity * 2, used + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
    larger.update(from: base, count: used)
    base.deallocate()
    base = larger
    capacity = wanted
  }
}
