// SPDX-License-Identifier: Apache-2.0

/// The class of a line, read without decoding the rest of it: it comes first.
package enum LineClass {
  private static let head = Array("{\"class\":\"".utf8)

  /// Returns the class; empty if the line does not start with one.
  package static func name(of line: ArraySlice<UInt8>) -> String {
    guard line.starts(with: head) else { return "" }
    let rest = line.dropFirst(head.count)
    return String(decoding: rest.prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
  }
}
