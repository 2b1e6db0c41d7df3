// SPDX-License-Identifier: Apache-2.0

/// A fenced block of a Markdown document.
struct MarkdownBlock: Sendable {
  /// The word after the fence, as in `sh`, `swift` and `toml`.
  var language: String
  var lines: [String]
  /// The text of an HTML comment directly above the block; it says how to test the block.
  var note: String
  /// The line of the opening fence, counted from 1.
  var line: Int

  var text: String { lines.joined(separator: "\n") + "\n" }
}

/// Returns the fenced blocks of a document, in order. The fences may be indented, as inside a list.
func markdownBlocks(_ document: String) -> [MarkdownBlock] {
  var blocks: [MarkdownBlock] = []
  var open: MarkdownBlock?
  var note = ""
  for (index, whole) in document.split(separator: "\n", omittingEmptySubsequences: false)
    .enumerated()
  {
    let line = whole.drop { $0 == " " }
    if var block = open {
      if line.hasPrefix("```") {
        blocks.append(block)
        open = nil
      } else {
        block.lines.append(String(whole))
        open = block
      }
    } else if line.hasPrefix("```") {
      let language = String(line.dropFirst(3))
      open = MarkdownBlock(language: language, lines: [], note: note, line: index + 1)
      note = ""
    } else if line.hasPrefix("<!-- "), line.hasSuffix(" -->") {
      note = String(line.dropFirst(5).dropLast(4))
    } else if !line.isEmpty {
      note = ""
    }
  }
  return blocks
}
