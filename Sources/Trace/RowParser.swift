// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion

/// Parses rows in any form to samples, and says what is wrong with those that it cannot read. `RowScanner`
/// is faster and reads most rows.
struct RowParser {
  /// The purpose of a column.
  enum Role {
    static let skipped: UInt8 = 0
    static let time: UInt8 = 1
    static let x: UInt8 = 2
    static let y: UInt8 = 3
    static let z: UInt8 = 4
  }

  /// The reason why a row cannot be read.
  enum Fault: Equatable {
    /// The row ends before the column.
    case missing
    /// The column does not contain a number.
    case notANumber
    case timeOutOfRange
    /// The file ends in the middle of the row.
    case truncated
  }

  /// The result of reading a line.
  enum Line: Equatable {
    case sample
    /// A blank line or a comment.
    case ignored
    /// A bad row; the column counts from 0.
    case bad(Fault, column: Int)
  }

  let separator: UInt8
  let mark: UInt8
  let timeScale: TimeScale
  let scaleX: Double
  let scaleY: Double
  let scaleZ: Double
  let namedCount: Int
  /// The role of each column up to the last needed one.
  let roles: [UInt8]

  init(_ layout: RowLayout, needsZ: Bool) {
    separator = layout.separator
    mark = layout.decimalMark
    timeScale = layout.timeScale
    (scaleX, scaleY, scaleZ) = (layout.scaleX, layout.scaleY, layout.scaleZ)
    namedCount = layout.namedCount
    let z = needsZ ? layout.z : nil
    let last = max(layout.x, layout.y, layout.timeColumn ?? 0, z ?? 0)
    var roles = [UInt8](repeating: Role.skipped, count: last + 1)
    if let time = layout.timeColumn { roles[time] = Role.time }
    roles[layout.x] = Role.x
    roles[layout.y] = Role.y
    if let z { roles[z] = Role.z }
    self.roles = roles
  }

  /// Reads the line at `at`, which ends in a line feed, and leaves `at` somewhere in that line. If the row
  /// has no time or no z, the one in `sample` does not change.
  func read(
    _ text: borrowing RawSpan, _ at: inout Int, into sample: inout GyroSample
  ) -> Line {
    // Blank lines and comments begin with a character up to this one.
    if text.byte(at) <= UInt8(ascii: "#"), isIgnored(text, at) { return .ignored }
    var lacksTime = false
    var column = 0
    while true {
      let role = roles[column]
      if role == Role.skipped {
        skipField(text, &at)
      } else {
        skipSpaces(text, &at)
        let isQuoted = text.byte(at) == UInt8(ascii: "\"")
        if isQuoted {
          at &+= 1
          skipSpaces(text, &at)
        }
        let mark = isQuoted ? UInt8(ascii: ",") : mark
        if role == Role.time {
          switch TimeText.read(text, &at, mark: mark, scale: timeScale) {
          case .instant(let time): sample.time = time
          case .notFinite: lacksTime = true
          case .outOfRange: return .bad(.timeOutOfRange, column: column)
          case .notANumber:
            guard isEmptyField(text, at, isQuoted: isQuoted) else {
              return .bad(.notANumber, column: column)
            }
            lacksTime = true
          }
        } else {
          var value = Double.nan
          if let read = RateText.read(text, &at, mark: mark) {
            value = read
          } else if !isEmptyField(text, at, isQuoted: isQuoted) {
            return .bad(.notANumber, column: column)
          }
          switch role {
          case Role.x: sample.rateRadPerSec.x = value * scaleX
          case Role.y: sample.rateRadPerSec.y = value * scaleY
          default: sample.rateRadPerSec.z = value * scaleZ
          }
        }
        skipSpaces(text, &at)
        if isQuoted {
          guard text.byte(at) == UInt8(ascii: "\"") else {
            return .bad(.notANumber, column: column)
          }
          at &+= 1
          skipSpaces(text, &at)
        }
      }
      let isWhole = column &+ 1 == roles.count
      if text.byte(at) != separator {
        guard isLineEnd(text, at) else { return .bad(.notANumber, column: column) }
        if !isWhole { return .bad(.missing, column: column &+ 1) }
      }
      if isWhole {
        if lacksTime { sample.rateRadPerSec.x = .nan }
        return .sample
      }
      at &+= 1
      column &+= 1
    }
  }

  @inline(__always)
  private func skipSpaces(_ text: borrowing RawSpan, _ at: inout Int) {
    while text.byte(at) == UInt8(ascii: " ")
      || (text.byte(at) == UInt8(ascii: "\t") && separator != UInt8(ascii: "\t"))
    {
      at &+= 1
    }
  }

  @inline(__always)
  private func skipField(_ text: borrowing RawSpan, _ at: inout Int) {
    if text.byte(at) <= UInt8(ascii: "\"") { skipQuotes(text, &at) }
    while text.byte(at) != separator, text.byte(at) != UInt8(ascii: "\n") { at &+= 1 }
  }

  /// Skips a quoted text, in which separators have no meaning and a doubled quote is a quote. Otherwise
  /// skips only spaces.
  @inline(never)
  private func skipQuotes(_ text: borrowing RawSpan, _ at: inout Int) {
    skipSpaces(text, &at)
    while text.byte(at) == UInt8(ascii: "\"") {
      at &+= 1
      while text.byte(at) != UInt8(ascii: "\""), text.byte(at) != UInt8(ascii: "\n") { at &+= 1 }
      if text.byte(at) == UInt8(ascii: "\"") { at &+= 1 }
    }
  }

  /// Returns whether only carriage returns precede the line feed.
  @inline(__always)
  private func isLineEnd(_ text: borrowing RawSpan, _ start: Int) -> Bool {
    var at = start
    while text.byte(at) == UInt8(ascii: "\r") { at &+= 1 }
    return text.byte(at) == UInt8(ascii: "\n")
  }

  private func isEmptyField(_ text: borrowing RawSpan, _ at: Int, isQuoted: Bool) -> Bool {
    isQuoted
      ? text.byte(at) == UInt8(ascii: "\"") : text.byte(at) == separator || isLineEnd(text, at)
  }

  /// Returns whether the line is blank or a comment.
  @inline(never)
  private func isIgnored(_ text: borrowing RawSpan, _ start: Int) -> Bool {
    var at = start
    while text.byte(at) == UInt8(ascii: " ") || text.byte(at) == UInt8(ascii: "\t") { at &+= 1 }
    return text.byte(at) == UInt8(ascii: "#") || isLineEnd(text, at)
  }

  /// Returns whether a last line without a line feed looks truncated: it has fewer columns than the
  /// header has names, or its last column is needed and empty.
  func isTruncated(_ text: borrowing RawSpan, _ line: Int) -> Bool {
    var at = line
    var columns = 1
    while true {
      skipField(text, &at)
      guard text.byte(at) == separator else { break }
      at += 1
      columns += 1
    }
    let isLastNeeded = roles.count == namedCount && columns == namedCount
    return columns < namedCount
      || (isLastNeeded && at > line && text.byte(at - 1) == separator)
  }

  /// Returns the text of a column, for a message.
  func text(ofColumn column: Int, in text: borrowing RawSpan, _ line: Int) -> String {
    var at = line
    for _ in 0..<column {
      skipField(text, &at)
      guard text.byte(at) == separator else { return "" }
      at += 1
    }
    let begin = at
    skipField(text, &at)
    let bytes = (begin..<min(at, begin + 200)).map { text.byte($0) }
    return HeaderCell.trimmed(String(decoding: bytes, as: UTF8.self))
  }
}
