/// Bytes as they come from a socket, given out line by line. A line in several pieces is put
/// together; what is behind the last line feed waits for more.
struct LineSplitter: Sendable {
  /// The longest line of the protocol is a STATUS of a few KiB; what is longer than this is not ours.
  static let lineLimit = 1 << 20

  private var bytes: [UInt8] = []
  /// Where the first line that was not given out begins.
  private var start = 0
  /// Where to go on looking for a line feed.
  private var searched = 0

  /// Whether a line is longer than any can be.
  var isOverlong: Bool { bytes.count - start > Self.lineLimit }

  mutating func append(_ more: UnsafeRawBufferPointer) {
    if start > 0 {
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes.append(contentsOf: more)
  }

  /// The next whole line without its line feed, or nil until more comes.
  mutating func next() -> ArraySlice<UInt8>? {
    guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = bytes.count
      return nil
    }
    let line = bytes[start..<end]
    start = end + 1
    searched = start
    return line
  }
}
