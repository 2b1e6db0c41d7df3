internal import Glibc
internal import ParallaxMotion

/// What stands above a trace's rows.
struct TraceOpening {
  var header: TraceHeader
  var layout: RowLayout
  /// Lines up to and with the header.
  var lines: Int
}

/// Reads a trace up to its rows: comments, a log's own lines, the header of columns.
struct HeaderReader {
  /// Lines above the columns that are looked through: a blackbox has about 150.
  static let lineLimit = 2_000
  /// Bytes that are looked through.
  static let byteLimit = 1 << 20
  /// Rows of numbers among them: a date or a serial number may look like one.
  static let rowLimit = 32

  private let options: TraceOptions
  private let path: String
  private let fileName: String?
  private var line = 0
  private var comments: [(key: String, value: String, line: Int)] = []
  private var gyroflow: GyroflowLog?
  /// The last line that could have been meant as a header, for the message.
  private var candidate: (text: String, line: Int, cells: Int)?
  /// Rows of numbers met so far.
  private var rows = 0

  private init(_ options: TraceOptions, _ input: borrowing TraceInput) {
    self.options = options
    path = input.name
    fileName = input.fileName
  }

  /// Leaves the blocks at the first row.
  static func read(
    _ blocks: inout LineBlocks, options: TraceOptions
  ) throws(TraceError) -> TraceOpening {
    var reader = HeaderReader(options, blocks.input)
    return try reader.read(&blocks)
  }

  private mutating func read(_ blocks: inout LineBlocks) throws(TraceError) -> TraceOpening {
    while let text = try nextLine(&blocks) {
      guard line <= Self.lineLimit, blocks.nextPosition <= Self.byteLimit else { break }
      if let layout = try read(text) {
        return TraceOpening(header: try header(for: layout), layout: layout, lines: line)
      }
      if rows > Self.rowLimit { break }
    }
    throw refusal()
  }

  /// Reads one line; the layout if it was the header.
  private mutating func read(_ text: String) throws(TraceError) -> RowLayout? {
    var text = HeaderCell.trimmed(text)
    guard !text.isEmpty else { return nil }
    if line == 1, GyroflowLog.isFirstLine(text) {
      gyroflow = GyroflowLog()
      return nil
    }
    let isComment = text.hasPrefix("#")
    let before = rows
    var cuts: [HeaderLine] = []
    if isComment { text = HeaderCell.trimmed(text.dropFirst()) }
    for separator in HeaderLine.separators {
      let header = HeaderLine(text, separator: separator)
      guard header.cells.count > 1 else { continue }
      guard header.cells.count <= HeaderLine.columnLimit else {
        throw TraceError(
          .tooLong, path: path, line: line,
          "more than 128 columns; take out those that are no part of a gyroscope's trace")
      }
      do throws(RowLayout.Refusal) {
        if let layout = try RowLayout.find(
          in: header, options: options, gyroflow: gyroflow, fileName: fileName)
        {
          return layout
        }
      } catch {
        throw TraceError(error.kind, path: path, line: line, error.message)
      }
      if gyroflow != nil, header.cells.count == 2, separator == UInt8(ascii: ",") {
        do throws(SettingError) {
          try gyroflow?.take(key: header.cells[0].base, value: header.cells[1].name)
        } catch {
          throw TraceError(.badHeader, path: path, line: line, error.message)
        }
        return nil
      }
      if !isComment, header.cells.count > 2 { cuts.append(header) }
    }
    weigh(cuts, text)
    if isComment {
      if let pair = TraceHeader.keyAndValue(text) {
        comments.append((pair.key, pair.value, line))
      }
    } else if candidate == nil, rows == before {
      candidate = (text, line, 1)
    }
    return nil
  }

  /// Remembers a line that could be meant as a header. Rows of numbers are counted: a line that is
  /// one with any separator is no header with another, as `0,1;0,2;0,3` at its commas.
  private mutating func weigh(_ cuts: [HeaderLine], _ text: String) {
    if cuts.contains(where: \.isMostlyNumeric) {
      rows += 1
    } else if let most = cuts.map(\.cells.count).max(), most >= candidate?.cells ?? 0 {
      candidate = (text, line, most)
    }
  }

  /// What the comments say, once it is known whose they are: other programs' need not mean what
  /// ours do.
  private func header(for layout: RowLayout) throws(TraceError) -> TraceHeader {
    var header = TraceHeader()
    for (key, value, line) in comments {
      do throws(SettingError) {
        try header.take(key: key, value: value)
      } catch {
        guard layout.dialect == .own else { continue }
        throw TraceError(.badHeader, path: path, line: line, "\(key): \(error.message)")
      }
    }
    return header
  }

  /// The next line without its end; nil behind the last.
  private mutating func nextLine(_ blocks: inout LineBlocks) throws(TraceError) -> String? {
    if blocks.start == blocks.end {
      switch try blocks.refill() {
      case .lines: break
      case .end:
        if line == 0 {
          throw TraceError(
            .empty, path: path, "is empty; record again or give another file")
        }
        return nil
      case .lineTooLong:
        line += 1
        try refuseBinary(UnsafeBufferPointer(start: blocks.bytes, count: LineBlocks.lineLimit))
        throw TraceError.lineTooLong(path: path, line: line)
      }
    }
    let begin = blocks.bytes + blocks.start
    let rest = blocks.end - blocks.start
    var length = 0
    while length < rest, begin[length] != UInt8(ascii: "\n") { length += 1 }
    line += 1
    try refuseBinary(UnsafeBufferPointer(start: begin, count: min(length, LineBlocks.lineLimit)))
    guard length <= LineBlocks.lineLimit else {
      throw TraceError.lineTooLong(path: path, line: line)
    }
    blocks.take(to: blocks.start + length + 1)
    var text = UnsafeBufferPointer(start: begin, count: length)[...]
    if line == 1, text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Refuses what is no text, by a line of it, and says which kind of file it is where that is
  /// known.
  private func refuseBinary(_ text: UnsafeBufferPointer<UInt8>) throws(TraceError) {
    func begins(_ bytes: UInt8...) -> Bool { line == 1 && text.starts(with: bytes) }
    let message: String
    if begins(0x50, 0x4B, 0x03, 0x04) {
      message = "is a zip archive; unpack it and give the gyroscope's file in it"
    } else if begins(0x1F, 0x8B) {
      message = "is compressed; give it as zcat \(quoted(path)) | parallax replay -"
    } else if begins(0xFF, 0xFE) || begins(0xFE, 0xFF) {
      message = "is UTF-16 text; save it as UTF-8"
    } else if text.contains(0) {
      message = "is a binary file, no text; export the trace as CSV"
    } else {
      return
    }
    throw TraceError(.binary, path: path, message)
  }

  private func refusal() -> TraceError {
    guard let candidate else {
      return TraceError(
        .unknownHeader, path: path, line: min(line, 1),
        "no header above the numbers; put a line like t,x,y,z (s, rad/s) in front")
    }
    if candidate.text.utf8.contains(UInt8(ascii: "\r")) {
      return TraceError(
        .unknownHeader, path: path, line: candidate.line,
        "the lines end in carriage returns alone; give it as tr '\\r' '\\n' < FILE | "
          + "parallax replay -")
    }
    let seen = quoted(candidate.text, limit: 200)
    if let chosen = options.columns {
      let names = [chosen.t, chosen.x, chosen.y, chosen.z].compactMap { $0 }
      let lines = HeaderLine.separators.map { HeaderLine(candidate.text, separator: $0) }
      let best = lines.max { $0.cells.count < $1.cells.count }
      let lacking = names.first { best?.index(ofName: $0) == nil } ?? names[0]
      return TraceError(
        .unknownHeader, path: path, line: candidate.line,
        "no column is called '\(quoted(lacking))' in the header '\(seen)'; "
          + "mend the names in --columns")
    }
    let suggestion =
      HeaderLine.separators.map { HeaderLine(candidate.text, separator: $0) }
      .max { $0.cells.count < $1.cells.count }?.suggestedOptions
    let advice =
      suggestion.map { "if it is a gyroscope's, try \($0)" }
      ?? "give a gyroscope's trace, with columns as t,x,y,z"
    return TraceError(
      .unknownHeader, path: path, line: candidate.line,
      "no known gyroscope columns in the header '\(seen)'; \(advice)")
  }
}

extension TraceError {
  static func lineTooLong(path: String, line: Int) -> TraceError {
    TraceError(
      .tooLong, path: path, line: line,
      "the line is longer than 64 KiB; this is no trace, or its line ends are lost")
  }
}
