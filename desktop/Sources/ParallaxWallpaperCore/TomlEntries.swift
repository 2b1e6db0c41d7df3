// SPDX-License-Identifier: Apache-2.0

import CToml

/// A table, or a key in a table.
struct TomlEntry {
  enum Value {
    case string(String)
    case number(Double)
    case table
    case other
  }

  var table: String
  /// nil for the table itself.
  var key: String?
  var value: Value
  var line: Int
  var column: Int
}

enum TomlEntries {
  /// A larger file is not a list of layers.
  private static let sizeLimit = 1 << 16

  /// Returns the entries in the order of the text.
  static func read(_ bytes: [UInt8], path: String) throws(WallpaperError) -> [TomlEntry] {
    // toml++ opens a table for each dot, and frees tables by recursion.
    let mostDots = bytes.split(separator: UInt8(ascii: "\n")).map { line in
      line.count { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") }
    }.max()
    guard bytes.count <= sizeLimit, mostDots ?? 0 <= 64 else {
      throw WallpaperError("\(path): too large for a list of layers")
    }
    var entries: [TomlEntry] = []
    var error = CTomlError()
    let result = bytes.withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { text -> Int32 in
        // An empty array has no address.
        guard let start = text.baseAddress else { return 0 }
        return withUnsafeMutablePointer(to: &entries) { list in
          ctoml_visit(
            start, text.count, list,
            { context, entry in
              context?.assumingMemoryBound(to: [TomlEntry].self).pointee.append(
                TomlEntry(entry.pointee))
            }, &error)
        }
      }
    }
    guard result == 0 else {
      let message = withUnsafeBytes(of: &error.message) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      throw WallpaperError("\(path):\(error.position.line):\(error.position.column): \(message)")
    }
    return entries.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
  }
}

extension TomlEntry {
  fileprivate init(_ entry: CTomlEntry) {
    func text(_ text: CTomlText) -> String? {
      text.bytes.map {
        String(decoding: UnsafeRawBufferPointer(start: $0, count: text.count), as: UTF8.self)
      }
    }
    self.init(
      table: text(entry.table) ?? "", key: text(entry.key),
      value: {
        switch entry.kind {
        case CTOML_STRING: .string(text(entry.string) ?? "")
        case CTOML_INTEGER: .number(Double(entry.integer))
        case CTOML_FLOAT: .number(entry.floating)
        case CTOML_TABLE: .table
        default: .other
        }
      }(), line: Int(entry.key_position.line), column: Int(entry.key_position.column))
  }
}
