// SPDX-License-Identifier: Apache-2.0

import ParallaxMotion

/// Parses rows to samples. A replay spends most of its time here: the loop works directly on the bytes
/// of a block and keeps its state in registers.
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

  /// Reads the line at `text`, which ends in a line feed, and leaves `text` somewhere in that line. If
  /// the row has no time or no z, the one in `sample` does not change.
  ///
  /// - Parameters:
  ///   - roles: The elements of `self.roles`, held by the caller to avoid array access in the loop.
  ///   - count: The number of roles.
  @inline(__always)
  func read(
    _ text: inout UnsafePointer<UInt8>, into sample: inout GyroSample,
    roles: UnsafePointer<UInt8>, count: Int
  ) -> Line {
    // Blank lines and comments begin with a character up to this one.
    if text[0] <= UInt8(ascii: "#"), isIgnored(text) { return .ignored }
    var lacksTime = false
    var column = 0
    while true {
      let role = roles[column]
      if role == Role.skipped {
        skipField(&text)
      } else {
        skipSpaces(&text)
        let isQuoted = text[0] == UInt8(ascii: "\"")
        if isQuoted {
          text += 1
          skipSpaces(&text)
        }
        let mark = isQuoted ? UInt8(ascii: ",") : mark
        if role == Role.time {
          switch TimeText.read(&text, mark: mark, scale: timeScale) {
          case .instant(let time): sample.time = time
          case .notFinite: lacksTime = true
          case .outOfRange: return .bad(.timeOutOfRange, column: column)
          case .notANumber:
            guard isEmptyField(text, isQuoted: isQuoted) else {
              return .bad(.notANumber, column: column)
            }
            lacksTime = true
          }
        } else {
          var value = Double.nan
          if let read = RateText.read(&text, mark: mark) {
            value = read
          } else if !isEmptyField(text, isQuoted: isQuoted) {
            return .bad(.notANumber, column: column)
          }
          switch role {
          case Role.x: sample.rateRadPerSec.x = value * scaleX
          case Role.y: sample.rateRadPerSec.y = value * scaleY
          default: sample.rateRadPerSec.z = value * scaleZ
          }
        }
        skipSpaces(&text)
        if isQuoted {
          guard text[0] == UInt8(ascii: "\"") else { return .bad(.notANumber, column: column) }
          text += 1
          skipSpaces(&text)
        }
      }
      let isWhole = column &+ 1 == count
      if text[0] != separator {
        guard isLineEnd(text) else { return .bad(.notANumber, column: column) }
        if !isWhole { return .bad(.missing, column: column &+ 1) }
      }
      if isWhole {
        if lacksTime { sample.rateRadPerSec.x = .nan }
        return .sample
      }
      text += 1
      column &+= 1
    }
  }

  @inline(__always)
  private func skipSpaces(_ text: inout UnsafePointer<UInt8>) {
    while text[0] == UInt8(ascii: " ") || (text[0] == UInt8(ascii: "\t") && text[0] != separator) {
      text += 1
    }
  }

  @inline(__always)
  private func skipField(_ text: inout UnsafePointer<UInt8>) {
    if text[0] <= UInt8(ascii: "\"") { skipQuotes(&text) }
    while text[0] != separator, text[0] != UInt8(ascii: "\n") { text += 1 }
  }

  /// Skips a quoted text, in which separators have no meaning and a doubled quote is a quote. Otherwise
  /// skips only spaces.
  @inline(never)
  private func skipQuotes(_ text: inout UnsafePointer<UInt8>) {
    skipSpaces(&text)
    while text[0] == UInt8(ascii: "\"") {
      text += 1
      while text[0] != UInt8(ascii: "\""), text[0] != UInt8(ascii: "\n") { text += 1 }
      if text[0] == UInt8(ascii: "\"") { text += 1 }
    }
  }

  /// Returns whether only carriage returns precede the line feed.
  @inline(__always)
  private func isLineEnd(_ text: UnsafePointer<UInt8>) -> Bool {
    var at = text
    while at[0] == UInt8(ascii: "\r") { at += 1 }
    return at[0] == UInt8(ascii: "\n")
  }

  private func isEmptyField(_ text: UnsafePointer<UInt8>, isQuoted: Bool) -> Bool {
    isQuoted ? text[0] == UInt8(ascii: "\"") : text[0] == separator || isLineEnd(text)
  }

  /// Returns whether the line is blank or a comment.
  @inline(never)
  private func isIgnored(_ text: UnsafePointer<UInt8>) -> Bool {
    var at = text
    while at[0] == UInt8(ascii: " ") || at[0] == UInt8(ascii: "\t") { at += 1 }
    return at[0] == UInt8(ascii: "#") || isLineEnd(at)
  }

  /// Returns whether a last line without a line feed looks truncated: it has fewer columns than the
  /// header has names, or its last column is needed and empty.
  func isTruncated(_ line: UnsafePointer<UInt8>) -> Bool {
    var at = line
    var columns = 1
    while true {
      skipField(&at)
      guard at[0] == separator else { break }
      at += 1
      columns += 1
    }
    let isLastNeeded = roles.count == namedCount && columns == namedCount
    return columns < namedCount || (isLastNeeded && at > line && at[-1] == separator)
  }

  /// Returns the text of a column, for a message.
  func text(ofColumn column: Int, in line: UnsafePointer<UInt8>) -> String {
    var at = line
    for _ in 0..<column {
      skipField(&at)
      guard at[0] == separator else { return "" }
      at += 1
    }
    let begin = at
    skipField(&at)
    let bytes = UnsafeBufferPointer(start: begin, count: min(at - begin, 200))
    return HeaderCell.trimmed(String(decoding: bytes, as: UTF8.self))
  }
}
