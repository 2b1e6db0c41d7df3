// SPDX-License-Identifier: Apache-2.0

import ParallaxWallpaperCore
import Testing

struct SlideShowTests {
  private let s: Int64 = 1_000_000_000

  @Test func photosFollowEachOtherByName() throws {
    var show = try #require(
      SlideShow(["c.jpg", "a.jpg", "a.depth.png", "b.png"], seconds: 60, at: 0))
    var folder = ["c.jpg", "a.jpg", "b.png"]
    #expect(show.current == "a.jpg" && show.timeoutMilliseconds(at: 0) == 60_000)
    let early = show.advance(at: 59 * s) { folder }
    #expect(!early && show.timeoutMilliseconds(at: 59 * s) == 1000)
    let due = show.advance(at: 60 * s) { folder }
    #expect(due && show.current == "b.png" && show.timeoutMilliseconds(at: 60 * s) == 60_000)
    // One that was removed meanwhile has a successor; after the last one comes the first.
    folder = ["a.jpg", "c.jpg"]
    _ = show.advance(at: 120 * s) { folder }
    #expect(show.current == "c.jpg")
    // The machine slept for hours.
    let late = show.advance(at: 9000 * s) { folder }
    #expect(late && show.current == "a.jpg" && show.timeoutMilliseconds(at: 9000 * s) == 60_000)
    // Nothing else to show.
    let same = show.advance(at: 9060 * s) { [] }
    #expect(!same && show.current == "a.jpg")
  }

  @Test func aFolderWithoutPhotosIsNoSlideShow() {
    #expect(SlideShow(["notes.txt", "a.depth.png"], seconds: 60, at: 0) == nil)
  }

  @Test(arguments: [
    ("10min", 600), ("1.5 h", 5400), ("45s", 45), ("90", 90), ("0.5", nil), ("8000h", nil),
    ("min", nil),
    ("10m", nil), ("-5", nil), ("", nil), ("nan", nil), ("inf", nil),
  ])
  func intervalsHaveUnits(text: String, seconds: Double?) {
    #expect(SlideShow.seconds(text) == seconds)
  }
}
