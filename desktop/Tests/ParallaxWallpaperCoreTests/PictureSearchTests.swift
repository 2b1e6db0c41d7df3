// SPDX-License-Identifier: Apache-2.0

import ParallaxWallpaperCore
import Testing

struct PictureSearchTests {
  private func path(
    _ argument: String?, _ files: Set<String>, _ environment: [String: String] = ["HOME": "/home/a"]
  ) throws(WallpaperError) -> String {
    try PictureSearch { environment[$0] }.path(of: argument) { files.contains($0) }
  }

  private let valley = "/usr/share/parallax/wallpapers/valley"
  private let chosen = "/home/a/.config/parallax/wallpaper"

  @Test func withoutAnArgumentTheChoiceComesFirst() throws {
    #expect(try path(nil, [valley, chosen]) == chosen)
    #expect(try path(nil, [valley]) == valley)
    let error = #expect(throws: WallpaperError.self) { try path(nil, []) }
    #expect(error?.kind == .notFound)
  }

  @Test func aNameIsLookedUpUnlessItIsAFile() throws {
    #expect(try path("valley", [valley]) == valley)
    #expect(try path("valley", [valley, "valley"]) == "valley")
    #expect(try path("./valley", [valley]) == "./valley")
    let own = "/home/a/.local/share/parallax/wallpapers/valley"
    #expect(try path("valley", [valley, own]) == own)
    let error = #expect(throws: WallpaperError.self) { try path("valey", [valley]) }
    #expect(
      error?.description
        == "'valey' is neither a file nor the name of a picture; --list prints the names")
  }

  @Test func foldersFollowTheEnvironment() {
    let variables = [
      "HOME": "/home/a", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "", "XDG_DATA_DIRS": "/d:/e",
    ]
    let search = PictureSearch { variables[$0] }
    #expect(search.chosen == "/c/parallax/wallpaper")
    #expect(
      search.folders == [
        "/home/a/.local/share/parallax/wallpapers", "/d/parallax/wallpapers",
        "/e/parallax/wallpapers",
      ])
  }
}

struct ReloadScheduleTests {
  private let ms: Int64 = 1_000_000

  @Test func filesAreReadOnceTheyRest() {
    var schedule = ReloadSchedule()
    #expect(schedule.timeoutMilliseconds(at: 0) == -1)
    schedule.changed(at: 0)
    schedule.changed(at: 100 * ms)
    #expect(schedule.timeoutMilliseconds(at: 100 * ms) == 200)
    let early = schedule.isDue(at: 299 * ms)
    let due = schedule.isDue(at: 300 * ms)
    let again = schedule.isDue(at: 400 * ms)
    #expect([early, due, again] == [false, true, false])
    #expect(schedule.timeoutMilliseconds(at: 400 * ms) == -1)
  }
}
