// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ParallaxDocuments

/// The line and the column of a path in a text.
@Suite struct DocumentPlaceTests {
  private static let text = #"""
    {"a": 1, "b": [10, {"c": "}],\"", "d": [[], {}, "é", 5]}],
     "e": {"f":
       -1.5e3, "g" : null}}
    """#

  @Test(arguments: [
    ("$", 1, 1), ("$.a", 1, 7), ("$.b", 1, 15), ("$.b[0]", 1, 16), ("$.b[1].c", 1, 26),
    ("$.b[1].d[2]", 1, 49), ("$.b[1].d[3]", 1, 54), ("$.e.f", 3, 4), ("$.e.g", 3, 18),
    // The value around what is not there, or cannot be found.
    ("$.b[1].x", 1, 20), ("$.a.x", 1, 7), ("$.b[7]", 1, 15), (#"$.e["odd key"].f"#, 2, 7),
  ])
  func placesAreFound(path: String, line: Int, column: Int) {
    #expect(
      DocumentPlace(of: path, in: Array(Self.text.utf8)[...])
        == DocumentPlace(line: line, column: column))
  }

  @Test(arguments: ["", "a", "$x", "$[x]", "$[1", "$.variables.a"]) func otherTextsAreNoPaths(
    path: String
  ) {
    #expect(DocumentPlace(of: path, in: Array(Self.text.utf8)[...]) == nil)
  }

  /// Any text ends the walk.
  @Test func cutTexts() {
    let bytes = Array(Self.text.utf8)
    for length in 0...bytes.count {
      for path in ["$.e.g", "$.b[1].d[3]"] {
        _ = DocumentPlace(of: path, in: bytes[..<length])
      }
    }
  }
}
