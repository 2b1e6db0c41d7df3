// SPDX-License-Identifier: Apache-2.0

/// Suggestions for misspelled names.
package enum NearestName {
  /// Returns the candidate with the fewest edits from `name`; nil if they exceed a third of its
  /// letters.
  package static func of(_ name: String, among candidates: [String]) -> String? {
    // A longer name is not a typing error, and the time grows with the product of both lengths.
    guard name.utf8.count <= 64 else { return nil }
    let letters = normalized(name)
    let limit = max(1, letters.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let distance = distance(letters, normalized(candidate))
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// Ignores case and separators: `rangeX` and `range_x` equal `range-x`.
  private static func normalized(_ name: String) -> [UInt8] {
    name.lowercased().utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
  }

  /// Returns the restricted Damerau-Levenshtein distance: a swap of two adjacent letters is one edit,
  /// and no letter is edited twice.
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var rows = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
    for i in 0...a.count { rows[i][0] = i }
    for j in 0...b.count { rows[0][j] = j }
    for i in a.indices {
      for j in b.indices {
        var fewest = min(
          rows[i][j + 1] + 1, rows[i + 1][j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          fewest = min(fewest, rows[i - 1][j - 1] + 1)
        }
        rows[i + 1][j + 1] = fewest
      }
    }
    return rows[a.count][b.count]
  }
}
