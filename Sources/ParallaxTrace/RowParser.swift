internal import Glibc
internal import ParallaxMotion

/// Reads rows as samples. This is the loop that a replay's time goes to: it works on the block's
/// bytes alone and keeps its state in registers.
struct RowParser {
  /// What a column is for.
  enum Role {
    static let skipped: UInt8 = 0
    static let time: UInt8 = 1
    static let x: UInt8 = 2
    static let y: UInt8 = 3
    static let z: UInt8 = 4
  }

  /// Why a row cannot be read.
  enum Fault: Equatable {
    /// The row ends before the column.
    case missing
    /// Something else than a number stands there.
    case noNumber
    case timeOutOfRange
    /// The file ends in the middle of the row.
    case cut
  }

  /// How a line was taken.
  enum Line: Equatable {
    case sample
    /// Blank or a comment.
    case nothing
    /// The column, from 0.
    case bad(Fault, column: Int)
  }

  let separator: UInt8
  let mark: UInt8
  let timeScale: TimeScale
  let scaleX: Double
  let scaleY: Double
  let scaleZ: Double
  let namedCount: Int
  /// For each column up to the last that is needed.
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

  /// Reads the line at `text`, which ends in a line feed, and leaves `text` somewhere in it. Without
  /// times in the row `sample.timeNanoseconds` is left alone; without z, z.
  ///
  /// - Parameters:
  ///   - roles: `self.roles`, held by the caller so that no array is touched in the loop.
  ///   - count: how many they are.
  @inline(__always)
  func read(
    _ text: inout UnsafePointer<UInt8>, into sample: inout GyroSample,
    roles: UnsafePointer<UInt8>, count: Int
  ) -> Line {
    // Nothing above this begins a blank line or a comment.
    if text[0] <= UInt8(ascii: "#"), isNothing(text) { return .nothing }
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
          case .nanoseconds(let value): sample.timeNanoseconds = value
          case .notFinite: lacksTime = true
          case .outOfRange: return .bad(.timeOutOfRange, column: column)
          case .noNumber:
            guard isEmptyField(text, isQuoted: isQuoted) else {
              return .bad(.noNumber, column: column)
            }
            lacksTime = true
          }
        } else {
          var value = Double.nan
          if let read = RateText.read(&text, mark: mark) {
            value = read
          } else if !isEmptyField(text, isQuoted: isQuoted) {
            return .bad(.noNumber, column: column)
          }
          switch role {
          case Role.x: sample.rateRadPerSec.x = value * scaleX
          case Role.y: sample.rateRadPerSec.y = value * scaleY
          default: sample.rateRadPerSec.z = value * scaleZ
          }
        }
        skipSpaces(&text)
        if isQuoted {
          guard text[0] == UInt8(ascii: "\"") else { return .bad(.noNumber, column: column) }
          text += 1
          skipSpaces(&text)
        }
      }
      let isWhole = column &+ 1 == count
      if text[0] != separator {
        guard isLineEnd(text) else { return .bad(.noNumber, column: column) }
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

  /// Leaves a quoted text, in which separators are letters like others; a doubled quote stands for
  /// itself. At anything else it stays where it is, but for spaces.
  @inline(never)
  private func skipQuotes(_ text: inout UnsafePointer<UInt8>) {
    skipSpaces(&text)
    while text[0] == UInt8(ascii: "\"") {
      text += 1
      while text[0] != UInt8(ascii: "\""), text[0] != UInt8(ascii: "\n") { text += 1 }
      if text[0] == UInt8(ascii: "\"") { text += 1 }
    }
  }

  /// Whether nothing but carriage returns stands before the line feed.
  @inline(__always)
  private func isLineEnd(_ text: UnsafePointer<UInt8>) -> Bool {
    var at = text
    while at[0] == UInt8(ascii: "\r") { at += 1 }
    return at[0] == UInt8(ascii: "\n")
  }

  private func isEmptyField(_ text: UnsafePointer<UInt8>, isQuoted: Bool) -> Bool {
    isQuoted ? text[0] == UInt8(ascii: "\"") : text[0] == separator || isLineEnd(text)
  }

  /// Whether the line is blank or a comment.
  @inline(never)
  private func isNothing(_ text: UnsafePointer<UInt8>) -> Bool {
    var at = text
    while at[0] == UInt8(ascii: " ") || at[0] == UInt8(ascii: "\t") { at += 1 }
    return at[0] == UInt8(ascii: "#") || isLineEnd(at)
  }

  /// Whether a line without a line feed of its own looks cut: fewer columns than the header has
  /// names, or nothing yet in the last of them where that one is needed.
  func isCut(_ line: UnsafePointer<UInt8>) -> Bool {
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

  /// The z in a column that the row was not read for; 0 where no finite number stands there, for
  /// nothing depends on it.
  @inline(never)
  func spareZ(ofColumn column: Int, in line: UnsafePointer<UInt8>) -> Double {
    var at = line
    for _ in 0..<column {
      skipField(&at)
      guard at[0] == separator else { return 0 }
      at += 1
    }
    skipSpaces(&at)
    let isQuoted = at[0] == UInt8(ascii: "\"")
    if isQuoted { at += 1 }
    let mark = isQuoted ? UInt8(ascii: ",") : mark
    guard let value = RateText.read(&at, mark: mark), (value * scaleZ).isFinite else { return 0 }
    skipSpaces(&at)
    let isWhole = isQuoted ? at[0] == UInt8(ascii: "\"") : at[0] == separator || isLineEnd(at)
    return isWhole ? value * scaleZ : 0
  }

  /// The text of a column, for a message.
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
