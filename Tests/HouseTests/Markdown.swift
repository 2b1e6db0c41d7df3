/// One fenced block of a Markdown document.
struct MarkdownBlock: Sendable {
  /// What stands behind the fence: `sh`, `swift`, `toml`.
  var language: String
  var lines: [String]
  /// The words of an HTML comment right above the block: what a test has to know about it.
  var note: String
  /// The line of the fence, from 1.
  var line: Int

  var text: String { lines.joined(separator: "\n") + "\n" }
}

/// The fenced blocks of a document, in order. A block inside a list is indented; so are its fences.
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
