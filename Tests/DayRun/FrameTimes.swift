// SPDX-License-Identifier: Apache-2.0

/// The numbers and times of the OFFSET lines of one subscriber, compared with a grid.
struct FrameTimes {
  private(set) var count = 0
  /// Frames whose number is not the one after the last.
  private(set) var gaps = 0
  /// The greatest distance of frame n's time from the first time plus n/rate, in nanoseconds.
  private(set) var maxDrift: Int64 = 0
  /// Frames per second, from the WATCH that answers the subscriber's.
  private var rate: Int64 = 0
  private var first: (time: Int64, number: Int64) = (0, 0)
  private var lastNumber: Int64 = 0

  /// Takes the whole numbers out of `{"class":"OFFSET","seq":42,"time":12.345678901,...`.
  mutating func add(line: Slice<UnsafeRawBufferPointer>) {
    let head = Array(#"{"class":"OFFSET","seq":"#.utf8)
    let answer = Array(#"{"class":"WATCH","#.utf8)
    if line.starts(with: answer) {
      let key = Array(#""rate":"#.utf8)
      guard let place = line.indices.first(where: { line[$0...].starts(with: key) }) else { return }
      rate = Self.number(line[(place + key.count)...])
      count = 0
      return
    }
    guard rate > 0, line.starts(with: head) else { return }
    let rest = line.dropFirst(head.count)
    let number = Self.number(rest)
    guard let colon = rest.firstIndex(of: UInt8(ascii: ":")) else { return }
    // 9 decimals: without the point, nanoseconds.
    let time = Self.number(rest[(colon + 1)...])
    if count == 0 {
      first = (time, number)
    } else {
      if number != lastNumber + 1 { gaps += 1 }
      let (seconds, part) = (number - first.number).quotientAndRemainder(dividingBy: rate)
      let exact = first.time + seconds * 1_000_000_000 + (part * 1_000_000_000 + rate / 2) / rate
      maxDrift = max(maxDrift, abs(time - exact))
    }
    lastNumber = number
    count += 1
  }

  /// Returns the digits at the start as a number, without a decimal point.
  private static func number(_ text: Slice<UnsafeRawBufferPointer>) -> Int64 {
    var value: Int64 = 0
    for byte in text {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        value = value * 10 + Int64(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "."): continue
      default: return value
      }
    }
    return value
  }
}
