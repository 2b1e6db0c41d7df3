// SPDX-License-Identifier: Apache-2.0

import CToml

/// A key of a document's first or second level, with its positions.
struct TomlEntry: Equatable {
  /// The first level's key.
  let table: String
  /// The second level's key; nil for the first level's own entry.
  let key: String?
  let value: SettingValue
  let keyPosition: TextPosition
  let valuePosition: TextPosition
}

/// A syntax error in a TOML file.
struct TomlSyntaxError: Error, Equatable {
  let message: String
  /// nil if the whole file is meant.
  let position: TextPosition?
}

/// Reads TOML into entries.
enum TomlDocument {
  /// The size limit of a file, in bytes.
  static let sizeLimit = 1 << 20
  /// The size limit of a line and of a value, in bytes: messages may quote it.
  static let lineLimit = 4096
  /// The limit of dots on a line outside comments. Each may open a nested table, and toml++ frees
  /// tables by recursion: 64 dots times 4 nested values need a fraction of the smallest stack.
  static let dotLimit = 64
  /// The number of syntax errors that are reported at once.
  static let errorLimit = 8
  /// The largest file, in bytes, that is read again after a syntax error.
  private static let recoveryLimit = 1 << 16

  /// Returns the keys of the first two levels, in the order of the text, and the syntax errors.
  /// Deeper levels are unopened, `.table` or `.array`.
  ///
  /// After a line with a syntax error reading continues, if the lines before it are valid by
  /// themselves: a typo does not hide other errors.
  static func read(_ bytes: [UInt8]) -> (entries: [TomlEntry], errors: [TomlSyntaxError]) {
    var bytes = bytes
    var errors: [TomlSyntaxError] = []
    var lastLine = 0
    while true {
      do {
        return (try entries(of: bytes), errors)
      } catch {
        // After the first error, only errors further down are new.
        guard let line = error.position?.line ?? (errors.isEmpty ? 1 : nil), line > lastLine else {
          return ([], errors)
        }
        errors.append(error)
        lastLine = line
        guard error.position != nil, errors.count < errorLimit, bytes.count <= recoveryLimit,
          let range = lineRange(line, in: bytes)
        else { return ([], errors) }
        // An array or string that starts further up would make every line an error.
        guard let before = try? entries(of: Array(bytes[..<range.lowerBound])) else {
          return ([], errors)
        }
        let text = bytes[range].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        // After an invalid table header the table of the next keys is unknown.
        if text.first == UInt8(ascii: "[") { return (before, errors) }
        for index in range { bytes[index] = UInt8(ascii: " ") }
      }
    }
  }

  /// Returns the bytes of a line without its line feed; nil for a line after the last.
  private static func lineRange(_ line: Int, in bytes: [UInt8]) -> Range<Int>? {
    var start = 0
    for _ in 1..<line {
      guard let feed = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      start = feed + 1
    }
    return start..<(bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count)
  }

  private static func entries(of bytes: [UInt8]) throws(TomlSyntaxError) -> [TomlEntry] {
    try checkLimits(bytes)
    var failure = CTomlError()
    if let entries = parse(bytes, &failure) { return entries }
    let description = withUnsafeBytes(of: &failure.message) { raw in
      String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
    }
    let position = TextPosition(failure.position)
    let line = lineRange(position.line, in: bytes) ?? bytes.count..<bytes.count
    let kind = TomlSyntaxKind(
      bytes[line], after: bytes[..<line.lowerBound], column: position.column,
      description: description
    ) { text in
      var ignored = CTomlError()
      return parse(Array(text), &ignored)
    }
    throw TomlSyntaxError(message: kind.message, position: position)
  }

  /// Returns the keys in the order of the text; nil and the error if it is not TOML.
  private static func parse(_ bytes: [UInt8], _ failure: inout CTomlError) -> [TomlEntry]? {
    let collector = Collector()
    let status = bytes.withUnsafeBytes { buffer in
      // An empty array may have no address, but toml++ requires one.
      withUnsafePointer(to: UInt8(0)) { none in
        ctoml_visit(
          buffer.bindMemory(to: CChar.self).baseAddress
            ?? UnsafeRawPointer(none).assumingMemoryBound(to: CChar.self),
          buffer.count, Unmanaged.passUnretained(collector).toOpaque(),
          { context, entry in
            guard let context else { return }
            Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue()
              .entries.append(TomlEntry(entry.pointee))
          }, &failure)
      }
    }
    return status == 0 ? collector.entries.sorted { $0.keyPosition < $1.keyPosition } : nil
  }

  private static func checkLimits(_ bytes: [UInt8]) throws(TomlSyntaxError) {
    guard bytes.count <= sizeLimit else {
      throw TomlSyntaxError(
        message: "the file is over 1 MiB, too large for a configuration; check the path",
        position: nil)
    }
    var line = 1
    var start = 0
    var dots = 0
    var isComment = false
    var isBlank = true
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "\n"):
        line += 1
        start = index + 1
        (dots, isComment, isBlank) = (0, false, true)
        continue
      case UInt8(ascii: "."): dots += isComment ? 0 : 1
      case UInt8(ascii: "#") where isBlank: isComment = true
      case UInt8(ascii: " "), UInt8(ascii: "\t"): continue
      default: break
      }
      isBlank = false
      guard dots <= dotLimit, index - start < lineLimit else {
        throw TomlSyntaxError(
          message: dots > dotLimit
            ? "more than \(dotLimit) dots on a line; shorten the key or value"
            : "the line has more than \(lineLimit) bytes; shorten it",
          position: TextPosition(line: line, column: 1))
      }
    }
  }

  /// The context of the C visitor.
  private final class Collector {
    var entries: [TomlEntry] = []
  }
}

extension TomlEntry {
  fileprivate init(_ entry: CTomlEntry) {
    table = String(entry.table)
    key = entry.key.bytes == nil ? nil : String(entry.key)
    value =
      switch entry.kind {
      case CTOML_STRING: .string(String(entry.string))
      case CTOML_INTEGER: .integer(entry.integer)
      case CTOML_FLOAT: .float(entry.floating)
      case CTOML_BOOLEAN: .boolean(entry.boolean != 0)
      case CTOML_ARRAY: .array
      case CTOML_TABLE: .table
      default: .dateTime
      }
    keyPosition = TextPosition(entry.key_position)
    valuePosition = TextPosition(entry.value_position)
  }
}

extension TextPosition {
  fileprivate init(_ position: CTomlPosition) {
    self.init(line: Int(position.line), column: Int(position.column))
  }
}

extension String {
  fileprivate init(_ text: CTomlText) {
    self.init(
      decoding: UnsafeRawBufferPointer(start: text.bytes, count: text.count), as: UTF8.self)
  }
}
