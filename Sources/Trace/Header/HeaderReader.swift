// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// The result of reading everything above a trace's rows.
struct TraceOpening {
  var header: TraceHeader
  var layout: RowLayout
  /// The number of lines, including the header.
  var lines: Int
}

/// Reads a trace up to its rows: comments, the `key,value` lines of a log, and the header.
struct HeaderReader {
  /// The maximum number of lines to search for a header; a blackbox log has about 150 above it.
  static let maxLines = 2_000
  /// The maximum number of bytes to search for a header.
  static let maxBytes = 1 << 20
  /// The maximum number of rows of numbers among them: a date or a serial number may look like one.
  static let maxRows = 32

  private let options: TraceOptions
  private let path: String
  private let fileName: String?
  private var line = 0
  private var comments: [(key: String, value: String, line: Int)] = []
  private var gyroflow: GyroflowLog?
  /// The line most likely meant as a header, for the error message.
  private var candidate: (text: String, line: Int, cells: Int)?
  /// The number of rows of numbers so far.
  private var rows = 0

  private init(_ options: TraceOptions, _ input: borrowing TraceInput) {
    self.options = options
    path = input.name
    fileName = input.fileName
  }

  /// Reads the header and leaves `block` at the first row.
  static func read(
    _ blocks: inout LineBlocks, _ block: inout LineBlock, options: TraceOptions
  ) throws(TraceError) -> TraceOpening {
    var reader = HeaderReader(options, blocks.input)
    return try reader.read(&blocks, &block)
  }

  private mutating func read(
    _ blocks: inout LineBlocks, _ block: inout LineBlock
  ) throws(TraceError) -> TraceOpening {
    while let text = try nextLine(&blocks, &block) {
      guard line <= Self.maxLines, block.nextPosition <= Self.maxBytes else { break }
      if let layout = try read(text) {
        return TraceOpening(header: try header(for: layout), layout: layout, lines: line)
      }
      if rows > Self.maxRows { break }
    }
    throw unknownHeader()
  }

  /// Reads one line. Returns the layout if the line is the header.
  private mutating func read(_ text: String) throws(TraceError) -> RowLayout? {
    var text = HeaderCell.trimmed(text)
    guard !text.isEmpty else { return nil }
    if line == 1, GyroflowLog.isFirstLine(text) {
      gyroflow = GyroflowLog()
      return nil
    }
    let isComment = text.hasPrefix("#")
    let before = rows
    var splits: [HeaderLine] = []
    if isComment {
      text = HeaderCell.trimmed(text.dropFirst())
      // A device may be called anything, also as columns are.
      if let pair = TraceHeader.keyAndValue(text), pair.key == "device" {
        comments.append((pair.key, pair.value, line))
        return nil
      }
    }
    for separator in HeaderLine.separators {
      let header = HeaderLine(text, separator: separator)
      guard header.cells.count > 1 else { continue }
      guard header.cells.count <= HeaderLine.maxColumns else {
        throw TraceError(
          .tooLong, path: path, line: line,
          "more than 128 columns; remove those that are not the gyroscope's")
      }
      do throws(RowLayoutError) {
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
          try gyroflow?.set(key: header.cells[0].base, value: header.cells[1].name)
        } catch {
          throw TraceError(.badHeader, path: path, line: line, error.message)
        }
        return nil
      }
      if !isComment, header.cells.count > 2 { splits.append(header) }
    }
    noteCandidate(splits, text)
    if isComment {
      if let pair = TraceHeader.keyAndValue(text) {
        comments.append((pair.key, pair.value, line))
      }
    } else if candidate == nil, rows == before {
      candidate = (text, line, 1)
    }
    return nil
  }

  /// Remembers a line that may be meant as a header, and counts rows of numbers. A row of numbers with
  /// one separator is not a header with another: `0,1;0,2;0,3` also splits at its commas.
  private mutating func noteCandidate(_ splits: [HeaderLine], _ text: String) {
    if splits.contains(where: \.isMostlyNumeric) {
      rows += 1
    } else if let count = splits.map(\.cells.count).max(), count >= candidate?.cells ?? 0 {
      candidate = (text, line, count)
    }
  }

  /// Returns the header from the comments, once the dialect is known: an invalid value is an error only
  /// in a recording of parallax, because in other programs' files the same key may have another meaning.
  private func header(for layout: RowLayout) throws(TraceError) -> TraceHeader {
    var header = TraceHeader()
    for (key, value, line) in comments {
      do throws(SettingError) {
        try header.set(key: key, value: value)
      } catch {
        guard layout.dialect == .native else { continue }
        throw TraceError(
          .badHeader, path: path, line: line, "\(key): \(quoted(error.message, limit: 1_000))")
      }
    }
    return header
  }

  /// Returns the next line without its line feed; nil after the last.
  private mutating func nextLine(
    _ blocks: inout LineBlocks, _ block: inout LineBlock
  ) throws(TraceError) -> String? {
    if block.isEmpty {
      switch blocks.read(into: &block) {
      case .lines: break
      // `.pending` is only for those who do not wait.
      case .end, .pending:
        if line == 0 {
          throw TraceError(
            .empty, path: path, "is empty; record again or give another file")
        }
        return nil
      case .failed(let error): throw error
      case .lineTooLong:
        line += 1
        try checkIsText(block.bytes.prefix(LineBlocks.maxLineLength))
        throw TraceError.lineTooLong(path: path, line: line)
      }
    }
    let lines = block.bytes[block.start..<block.end]
    var text = lines.prefix { $0 != UInt8(ascii: "\n") }
    line += 1
    try checkIsText(text.prefix(LineBlocks.maxLineLength))
    guard text.count <= LineBlocks.maxLineLength else {
      throw TraceError.lineTooLong(path: path, line: line)
    }
    block.start = text.endIndex + 1
    if line == 1, text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Throws if a line shows that the file is not text; the message names the kind of file if it is
  /// known.
  private func checkIsText(_ text: ArraySlice<UInt8>) throws(TraceError) {
    func begins(_ bytes: UInt8...) -> Bool { line == 1 && text.starts(with: bytes) }
    let message: String
    if begins(0x50, 0x4B, 0x03, 0x04) {
      message = "is a zip archive; unpack it and use the gyroscope's file inside"
    } else if begins(0x1F, 0x8B) {
      message = "is compressed; decompress it: zcat \(quoted(path)) | parallax replay -"
    } else if begins(0xFF, 0xFE) || begins(0xFE, 0xFF) {
      message = "is UTF-16 text; save it as UTF-8"
    } else if text.contains(0) {
      message = "is a binary file, not text; export the trace as CSV"
    } else {
      return
    }
    throw TraceError(.binary, path: path, message)
  }

  /// Returns the error for a trace without a known header.
  private func unknownHeader() -> TraceError {
    guard let candidate else {
      return TraceError(
        .unknownHeader, path: path, line: min(line, 1),
        "no header above the numbers; add a first line like t,x,y,z (s, rad/s)")
    }
    if candidate.text.utf8.contains(UInt8(ascii: "\r")) {
      return TraceError(
        .unknownHeader, path: path, line: candidate.line,
        "the lines end in bare carriage returns; convert them: tr '\\r' '\\n' < FILE | "
          + "parallax replay -")
    }
    let seen = quoted(candidate.text, limit: 200)
    if let chosen = options.columns {
      let names = [chosen.t, chosen.x, chosen.y, chosen.z].compactMap { $0 }
      let lines = HeaderLine.separators.map { HeaderLine(candidate.text, separator: $0) }
      let best = lines.max { $0.cells.count < $1.cells.count }
      let missing = names.first { best?.index(ofName: $0) == nil } ?? names[0]
      return TraceError(
        .unknownHeader, path: path, line: candidate.line,
        "no column '\(quoted(missing))' in the header '\(seen)'; fix the names in --columns")
    }
    let suggestion =
      HeaderLine.separators.map { HeaderLine(candidate.text, separator: $0) }
      .max { $0.cells.count < $1.cells.count }?.suggestedOptions
    let advice =
      suggestion.map { "if this is a gyroscope trace, try \($0)" }
      ?? "use a gyroscope trace, with columns such as t,x,y,z"
    return TraceError(
      .unknownHeader, path: path, line: candidate.line,
      "no known gyroscope columns in the header '\(seen)'; \(advice)")
  }
}

extension TraceError {
  static func lineTooLong(path: String, line: Int) -> TraceError {
    TraceError(
      .tooLong, path: path, line: line,
      "the line is longer than 64 KiB; this is not a trace, or its line endings are lost")
  }
}
