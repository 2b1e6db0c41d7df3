// SPDX-License-Identifier: Apache-2.0

/// Splits the bytes from a socket into lines. Bytes after the last line feed wait for the rest of their
/// line.
struct LineSplitter: Sendable {
  /// The longest line of the protocol is a STATUS of a few KiB. A longer one than this does not come
  /// from parallaxd.
  static let maxLineLength = 1 << 20

  private var bytes: [UInt8] = []
  /// The start of the first line that has not been returned.
  private var start = 0
  /// The end of the bytes that were searched for a line feed.
  private var searched = 0

  /// Whether a line exceeds the maximum length.
  var isOverlong: Bool { bytes.count - start > Self.maxLineLength }

  mutating func append(_ more: UnsafeRawBufferPointer) {
    if start > 0 {
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes.append(contentsOf: more)
  }

  /// Returns the next whole line without its line feed; nil until more bytes arrive.
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
