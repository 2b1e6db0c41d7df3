import ParallaxTestSupport
import Testing

/// The rows of a table in animations/golden that holds numbers alone, without its header.
func numbers(inGolden name: String) throws -> [[Double]] {
  let table = try text(ofFile: sharedPath("animations/golden/\(name)"))
  let lines = table.split(whereSeparator: \.isNewline)
  let width = try #require(lines.first).split(separator: ",").count
  return try lines.dropFirst().map { line in
    let row = line.split(separator: ",").compactMap { Double(String($0)) }
    try #require(row.count == width, "\(line)")
    return row
  }
}
