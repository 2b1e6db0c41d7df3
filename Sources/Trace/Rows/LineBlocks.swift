// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Whole lines of a file, in memory that is used again for the next ones.
///
/// `start..<end` are the bytes not yet consumed; the byte before `end` is a line feed, which is added if the
/// file's last line has none. At least `padding` more bytes follow, so words can be loaded at any of them.
package struct LineBlock: ~Copyable, Sendable {
  /// Bytes after `end` that may be loaded but mean nothing.
  static let padding = 64

  fileprivate(set) var bytes: [UInt8] = []
  /// The offset of the first byte not consumed.
  var start = 0
  /// The offset after the last whole line.
  fileprivate(set) var end = 0
  /// The position of the first byte in the file.
  fileprivate(set) var position = 0
  /// Whether this is the file's last line and has no line feed.
  fileprivate(set) var isUnterminated = false

  package init() {}

  package var isEmpty: Bool { start == end }

  /// The position of the next byte in the file.
  package var nextPosition: Int { position + start }

  /// Makes room for a number of bytes and the padding.
  fileprivate mutating func reserve(_ count: Int) {
    let missing = count + Self.padding - bytes.count
    if missing > 0 { bytes += [UInt8](repeating: 0, count: missing) }
  }
}

/// Reads a file in blocks of whole lines, in constant memory.
package struct LineBlocks: ~Copyable, Sendable {
  /// The maximum length of a line without its line feed, in bytes.
  static let maxLineLength = 65_536
  /// Large enough that a call costs little beside its bytes, small enough that they stay in the cache.
  static let standardBlockSize = 65_536

  let input: TraceInput
  private let blockSize: Int
  /// The beginning of a line whose end has not been read.
  private var rest: [UInt8] = []
  /// The position of the next block in the file.
  private var position = 0
  private var isAtEnd = false

  init(_ input: consuming TraceInput, blockSize: Int = standardBlockSize) {
    self.input = input
    self.blockSize = max(blockSize, 1)
  }

  /// The result of `read`.
  package enum Outcome: Sendable {
    /// At least one whole line.
    case lines
    /// No whole line has arrived. Only without waiting.
    case pending
    /// The file has no more lines.
    case end
    /// A line exceeds the maximum length. The block has its beginning and no lines.
    case lineTooLong
    case failed(TraceError)
  }

  /// Reads until the block has at least one whole line. What was in it before is gone.
  ///
  /// - Parameter waits: Whether to wait for a line of a pipe that has none now.
  package mutating func read(into block: inout LineBlock, waits: Bool = true) -> Outcome {
    do throws(TraceError) {
      return try readLines(into: &block, waits)
    } catch {
      return .failed(error)
    }
  }

  private mutating func readLines(
    into block: inout LineBlock, _ waits: Bool
  ) throws(TraceError) -> Outcome {
    var filled = rest.count
    block.reserve(filled + blockSize)
    for index in rest.indices { block.bytes[index] = rest[index] }
    rest.removeAll(keepingCapacity: true)
    (block.start, block.end, block.position) = (0, 0, position)
    block.isUnterminated = false
    while !isAtEnd {
      guard waits || input.isReady else {
        rest.append(contentsOf: block.bytes[..<filled])
        return .pending
      }
      block.reserve(filled + blockSize)
      let got = try input.read(into: &block.bytes, at: filled, count: blockSize)
      if got == 0 {
        isAtEnd = true
        break
      }
      let searched = filled
      filled += got
      if let last = block.bytes[searched..<filled].lastIndex(of: UInt8(ascii: "\n")) {
        block.end = last + 1
        rest.append(contentsOf: block.bytes[block.end..<filled])
        position += block.end
        return .lines
      }
      if filled > Self.maxLineLength { return .lineTooLong }
    }
    guard filled > 0 else { return .end }
    block.reserve(filled + 1)
    block.bytes[filled] = UInt8(ascii: "\n")
    block.end = filled + 1
    position += block.end
    block.isUnterminated = true
    return .lines
  }

  /// Goes back to a position in the file. Returns false if the input cannot seek.
  mutating func rewind(to offset: Int) -> Bool {
    guard input.canRewind, lseek(input.descriptor, offset, SEEK_SET) == offset else {
      return false
    }
    rest.removeAll()
    position = offset
    isAtEnd = false
    return true
  }
}
