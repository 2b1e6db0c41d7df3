// SPDX-License-Identifier: Apache-2.0

/// A cell of a header: a name, with a unit if one follows in brackets.
struct HeaderCell: Equatable {
  enum Unit: Equatable {
    case time(TimeUnit)
    case rate(GyroUnit)
    /// The unit of another quantity.
    case other(String)
  }

  /// The text in the file, without quotes and outer spaces.
  let name: String
  /// The name in lower case, without the unit.
  let base: String
  let unit: Unit?

  init(_ text: some StringProtocol) {
    var bare = Self.trimmed(text)
    if bare.count >= 2, bare.first == "\"", bare.last == "\"" {
      bare = Self.trimmed(
        bare.dropFirst().dropLast().withSingleQuotes)
    }
    name = bare
    let lower = bare.lowercased()
    guard let last = lower.last, last == ")" || last == "]",
      let opening = lower.lastIndex(of: last == ")" ? "(" : "[")
    else {
      (base, unit) = (lower, nil)
      return
    }
    let inner = Self.trimmed(lower[lower.index(after: opening)...].dropLast())
    if let time = TimeUnit(spelled: inner) {
      unit = .time(time)
    } else if let rate = GyroUnit(spelled: inner) {
      unit = .rate(rate)
    } else if inner.allSatisfy(\.isNumber) {
      // An index, such as gyroADC[0].
      (base, unit) = (lower, nil)
      return
    } else {
      unit = .other(inner)
    }
    base = Self.trimmed(lower[..<opening])
  }

  var timeUnit: TimeUnit? {
    if case .time(let unit) = unit { unit } else { nil }
  }

  var gyroUnit: GyroUnit? {
    if case .rate(let unit) = unit { unit } else { nil }
  }

  /// Returns the text without outer spaces, tabs and carriage returns.
  static func trimmed(_ text: some StringProtocol) -> String {
    let isSpace = { (character: Character) in
      character == " " || character == "\t" || character == "\r"
    }
    let begin = text.drop(while: isSpace)
    guard let last = begin.lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(begin[...last])
  }
}

/// A line split into cells at one separator.
struct HeaderLine: Equatable {
  static let separators = [UInt8(ascii: "\t"), UInt8(ascii: ";"), UInt8(ascii: ",")]
  static let maxColumns = 128

  let separator: UInt8
  let cells: [HeaderCell]

  init(_ line: String, separator: UInt8) {
    self.separator = separator
    cells = Self.split(line, at: separator).map { HeaderCell($0) }
  }

  /// The number of cells without empty ones at the end: some programs write a trailing comma.
  var namedCount: Int {
    (cells.lastIndex { !$0.name.isEmpty } ?? -1) + 1
  }

  /// Returns the first column with that base name.
  func index(ofBase base: String) -> Int? {
    cells.firstIndex { $0.base == base }
  }

  /// Returns the column with that name: an exact match, or else one that ignores case.
  func index(ofName name: String) -> Int? {
    let wanted = HeaderCell.trimmed(name)
    return cells.firstIndex { $0.name == wanted }
      ?? cells.firstIndex { $0.name.lowercased() == wanted.lowercased() }
  }

  /// Whether this is a row of data rather than a header: more than half of the cells are numbers.
  var isMostlyNumeric: Bool {
    let filled = cells.filter { !$0.name.isEmpty }
    return !filled.isEmpty
      && filled.count { Self.looksNumeric($0.name) } * 2 > filled.count
  }

  private static func looksNumeric(_ text: String) -> Bool {
    var hasDigit = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "0"..."9": hasDigit = true
      case "+", "-", ".", ",", "e", "E": break
      default: return false
      }
    }
    return hasDigit
  }

  /// Splits at separators outside double quotes, into at most `maxColumns` + 1 cells.
  private static func split(_ line: String, at separator: UInt8) -> [Substring] {
    var cells: [Substring] = []
    var begin = line.startIndex
    var isQuoted = false
    var at = line.startIndex
    let bytes = line.utf8
    while at < bytes.endIndex, cells.count <= maxColumns {
      let byte = bytes[at]
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if byte == separator, !isQuoted {
        cells.append(line[begin..<at])
        begin = bytes.index(after: at)
      }
      at = bytes.index(after: at)
    }
    if cells.count <= maxColumns { cells.append(line[begin...]) }
    return cells
  }
}
