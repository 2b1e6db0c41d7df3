// SPDX-License-Identifier: Apache-2.0

import ParallaxWallpaperCore
import Testing

struct PictureSearchTests {
  private func paths(
    _ argument: String?, _ files: Set<String>, output: String = ""
  ) throws(WallpaperError) -> [String] {
    let environment = ["HOME": "/home/a"]
    return try PictureSearch { environment[$0] }.paths(of: argument, output: output) {
      files.contains($0)
    }
  }

  private let valley = "/usr/share/parallax/wallpapers/valley"
  private let chosen = "/home/a/.config/parallax/wallpaper"

  @Test func withoutAnArgumentTheChoiceComesFirst() throws {
    #expect(try paths(nil, [valley, chosen]) == [chosen])
    #expect(try paths(nil, [valley]) == [valley])
    let error = #expect(throws: WallpaperError.self) { try paths(nil, []) }
    #expect(error?.kind == .notFound)
  }

  @Test func aNameIsLookedUpUnlessItIsAFile() throws {
    #expect(try paths("valley", [valley]) == [valley])
    #expect(try paths("valley", [valley, "valley"]) == ["valley"])
    #expect(try paths("./valley", [valley]) == ["./valley"])
    let own = "/home/a/.local/share/parallax/wallpapers/valley"
    #expect(try paths("valley", [valley, own]) == [own])
    let error = #expect(throws: WallpaperError.self) { try paths("valey", [valley]) }
    #expect(
      error?.description
        == "'valey' is neither a file nor the name of a picture; --list prints the names")
  }

  /// The next ones are for a start with a broken choice.
  @Test func anOutputsOwnChoiceComesBeforeTheGeneralOne() throws {
    let own = chosen + "-eDP-1"
    #expect(try paths(nil, [valley, chosen, own], output: "eDP-1") == [own, chosen])
    #expect(try paths(nil, [valley, own], output: "eDP-1") == [own, valley])
    #expect(try paths(nil, [own], output: "eDP-1") == [own])
    #expect(try paths(nil, [valley, chosen, own], output: "DP-2") == [chosen])
    #expect(try paths(nil, [valley, chosen, own]) == [chosen])
    #expect(try paths("valley", [valley, chosen, own], output: "eDP-1") == [valley])
    // The name of an output is not a path.
    #expect(PictureSearch { _ in "/c" }.chosen(for: "../x") == nil)
  }

  @Test func theCommandLineNamesPicturesOfOutputs() throws {
    let choice = try PictureChoice(general: "reef", outputs: ["eDP-1=/srv/a=b.png", "DP-2"])
    #expect(choice.outputs == ["eDP-1", "DP-2"] && choice.known == ["eDP-1", "DP-2"])
    #expect(choice.argument(for: "eDP-1") == "/srv/a=b.png")
    #expect(choice.argument(for: "DP-2") == "reef")
    #expect(choice.covers("DP-2") && !choice.covers("DP-3"))
    let all = try PictureChoice(general: nil, outputs: [])
    #expect(all.covers("DP-3") && all.argument(for: "DP-3") == nil && all.known == [""])
  }

  @Test(arguments: [["=a"], ["eDP-1="], [""], ["eDP-1", "eDP-1=a"]])
  func aWrongOutputIsRefused(outputs: [String]) {
    let error = #expect(throws: WallpaperError.self) {
      try PictureChoice(general: nil, outputs: outputs)
    }
    #expect(error?.kind == .usage && error?.description.hasPrefix("--output: ") == true)
  }

  @Test func otherBackgroundsAreKnown() {
    let swaybg = OtherBackground.message(name: "swaybg", arguments: ["swaybg"])
    #expect(swaybg?.hasPrefix("swaybg shows a background in the same layer") == true)
    #expect(OtherBackground.message(name: "foot", arguments: ["foot"]) == nil)
    #expect(OtherBackground.message(name: "pcmanfm", arguments: ["pcmanfm"]) == nil)
    #expect(
      OtherBackground.message(name: "pcmanfm-qt", arguments: ["pcmanfm-qt", "--desktop"]) != nil)
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
