import CToml

/// One key of a document's first or second level, with its places.
struct TomlEntry: Equatable {
  /// The first level's key.
  let table: String
  /// The second level's key; nil for the first level's own entry.
  let key: String?
  let value: SettingValue
  let keyPosition: TextPosition
  let valuePosition: TextPosition
}

/// A place where a file is no TOML.
struct TomlSyntaxError: Error, Equatable {
  let message: String
  /// nil where the whole file is meant.
  let position: TextPosition?
}

/// TOML text to entries.
enum TomlDocument {
  /// Bytes of a file.
  static let sizeLimit = 1 << 20
  /// Bytes of a line and of a value, so that a message which quotes it stays readable.
  static let lineLimit = 4096
  /// Dots on a line outside comments. Each may open a table inside a table, and toml++ frees these
  /// by recursion: 64 of them times 4 nested values fit the smallest thread's stack many times.
  static let dotLimit = 64
  /// Syntax errors that are told at once.
  static let errorLimit = 8
  /// Files over this many bytes are not read again behind a syntax error.
  private static let recoveryLimit = 1 << 16

  /// The keys of the first two levels, in the order of the text; what lies deeper is `.table` or
  /// `.array`, unopened. And what is no TOML: behind a line that is none, reading goes on where the
  /// lines before it stand by themselves, so that one slip of the pen does not hide other errors.
  static func read(_ bytes: [UInt8]) -> (entries: [TomlEntry], errors: [TomlSyntaxError]) {
    var bytes = bytes
    var errors: [TomlSyntaxError] = []
    var lastLine = 0
    while true {
      do {
        return (try entries(of: bytes), errors)
      } catch {
        // Past the first, only errors further down are new ones.
        guard let line = error.position?.line ?? (errors.isEmpty ? 1 : nil), line > lastLine else {
          return ([], errors)
        }
        errors.append(error)
        lastLine = line
        guard error.position != nil, errors.count < errorLimit, bytes.count <= recoveryLimit,
          let range = lineRange(line, in: bytes)
        else { return ([], errors) }
        // An array or string that began further up would make every line an error.
        guard let before = try? entries(of: Array(bytes[..<range.lowerBound])) else {
          return ([], errors)
        }
        let text = bytes[range].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        // Behind a broken table's name it is unknown whose keys these are.
        if text.first == UInt8(ascii: "[") { return (before, errors) }
        for index in range { bytes[index] = UInt8(ascii: " ") }
      }
    }
  }

  /// The bytes of a line, without its line feed. nil for a line behind the last.
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
    let collector = Collector()
    var failure = CTomlError()
    let status = bytes.withUnsafeBytes { buffer in
      // An empty array may have no address; toml++ wants one, even for no bytes.
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
    guard status == 0 else {
      let message = withUnsafeBytes(of: &failure.message) { raw in
        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      throw TomlSyntaxError(
        message: TomlSyntaxText.forPeople(message), position: TextPosition(failure.position))
    }
    return collector.entries.sorted { $0.keyPosition < $1.keyPosition }
  }

  private static func checkLimits(_ bytes: [UInt8]) throws(TomlSyntaxError) {
    guard bytes.count <= sizeLimit else {
      throw TomlSyntaxError(
        message: "the file is over 1 MiB, and no configuration is; name the right file",
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
            ? "over \(dotLimit) dots on one line; no key or value here needs as many"
            : "the line is over \(lineLimit) bytes; no value here needs as many",
          position: TextPosition(line: line, column: 1))
      }
    }
  }

  /// Carries the entries through the C visitor's context pointer.
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
