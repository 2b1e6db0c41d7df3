// SPDX-License-Identifier: Apache-2.0

import Glibc
import ParallaxWallpaperCore
import Testing

struct WallpaperDocumentTests {
  private func read(_ text: String) throws(WallpaperError) -> WallpaperDocument {
    try WallpaperDocument(toml: Array(text.utf8), path: "pictures/wallpaper.toml")
  }

  @Test func layersAreInTheOrderOfTheFile() throws {
    let document = try read(
      """
      [wallpaper]
      background = "#1C1d4a"
      travel = 0.05
      [sky]
      image = "sky.svg"
      depth = 0
      [alps]
      image = "/srv/alps.png"
      depth = -0.25
      [front]
      image = "front.webp"
      """)
    #expect(document.background == 0x1C1D4A)
    #expect(document.travel == 0.05)
    #expect(
      document.layers == [
        .init(name: "sky", image: "pictures/sky.svg", depth: 0),
        .init(name: "alps", image: "/srv/alps.png", depth: -0.25),
        .init(name: "front", image: "pictures/front.webp", depth: 1),
      ])
  }

  @Test func aPhotoIsThereInsteadOfLayers() throws {
    let document = try read(
      """
      [wallpaper]
      travel = 0.03
      depth-map = "/srv/map.png"
      photo = "p.jpg"
      """)
    #expect(document.layers.isEmpty && document.travel == 0.03)
    #expect(document.photo == .init(image: "pictures/p.jpg", depthMap: "/srv/map.png"))
    #expect(try read("[wallpaper]\nphoto = \"p.jpg\"\n").photo?.depthMap == nil)
  }

  /// The file and its error.
  @Test(arguments: [
    ("", ": no layers; add a table for each, as in [sky] image = \"sky.png\""),
    ("[sky]\n", ": [sky] has no image; add image = \"FILE\""),
    ("[sky]\nimage = 7\n", ":2:1: image: expected a file's name in quotes, as in \"sky.png\""),
    (
      "[sky]\nimage = \"a\"\ndepth = \"1\"\n",
      ":3:1: depth: expected a number from -10 to 10, as in 0.5"
    ),
    (
      "[sky]\nimage = \"a\"\ndepth = 11\n",
      ":3:1: depth: expected a number from -10 to 10, as in 0.5"
    ),
    ("[sky]\nimgae = \"a\"\n", ":2:1: unknown key 'imgae'; a layer has image and depth"),
    (
      "image = \"a\"\n",
      ":1:1: 'image' is outside a table; write [wallpaper] or a layer's [NAME] above it"
    ),
    (
      "[wallpaper]\ncolor = 1\n",
      ":2:1: unknown key 'color'; [wallpaper] has background, travel, photo and depth-map"
    ),
    (
      "[wallpaper]\nbackground = \"red\"\n",
      ":2:1: background: expected a color in quotes, as in \"#1c1d4a\""
    ),
    (
      "[wallpaper]\ntravel = 0.2\n",
      ":2:1: travel: expected a number from 0 to 0.1, as in 0.025"
    ),
  ])
  func errorSaysWhereAndWhatToDo(text: String, message: String) {
    let error = #expect(throws: WallpaperError.self) { try read(text) }
    #expect(error?.description == "pictures/wallpaper.toml" + message)
  }

  /// Returns the example of a page in docs/.
  private func example(in file: String) throws -> WallpaperDocument {
    let root = #filePath.firstRange(of: "/desktop/Tests/").map { #filePath[..<$0.lowerBound] } ?? ""
    let page = try #require(contents(ofFile: root + "/docs/\(file)"))
    let start = try #require(page.firstRange(of: "<!-- a wallpaper -->\n```toml\n"))
    let rest = page[start.upperBound...]
    let block = try #require(rest.firstRange(of: "```").map { rest[..<$0.lowerBound] })
    return try read(String(block))
  }

  @Test func theDocumentedExamplesAreRead() throws {
    let layers = try example(in: "wallpaper.md")
    #expect(layers.layers.map(\.name) == ["sky", "hills", "trees"])
    #expect(layers.travel == 0.025)
    #expect(layers.layers.map(\.depth) == [0, 0.5, 1.6])
    let photo = try example(in: "wallpaper-photo.md")
    #expect(photo.photo == .init(image: "pictures/photo.jpg", depthMap: "pictures/map.png"))
  }

  private func contents(ofFile path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  @Test func aSyntaxErrorHasItsPlace() {
    let error = #expect(throws: WallpaperError.self) { try read("[sky]\nimage = \"a\n") }
    #expect(error?.description.hasPrefix("pictures/wallpaper.toml:2:") == true, "\(error!)")
  }

  @Test func moreLayersThanAScreenNeedsAreRefused() {
    let text = (0..<17).map { "[layer\($0)]\nimage = \"a\"\n" }.joined()
    let error = #expect(throws: WallpaperError.self) { try read(text) }
    #expect(error?.description.contains("more than 16 layers") == true)
  }
}
