/// Finding what somebody meant by a name that is not there.
package enum NearestName {
  /// The candidate with the fewest edits from `name`, if they are few: a third of its letters.
  package static func of(_ name: String, among candidates: [String]) -> String? {
    // Longer names are no slip of the keyboard, and the distance costs their product.
    guard name.utf8.count <= 64 else { return nil }
    let wanted = normalized(name)
    let limit = max(1, wanted.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let distance = distance(wanted, normalized(candidate))
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// Case and the separators of other habits (`rangeX`, `range_x`) are no difference.
  private static func normalized(_ name: String) -> [UInt8] {
    name.lowercased().utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
  }

  /// Levenshtein's distance, in which two neighbours that changed places count once (Damerau,
  /// restricted: no letter is edited twice).
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var rows = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
    for i in 0...a.count { rows[i][0] = i }
    for j in 0...b.count { rows[0][j] = j }
    for i in a.indices {
      for j in b.indices {
        var least = min(
          rows[i][j + 1] + 1, rows[i + 1][j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = min(least, rows[i - 1][j - 1] + 1)
        }
        rows[i + 1][j + 1] = least
      }
    }
    return rows[a.count][b.count]
  }
}
