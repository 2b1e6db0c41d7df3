// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads a file in blocks of whole lines, in constant memory.
///
/// `start..<end` are the bytes not yet consumed. They are whole lines: the byte before `end` is a line
/// feed, which is added if the file's last line has none. At least 16 more bytes after `end` are
/// readable.
struct LineBlocks: ~Copyable {
  /// The maximum length of a line without its line feed, in bytes.
  static let maxLineLength = 65_536
  static let standardBlockSize = 262_144

  let input: TraceInput
  private let blockSize: Int
  private let base: UnsafeMutablePointer<UInt8>
  /// The offset of the first byte not consumed.
  private(set) var start = 0
  /// The offset after the last whole line.
  private(set) var end = 0
  /// The number of bytes read: whole lines and the beginning of the next one.
  private var filled = 0
  /// The position of `base` in the file.
  private var position = 0
  /// Whether the end of the file has been read.
  private(set) var isAtEnd = false
  /// Whether the last line of this block is the file's last and has no line feed.
  private(set) var lastLineIsUnterminated = false

  init(_ input: consuming TraceInput, blockSize: Int = standardBlockSize) {
    self.input = input
    self.blockSize = max(blockSize, 1)
    let capacity = Self.maxLineLength + self.blockSize + 32
    base = .allocate(capacity: capacity)
    base.initialize(repeating: 0, count: capacity)
  }

  deinit {
    base.deallocate()
  }

  var bytes: UnsafeMutablePointer<UInt8> { base }

  /// The position of the next byte in the file.
  var nextPosition: Int { position + start }

  /// Marks the bytes before an offset as consumed.
  mutating func consume(to offset: Int) {
    start = offset
  }

  /// The result of `refill`.
  enum Refill {
    /// At least one whole line is available.
    case lines
    /// The file has no more lines.
    case end
    /// A line exceeds the maximum length.
    case lineTooLong
  }

  /// Reads until at least one whole line is available. Call when all lines are consumed.
  mutating func refill() throws(TraceError) -> Refill {
    let rest = filled - start
    if start > 0 {
      base.update(from: base + start, count: rest)
      position += start
    }
    (start, end, filled) = (0, 0, rest)
    var searched = 0
    while !isAtEnd {
      let got = try input.read(into: base + filled, count: blockSize)
      if got == 0 {
        isAtEnd = true
        break
      }
      filled += got
      var last = filled
      while last > searched, base[last - 1] != UInt8(ascii: "\n") { last -= 1 }
      if last > searched {
        end = last
        return .lines
      }
      searched = filled
      if filled > Self.maxLineLength { return .lineTooLong }
    }
    guard filled > 0 else { return .end }
    base[filled] = UInt8(ascii: "\n")
    filled += 1
    end = filled
    lastLineIsUnterminated = true
    return .lines
  }

  /// Goes back to a position in the file. Returns false if the input cannot seek.
  mutating func rewind(to offset: Int) -> Bool {
    guard input.canRewind, lseek(input.descriptor, offset, SEEK_SET) == offset else {
      return false
    }
    (start, end, filled, position) = (0, 0, 0, offset)
    isAtEnd = false
    lastLineIsUnterminated = false
    return true
  }
}
