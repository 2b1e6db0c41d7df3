// SPDX-License-Identifier: Apache-2.0

/// The names of files around a photo.
package enum PhotoFiles {
  /// Returns the path of the depth map that belongs to a photo: `photo.depth.png` for `photo.jpg`. nil for a depth map.
  package static func companion(of photo: String) -> String? {
    let nameStart = photo.lastIndex(of: "/").map { photo.index(after: $0) } ?? photo.startIndex
    let name = photo[nameStart...]
    guard !name.hasSuffix(".depth.png") else { return nil }
    // A name such as `.photo` has no ending.
    let stem = name.dropFirst().lastIndex(of: ".").map { name[..<$0] } ?? name
    return photo[..<nameStart] + stem + ".depth.png"
  }

  private static let endings = [".jpg", ".jpeg", ".png", ".webp", ".avif", ".heic", ".heif"]

  /// Returns the photos among the names in a folder, sorted; hidden files and depth maps are none.
  package static func photos(among names: [String]) -> [String] {
    names.filter { name in
      let lower = name.lowercased()
      return !name.hasPrefix(".") && !lower.hasSuffix(".depth.png")
        && endings.contains { lower.hasSuffix($0) }
    }.sorted()
  }
}
