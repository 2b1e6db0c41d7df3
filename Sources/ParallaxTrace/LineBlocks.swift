internal import Glibc

/// A file in blocks of whole lines, in constant memory.
///
/// `start..<end` are bytes not yet taken, made of whole lines: the byte before `end` is a line feed,
/// an added one where the file's last line has none. Behind `end` there are always 16 bytes more
/// that may be looked at.
struct LineBlocks: ~Copyable {
  /// Bytes in a line without its end.
  static let lineLimit = 65_536
  static let standardBlockSize = 262_144

  let input: TraceInput
  private let blockSize: Int
  private let base: UnsafeMutablePointer<UInt8>
  /// Offset of the first byte not taken.
  private(set) var start = 0
  /// Offset behind the last whole line.
  private(set) var end = 0
  // Bytes read, whole lines and the beginning of the next one.
  private var filled = 0
  /// Offset in the file of `base`.
  private var position = 0
  /// Nothing more is to be read.
  private(set) var isAtEnd = false
  /// The last line of this block, which is the file's last, had no line feed.
  private(set) var lastLineIsCut = false

  init(_ input: consuming TraceInput, blockSize: Int = standardBlockSize) {
    self.input = input
    self.blockSize = max(blockSize, 1)
    let capacity = Self.lineLimit + self.blockSize + 32
    base = .allocate(capacity: capacity)
    base.initialize(repeating: 0, count: capacity)
  }

  deinit {
    base.deallocate()
  }

  var bytes: UnsafeMutablePointer<UInt8> { base }

  /// Where in the file the next byte lies.
  var nextPosition: Int { position + start }

  /// Marks bytes as taken, up to the offset.
  mutating func take(to offset: Int) {
    start = offset
  }

  /// What `refill` came to.
  enum Refill {
    case lines
    case end
    /// A line is longer than `lineLimit`.
    case lineTooLong
  }

  /// Reads on until there is at least one whole line. To be called when all lines are taken.
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
      if filled > Self.lineLimit { return .lineTooLong }
    }
    guard filled > 0 else { return .end }
    base[filled] = UInt8(ascii: "\n")
    filled += 1
    end = filled
    lastLineIsCut = true
    return .lines
  }

  /// Goes back to an offset in the file. False where the input cannot.
  mutating func rewind(to offset: Int) -> Bool {
    guard input.canRewind, lseek(input.descriptor, offset, SEEK_SET) == offset else {
      return false
    }
    (start, end, filled, position) = (0, 0, 0, offset)
    isAtEnd = false
    lastLineIsCut = false
    return true
  }
}
